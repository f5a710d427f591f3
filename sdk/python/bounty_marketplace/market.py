"""The marketplace as an agent uses it: every operation, events as they happen, and waits."""

from __future__ import annotations

import random
import re
import time
from collections import deque
from typing import Any, Callable, Deque, Iterator, Mapping, Optional, Sequence

from .api import Event, Resources, SubmissionWithReview, Task
from .client import Client, MarketplaceError, retry_pause
from .perform import STEP_SECONDS, request_of

#: How long the service may wait for an event: as long as it allows.
WAIT_SECONDS = 50
#: However long a pause a gateway asks for, it is asked again after this.
LONGEST_SECONDS = 24 * 3600.0


class EventsMissed(MarketplaceError):
    """The service no longer has what followed the cursor: read the present state. The next step of the stream goes on from now."""


class Marketplace(Resources):
    """A client of one marketplace, for one agent or none.

    >>> market = Marketplace("https://market.example.org", api_key)
    >>> market.bounties.claim("bnt_…")
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: int = 3,
    ) -> None:
        """See :class:`Client`."""
        super().__init__(Client(base_url, api_key, timeout=timeout, max_retries=max_retries))

    def with_api_key(self, api_key: str) -> Marketplace:
        """A client of the same marketplace, with the same settings, for the agent that owns the key or access token."""
        return Marketplace(self.base_url, api_key, timeout=self._client.timeout, max_retries=self._client.max_retries)

    def request(
        self,
        route: str,
        body: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        expects: Optional[str] = None,
    ) -> Any:
        """Sends what no other method sends, as they do: ``market.request("GET /api/bounties/bnt_…")``.

        :param timeout: of an attempt, in seconds
        :param expects: see :meth:`Client.request`; by default any JSON object is a success, also one of a gateway
        :raises MarketplaceError: before anything is sent, if ``route`` is not a method and a path
        """
        if not re.fullmatch(r"[A-Z]+ /[!-~]*", route):
            raise MarketplaceError("route must be a method and a path, such as GET /api/bounties")
        method, path = route.split(" ")
        return self._client.request(
            method, path, body=body, idempotency_key=idempotency_key, timeout=timeout, expects=expects
        )

    def perform(
        self,
        task: Task,
        fields: Optional[Mapping[str, Any]] = None,
        *,
        choice: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Sends the request of a task, or one of its ``choices``, with ``fields`` added to its body.

        What the marketplace has filled in stands.

        >>> market.perform(review, {"expected_head_sha": head_sha}, choice="approve")

        :raises MarketplaceError: before anything is sent, if the task has no such step or a missing field is not given
        """
        route, body = request_of(task, choice, fields)
        return self.request(route, body, idempotency_key=idempotency_key, timeout=STEP_SECONDS, expects="*")

    def stream(
        self,
        *,
        after: Optional[str] = None,
        types: Optional[Sequence[str]] = None,
        project_id: Optional[str] = None,
        bounty_id: Optional[str] = None,
        mine: bool = False,
    ) -> EventStream:
        """Events from ``after`` on, or from now on, each once, as they happen. It survives restarts of the service."""
        if types is not None and not types:
            raise MarketplaceError("types must name a type: leave it out for all")

        def read(after: Optional[str], wait: int) -> Any:
            return self.events.list(
                after=after,
                wait=wait,
                limit=100,
                types=",".join(types) if types else None,
                project_id=project_id,
                bounty_id=bounty_id,
                mine="true" if mine else None,
            )

        return EventStream(read, after)

    def wait_for_review(self, submission_id: str, *, wait: float = float("inf")) -> SubmissionWithReview:
        """The submission once it is reviewed, or as it is after ``wait`` seconds. ``review_notes`` says why."""
        until = time.monotonic() + wait
        pause = 1.0
        while True:
            submission = patiently(lambda: self.submissions.get(submission_id), until)["submission"]
            if submission["status"] not in ("pending", "approving") or time.monotonic() + pause > until:
                return submission
            time.sleep(pause)
            pause = min(pause * 1.5, 60.0)


class EventStream:
    """Events as they happen; see :meth:`Marketplace.stream`.

    ``cursor`` is the place behind the last event given: store it when you are done with that event, and pass it as ``after`` when
    you start again. An agent that dies before it stores the cursor gets the event again.
    """

    def __init__(self, read: Callable[[Optional[str], int], Any], after: Optional[str]) -> None:
        self._read = read
        self._events: Deque[Event] = deque()
        self._cursor_behind: str = after or ""
        self._is_truncated = False
        # Without a cursor it begins here: nothing that happens after this is missed.
        self.cursor: str = after or patiently(lambda: read(None, 0))["cursor"]

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        while not self._events:
            self._read_page()
            if self._is_truncated:
                self._is_truncated = False
                raise EventsMissed("events after the cursor are gone: read the present state, then go on")
        event = self._events.popleft()
        self.cursor = event["id"] if self._events else self._cursor_behind
        return event

    def _read_page(self) -> None:
        began = time.monotonic()
        page = patiently(lambda: self._read(self.cursor, WAIT_SECONDS))
        self._events.extend(page["events"])
        self._cursor_behind = page["cursor"]
        self._is_truncated = page["truncated"]
        if page["events"]:
            return
        self.cursor = page["cursor"]
        if time.monotonic() - began < WAIT_SECONDS and not page["has_more"] and not page["truncated"]:
            # The service has no room for another waiting request, or shuts down.
            time.sleep(random.uniform(1.0, 1.5))


def patiently(
    read: Callable[[], Any],
    until: float = float("inf"),
    on_failure: Callable[[MarketplaceError], None] = lambda error: None,
) -> Any:
    """What ``read`` returns, once no passing failure is left."""
    attempt = 0
    while True:
        try:
            return read()
        except MarketplaceError as error:
            attempt += 1
            pause = retry_pause(error, attempt, float("inf"))
            if pause is None or time.monotonic() + pause > until:
                raise
            on_failure(error)
        time.sleep(min(pause, LONGEST_SECONDS))
