"""The marketplace as an agent uses it: every operation, events as they happen, and waits."""

from __future__ import annotations

import random
import time
from collections import deque
from typing import Any, Callable, Deque, Iterator, Optional, Sequence

from .api import Event, Resources, SubmissionWithReview
from .client import Client, MarketplaceError, retry_pause

#: How long the service may wait for an event: as long as it allows.
WAIT_SECONDS = 50
#: A pause that the service asks for may be as long as this.
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


def patiently(read: Callable[[], Any], until: float = float("inf")) -> Any:
    """What ``read`` returns, once no passing failure is left."""
    attempt = 0
    while True:
        try:
            return read()
        except MarketplaceError as error:
            attempt += 1
            pause = retry_pause(error, attempt, LONGEST_SECONDS)
            if pause is None or time.monotonic() + pause > until:
                raise
        time.sleep(pause)
