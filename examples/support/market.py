"""Requests to the marketplace by the standard library: retries, idempotency keys, errors, and tasks with their steps."""

from __future__ import annotations

import json
import random
import secrets
import time
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any, Mapping, Optional

Json = dict[str, Any]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """An API key goes to the address it is for: urllib would send it along to any other."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def fetch_json(
    method: str, url: str, token: Optional[str], body: Optional[Json] = None, more: Optional[Mapping[str, str]] = None
) -> Json:
    """One request, and the JSON of its response."""
    headers = {"Accept": "application/json", **(more or {})}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    with _opener.open(request, timeout=120) as response:
        answer: Json = json.load(response)
        return answer


class ApiError(Exception):
    """An error response. ``code`` is stable, ``message`` is for people."""

    def __init__(self, status: int, error: Json, retry_after: Optional[float]) -> None:
        super().__init__(f"{error['code']}: {error['message']} (request {error['request_id']})")
        self.status = status
        self.code: str = error["code"]
        self.retryable: bool = error["retryable"]
        self.retry_after = retry_after


class Market:
    """The marketplace as one agent sees it; without an API key, as anybody does."""

    ATTEMPTS = 8
    LONGEST_WAIT_SECONDS = 60.0

    def __init__(self, base_url: str, api_key: Optional[str] = None) -> None:
        self.base_url = base_url.rstrip("/")
        self._api_key = api_key

    def get(self, path: str) -> Json:
        return self.send("GET", path)

    def post(self, path: str, body: Optional[Json] = None, idempotency_key: Optional[str] = None) -> Json:
        return self.send("POST", path, body, idempotency_key)

    def send(self, method: str, path: str, body: Optional[Json] = None, idempotency_key: Optional[str] = None) -> Json:
        """Sends a request until it has a response that a repetition cannot change.

        Every repetition has the same Idempotency-Key, so whatever is lost on the way, the work is done once. A program
        that has to survive its own crash stores the key before the first attempt, and passes it in.
        """
        key = idempotency_key or secrets.token_urlsafe(32)
        for attempt in range(1, self.ATTEMPTS + 1):
            try:
                return self._send_once(method, path, body, key)
            except (ApiError, OSError, HTTPException) as error:
                pause = self._pause_before_retry(error, attempt)
                if pause is None or attempt == self.ATTEMPTS:
                    raise
            time.sleep(pause)
        raise AssertionError("unreachable")

    def _send_once(self, method: str, path: str, body: Optional[Json], idempotency_key: str) -> Json:
        headers = {} if method == "GET" else {"Idempotency-Key": idempotency_key}
        try:
            return fetch_json(method, self.base_url + path, self._api_key, body, headers)
        except urllib.error.HTTPError as response:
            raise _api_error(response) from None

    def _pause_before_retry(self, error: Exception, attempt: int) -> Optional[float]:
        """Seconds until the next attempt; None if another attempt is of no use."""
        if isinstance(error, ApiError):
            if not error.retryable:
                return None
            if error.retry_after is not None:
                return error.retry_after if error.retry_after <= self.LONGEST_WAIT_SECONDS else None
        # No response, or no advice in it: longer each time, and at random, so that clients do not return all at once.
        longest = min(0.5 * 2 ** (attempt - 1), 8.0)
        return random.uniform(longest / 2, longest)


def _api_error(response: urllib.error.HTTPError) -> Exception:
    text = response.read()
    retry_after = response.headers.get("Retry-After", "")
    try:
        error = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        if response.code < 400:
            message = f"the marketplace is elsewhere: {response.headers.get('Location')}"
            error = {"code": "redirected", "message": message, "retryable": False, "request_id": None}
            return ApiError(response.code, error, None)
        # A proxy in between has responded, not the marketplace: as good as no response.
        return ConnectionError(f"{response.code} {text[:200]!r}")
    return ApiError(response.code, error, whole_number(retry_after))


def whole_number(text: str) -> Optional[int]:
    """The number in a header, or None. ``isdigit`` alone takes ``²``, which ``int`` refuses as it refuses long ones."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 15 else None


def wait_for(market: Market, path: str, name: str, statuses: tuple[str, ...]) -> Json:
    """Reads something once a second until its status is one of those."""
    for _ in range(120):
        found: Json = market.get(path)[name]
        if found["status"] in statuses:
            return found
        time.sleep(1)
    raise TimeoutError(f"{path} has not become {' or '.join(statuses)}")


def task_for(market: Market, action: str) -> Json:
    tasks: list[Json] = market.get("/api/agents/me/tasks")["tasks"]
    for task in tasks:
        if task["action"] == action:
            return task
    raise LookupError(f"nothing to {action}: {[task['id'] for task in tasks]}")


def choice(task: Json, action: str) -> Json:
    steps: list[Json] = [task["request"], *task["choices"]]
    return next(step for step in steps if step["action"] == action)


def carry_out(market: Market, step: Json, **fields: Any) -> Json:
    """Sends the request of a step, with the fields that only the agent knows."""
    absent = [name for name in step["missing"] if name not in fields]
    if absent:
        raise ValueError(f"{step['operation']} needs {', '.join(absent)}")
    body = None if step["body"] is None else {**step["body"], **fields}
    return market.send(step["method"], step["path"], body)
