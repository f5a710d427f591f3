"""The loop of an agent that runs unattended."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import sqlite3
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, TypedDict, Union

from .api import Task
from .client import UNCONFIRMED, ApiError, MarketplaceError, backoff, may_repeat, retry_pause
from .market import WAIT_SECONDS, Marketplace, patiently
from .perform import STEP_SECONDS, request_of

#: Not everything that a task needs is an event.
LONGEST_WAIT_SECONDS = 60.0
#: How long a task rests that fails again and again, or whose request is refused each time.
LONGEST_REST_SECONDS = 600.0
#: The service knows an Idempotency-Key for 24 hours.
KEY_LASTS_SECONDS = 23 * 3600.0
MOST_TASKS = 100
#: Between two lines about calls that fail for all.
WARN_EVERY_SECONDS = 60.0
FOREVER = float("inf")


@dataclass(frozen=True)
class RunningAgent:
    """The agent that :func:`run_agent` runs, with its client."""

    id: str
    market: Marketplace


class Choice(TypedDict, total=False):
    """Which step of a task to take: the ``action`` of its ``request``, which is the default, or of one of its ``choices``."""

    choice: str
    #: What to add to the body of the step.
    fields: Dict[str, Any]


class _Route(TypedDict):
    #: Method and path, with all ids in it: ``POST /api/bounties/bnt_…/claim``.
    route: str


class OwnRequest(_Route, total=False):
    """A request that no task offers, such as a claim."""

    body: Dict[str, Any]


class FileStore:
    """Where an agent keeps what it has begun, and up to where it has read the events: a file of SQLite.

    One process at a time uses it; it is free again when that ends, however it does. A store of your own overrides these three.
    """

    def __init__(self, file: Union[str, "os.PathLike[str]"]) -> None:
        self._file = os.fspath(file)

    def lock(self) -> Callable[[], None]:
        """Keeps others from this memory. Returns what gives it back. :raises MarketplaceError: if another agent has it"""
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self._file, os.O_CREAT | os.O_EXCL, 0o600))
        database = sqlite3.connect(self._file, timeout=0, isolation_level=None)
        try:
            database.executescript(
                "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE;"
                "CREATE TABLE IF NOT EXISTS memory (id INTEGER PRIMARY KEY, json TEXT NOT NULL); COMMIT"
            )
        except sqlite3.Error as error:
            database.close()
            raise MarketplaceError(
                f"{self._file} cannot be used: {error}. If another agent uses it, give this one a file of its own."
            ) from error
        self._database = database
        return database.close

    def load(self) -> Optional[Dict[str, Any]]:
        """What was saved last; None if nothing was. Called with the lock."""
        row = self._database.execute("SELECT json FROM memory").fetchone()
        return dict(json.loads(row[0])) if row else None

    def save(self, memory: Mapping[str, Any]) -> None:
        """Returns once a crash cannot undo it. Called with the lock."""
        self._database.execute("INSERT OR REPLACE INTO memory VALUES (1, ?)", [json.dumps(memory)])


def run_agent(
    market: Marketplace,
    store: FileStore,
    work: Callable[[Task, RunningAgent], Optional[Choice]],
    *,
    begin: Optional[Callable[[RunningAgent], Optional[OwnRequest]]] = None,
    is_done: Optional[Callable[[RunningAgent], bool]] = None,
    events: Optional[Mapping[str, Any]] = None,
    logger: Optional[logging.Logger] = None,
) -> None:
    """Runs an agent: does what waits for it, else begins something, else waits for an event.

    It can be killed at any time and started again with the same store: each request is stored before it is sent and is done once.
    Nothing that fails holds up the rest. It outlasts outages of the service, and whatever a gateway says meanwhile.

    >>> run_agent(market, FileStore("ada.db"), lambda task, agent: {} if task["action"] == "activate" else None)

    :param market: a client with a ``work`` token of the agent
    :param work: decides about a task: which of its steps to take, with which fields; None leaves the task until the next look. The
        judgement of a model goes here. After a crash it is asked again, so what it does outside of the marketplace must be harmless
        the second time. If it raises, the other tasks go on, and it is asked again later
    :param begin: what to begin while no task can be worked on: a contributor claims, a founder posts
    :param is_done: whether to stop, asked while there is nothing to do; default: never
    :param events: which are worth another look: ``mine``, ``types`` (a list), ``project_id``; default: ``{"mine": True}``
    :param logger: gets a line for each thing that was done or failed; default: that called ``bounty_marketplace``
    :raises ApiError: if the credential is refused (status 401 or ``scope_missing``), or a read is
    :raises MarketplaceError: if another agent uses the store
    """
    release = store.lock()
    try:
        wanted: Mapping[str, Any] = {"mine": True} if events is None else events
        query = {
            "types": ",".join(wanted.get("types") or ()) or None,
            "project_id": wanted.get("project_id"),
            "mine": "true" if wanted.get("mine") else None,
        }
        lines = logger or logging.getLogger("bounty_marketplace")
        memory = store.load() or {"underway": {}}
        _Run(market, store, work, begin, is_done, query, lines, memory).until_done()
    finally:
        release()


@dataclass
class _Run:
    market: Marketplace
    store: FileStore
    work: Callable[[Task, RunningAgent], Optional[Choice]]
    begin: Optional[Callable[[RunningAgent], Optional[OwnRequest]]]
    is_done: Optional[Callable[[RunningAgent], bool]]
    events: Dict[str, Any]
    logger: logging.Logger
    #: ``cursor``, and ``underway`` by the id of the task or ``begin``.
    memory: Dict[str, Any]
    warned_at: float = -FOREVER
    #: What ``begin`` returned last, as JSON.
    begun: Optional[str] = None
    #: How often it failed and until when it rests, by the id of the task or ``begin``.
    resting: Dict[str, Tuple[int, float]] = field(default_factory=dict)

    def until_done(self) -> None:
        me = self.patiently("agents.me", self.market.agents.me)["agent"]
        agent = RunningAgent(me["id"], self.market)
        is_done = self.is_done
        while True:
            if self.memory.get("cursor") is None:
                # Before the tasks are read: nothing that happens from here on is missed.
                self.keep(cursor=self.patiently("events.list", self.market.events.list)["cursor"])
            if self.act(agent):
                continue
            if is_done and not self.memory["underway"] and self.patiently("is_done", lambda: is_done(agent)):
                return
            self.something_happens()

    def act(self, agent: RunningAgent) -> bool:
        """Does the first thing that can be done. False if there is none now."""
        if any(self.is_due(id) and self.carry_out(id) for id in list(self.memory["underway"])):
            return True
        tasks = self.patiently("agents.tasks", lambda: self.market.agents.tasks(limit=MOST_TASKS))["tasks"]
        waiting = {"begin", *self.memory["underway"], *(task["id"] for task in tasks)}
        self.resting = {id: rest for id, rest in self.resting.items() if id in waiting}
        if any(self.perform(task["id"], lambda: self.chosen(task, agent)) for task in tasks):
            return True
        begin = self.begin
        return begin is not None and self.perform("begin", lambda: begin(agent))

    def chosen(self, task: Task, agent: RunningAgent) -> Optional[OwnRequest]:
        choice = self.work(task, agent)
        if choice is None:
            return None
        route, body = request_of(task, choice.get("choice"), choice.get("fields"))
        return {"route": route} if body is None else {"route": route, "body": body}

    def perform(self, id: str, decide: Callable[[], Optional[OwnRequest]]) -> bool:
        """Does one thing, once: it is stored before it is sent, with the Idempotency-Key of every attempt."""
        underway = self.memory["underway"]
        if id in underway or not self.is_due(id):
            return False
        try:
            request = decide()
            json.dumps(request, allow_nan=False)
        except Exception as error:
            self.rest(id, error)
            return False
        if request is None:
            self.resting.pop(id, None)
            return False
        self.keep(underway={**underway, id: {**request, "key": secrets.token_urlsafe(32), "since": time.time()}})
        return self.carry_out(id)

    def carry_out(self, id: str) -> bool:
        """Sends what is under way.

        If nobody knows whether it is done, it stays, to be sent again with its key: with a new one it would be done twice. If it is
        refused, it is forgotten: the task is outdated, or somebody was faster. The tasks say what to do next.
        """
        item = self.memory["underway"][id]
        route, body = item["route"], item.get("body")
        is_done = False
        # A key that the service no longer knows might do it a second time.
        if time.time() - item["since"] < KEY_LASTS_SECONDS:
            try:
                self.market.request(route, body, idempotency_key=item["key"], timeout=STEP_SECONDS, expects="*")
                is_done = True
                self.logger.info("%s: %s", id, route)
            except Exception as error:
                self.rest(id, error)
                if may_repeat(error, UNCONFIRMED):
                    return False
        self.keep(underway={other: rest for other, rest in self.memory["underway"].items() if other != id})
        if is_done and id == "begin":
            self.pace(json.dumps([route, body]))
        elif is_done:
            # A task that still waits although its step is done must not keep the agent busy with nothing else.
            self.rest(id)
        return is_done

    def pace(self, begun: str) -> None:
        """What ``begin`` returns again and again may have no end, such as a bounty that it posts and does not find."""
        if begun == self.begun:
            self.rest("begin")
            self.logger.warning("begin has returned the same request again, is asked later: %s", begun)
        else:
            self.resting.pop("begin", None)
        self.begun = begun

    def patiently(self, what: str, call: Callable[[], Any]) -> Any:
        """Repeats a call through outages, and logs what fails at most once a minute."""

        def warn(error: MarketplaceError) -> None:
            if time.monotonic() - self.warned_at >= WARN_EVERY_SECONDS:
                self.warned_at = time.monotonic()
                self.logger.warning("%s failed, is tried again: %s", what, error)

        return patiently(call, on_failure=warn)

    def is_due(self, id: str) -> bool:
        return time.monotonic() >= self.resting.get(id, (0, 0.0))[1]

    def rest(self, id: str, error: Optional[Exception] = None) -> None:
        """Raises ``error``, if nothing that the agent sends can succeed any more."""
        if isinstance(error, ApiError) and (error.status == 401 or error.code == "scope_missing"):
            if error.code != "unexpected_response":
                raise error
        failures = self.resting.get(id, (0, 0.0))[0] + 1
        # Somebody was faster: what is begun next is another thing.
        longest = 8.0 if id == "begin" and isinstance(error, ApiError) else LONGEST_REST_SECONDS
        pause = retry_pause(error, failures, FOREVER, UNCONFIRMED) if error else None
        seconds = backoff(failures, longest) if pause is None else pause
        self.resting[id] = (failures, time.monotonic() + seconds)
        if error is not None:
            self.logger.warning("%s failed, is tried again in %.0f s: %s", id, seconds, error)

    def something_happens(self) -> None:
        """Waits for an event, or until something has rested. An event only says that it is time to look, so it may come twice."""
        until = min([time.monotonic() + LONGEST_WAIT_SECONDS, *(end for _, end in self.resting.values())])
        page: Dict[str, Any] = {"events": [], "truncated": False}
        while not page["events"] and not page["truncated"]:
            left = until - time.monotonic()
            wait = min(int(left), WAIT_SECONDS)
            if wait < 1:
                time.sleep(max(left, 0))
                return
            began, after = time.monotonic(), self.memory["cursor"]
            read = lambda: self.market.events.list(after=after, wait=wait, **self.events)  # noqa: E731
            page = self.patiently("events.list", read)
            self.keep(cursor=None if page["truncated"] else page["cursor"])
            if not page["events"] and time.monotonic() - began < wait:
                # The service has no room for another waiting request, or shuts down.
                time.sleep(1)
        self.logger.info("woken by %s", page["events"][-1]["type"] if page["events"] else "a gap in the events")

    def keep(self, **change: Any) -> None:
        """Returns once the change is stored."""
        self.store.save({**self.memory, **change})
        self.memory.update(change)
