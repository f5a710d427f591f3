"""What all operations share: requests with retries, errors, and the walk through a list."""

from __future__ import annotations

import json
import os
import random
import re
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timezone
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Set

from .version import VERSION

#: How long a ``Retry-After`` a call follows by itself.
LONGEST_RETRY_AFTER_SECONDS = 60.0
PAGE_SIZE = 100
#: The service goes on after it has returned one of these: to wait longer is the caller's choice.
UNCONFIRMED = ("payout_unconfirmed", "activation_unconfirmed")


class MarketplaceError(Exception):
    """Everything that this package raises on purpose."""


class ConnectionFailed(MarketplaceError):
    """No response came, or only a part of one. ``__cause__`` says more."""


class ApiError(MarketplaceError):
    """An error response. Branch on ``code``: it is stable, and ``message`` is for people."""

    def __init__(
        self, status: int, error: Mapping[str, Any], request_id: Optional[str], retry_after: Optional[float]
    ) -> None:
        self.status = status
        #: ``unexpected_response`` if something other than the service responded, such as a gateway.
        self.code: str = error["code"]
        self.message: str = error["message"]
        #: Whether the same request, unchanged, may succeed later.
        self.retryable: bool = error["retryable"]
        #: Quote it when you ask for help.
        self.request_id = request_id
        #: Each field that failed validation.
        self.issues: List[Dict[str, Any]] = error.get("issues", [])
        #: What ``Retry-After`` asked for, in seconds.
        self.retry_after = retry_after
        super().__init__(f"{self.message} ({self.code}, {status}, {request_id})")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """An API key goes to the address that it is for: urllib would send it along to any other."""

    def redirect_request(self, *_: Any) -> None:
        return None


without_redirects = urllib.request.build_opener(_NoRedirects)


class Client:
    """Sends requests to one marketplace, for one agent or none."""

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: int = 3,
    ) -> None:
        """
        :param base_url: default: the variable ``BOUNTY_MARKETPLACE_URL``
        :param api_key: default: the variable ``BOUNTY_MARKETPLACE_API_KEY``, if base_url is that of the environment; ``""`` is no key
        :param timeout: how long an attempt may be silent, in seconds; default: 30, and more for operations that wait
        :param max_retries: how often a failed attempt is repeated
        """
        self.base_url = (base_url or os.environ.get("BOUNTY_MARKETPLACE_URL", "")).rstrip("/")
        address = urllib.parse.urlsplit(self.base_url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise MarketplaceError("base_url, or BOUNTY_MARKETPLACE_URL, must be an http(s) address")
        # The key in the environment is for the address there, and for no other.
        address_of_key = os.environ.get("BOUNTY_MARKETPLACE_URL", self.base_url).rstrip("/")
        usual_key = os.environ.get("BOUNTY_MARKETPLACE_API_KEY", "") if address_of_key == self.base_url else ""
        self.api_key = usual_key if api_key is None else api_key
        # Not with the key in it: errors are logged.
        if not re.fullmatch(r"[\x21-\x7e]*", self.api_key):
            raise MarketplaceError("api_key has a character that no key has")
        self.timeout = timeout
        self.max_retries = max_retries

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r})"

    def request(
        self,
        method: str,
        path: str,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        usual_timeout: float = 30.0,
        expects: Optional[str] = None,
    ) -> Any:
        """Sends a request until it has a response that a repetition cannot change, or has failed too often.

        Without the member ``expects`` a success is not the service's: gateways answer 200 with bodies of their own. With ``*`` any
        member will do that is a resource, a list of them, or the id of a bounty. By default any JSON object is a success.

        All attempts of a write have the same Idempotency-Key, so its work is done once whatever is lost on the way. To have
        that across a crash of your program, store a key of your own first, and pass it in again.
        """
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = self.base_url + path + ("?" + urllib.parse.urlencode(given) if given else "")
        headers = {"Accept": "application/json", "User-Agent": f"bounty-marketplace-python/{VERSION}"}
        if self.api_key:
            headers["Authorization"] = f"Bearer {self.api_key}"
        if method != "GET":
            headers["Idempotency-Key"] = idempotency_key or secrets.token_urlsafe(32)
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body, allow_nan=False).encode()
        seconds = timeout or self.timeout or usual_timeout
        failures = 0
        busy_until: Optional[float] = None
        while True:
            try:
                return _attempt(urllib.request.Request(url, data, headers, method=method), seconds, expects)
            except MarketplaceError as error:
                if isinstance(error, ApiError) and error.code == "idempotency_in_progress":
                    # An earlier attempt is still at work: it may take as long as one may.
                    busy_until = busy_until or time.monotonic() + seconds
                    is_over = self.max_retries == 0 or time.monotonic() > busy_until
                else:
                    failures += 1
                    is_over = failures > self.max_retries
                pause = retry_pause(error, max(failures, 1))
                if is_over or pause is None:
                    raise
            time.sleep(pause)


def _attempt(request: urllib.request.Request, timeout: float, expects: Optional[str]) -> Any:
    try:
        with without_redirects.open(request, timeout=timeout) as response:
            status, headers, text = response.status, response.headers, response.read()
    except urllib.error.HTTPError as response:
        with response:
            raise _api_error(response) from None
    except (OSError, HTTPException) as error:
        raise ConnectionFailed(f"no response from {request.host}: {error}") from error
    try:
        body = json.loads(text)
    except ValueError:
        raise _unexpected(status, headers, "a response that is no JSON") from None
    if not isinstance(body, dict) or (expects and not any(_is_ours(expects, *member) for member in body.items())):
        raise _unexpected(status, headers, "a response that is not the marketplace's")
    return body


def _is_ours(expects: str, name: str, value: Any) -> bool:
    if expects != "*":
        return name == expects
    # Gateways have errors and ids of requests.
    return name == "bounty_id" or (isinstance(value, (dict, list)) and name not in ("error", "errors", "data"))


def _api_error(response: urllib.error.HTTPError) -> MarketplaceError:
    try:
        error = json.loads(response.read())["error"]
        return ApiError(response.code, error, response.headers.get("X-Request-Id"), retry_after(response.headers))
    except (OSError, HTTPException) as error:
        return ConnectionFailed(f"the response was cut off: {error}")
    except (ValueError, KeyError, TypeError):
        if response.code < 400:
            return _unexpected(response.code, response.headers, f"a redirect to {response.headers.get('Location')}")
        return _unexpected(response.code, response.headers, "an error that is not the marketplace's")


def _unexpected(status: int, headers: Message, what: str) -> ApiError:
    # It says nothing about the request, whatever its status: a gateway or a page of maintenance has responded.
    error = {"code": "unexpected_response", "message": f"There is {what}.", "retryable": True}
    return ApiError(status, error, headers.get("X-Request-Id"), retry_after(headers))


def retry_after(headers: Message) -> Optional[float]:
    """``Retry-After``, which is seconds or a date, in seconds from now."""
    text = headers.get("Retry-After", "")
    if re.fullmatch(r"[0-9]{1,15}", text):
        return float(text)
    try:
        return max((parsedate_to_datetime(text) - datetime.now(timezone.utc)).total_seconds(), 0.0)
    except (ValueError, TypeError, IndexError):
        return None


def may_repeat(error: Exception, under_way: Sequence[str] = ()) -> bool:
    """Whether a repetition may mend what ``error`` says. ``under_way``: codes that are repeated as well."""
    if not isinstance(error, ApiError):
        return isinstance(error, ConnectionFailed)
    if error.code in under_way or error.code == "unexpected_response":
        return True
    if error.status == 409:
        # A conflict is final, except this one: an earlier attempt of the same request is still at work.
        return error.code == "idempotency_in_progress"
    return error.retryable and error.code not in UNCONFIRMED


def retry_pause(
    error: Exception, attempt: int, longest: float = LONGEST_RETRY_AFTER_SECONDS, under_way: Sequence[str] = ()
) -> Optional[float]:
    """Seconds until the next attempt; None if another attempt is of no use, or if ``Retry-After`` exceeds ``longest``."""
    if not may_repeat(error, under_way):
        return None
    if isinstance(error, ApiError) and error.retry_after is not None:
        return error.retry_after + random.uniform(0, 0.25) if error.retry_after <= longest else None
    return backoff(attempt)


def backoff(failures: int, longest: float = 8.0) -> float:
    """A pause in seconds after so many failures: longer each time, and at random, so that clients do not return all at once."""
    ceiling = min(0.5 * 2 ** min(failures - 1, 20), longest)
    return random.uniform(ceiling / 2, ceiling)


def path_of(template: str, *ids: str) -> str:
    for id in ids:
        if id in ("", ".", ".."):
            raise MarketplaceError(f"{id!r} is no id")
    return template.format(*(urllib.parse.quote(id, safe="") for id in ids))


def by_next(after: Optional[str], read: Callable[[Dict[str, Any]], Any], key: str) -> Iterator[Any]:
    """Walks a list by ``next`` of its pages: each item once, whatever is added meanwhile."""
    while True:
        page = read({"limit": PAGE_SIZE, "after": after})
        yield from page[key]
        after = page["next"]
        if after is None:
            return


def by_offset(read: Callable[[Dict[str, Any]], Any], key: str) -> Iterator[Any]:
    """Walks a list that is sorted by ``created_at``, newest first: each item once that stays in the list, and none twice.

    Offsets shift when items enter or leave, so pages overlap by one item. A page counts if it begins at or before the item that
    was given last, and else the page before it is read.
    """
    offset = 0
    last = ""
    given: Set[str] = set()  # the ids of items of the same millisecond as the last

    def was_given(item: Mapping[str, Any]) -> bool:
        return bool(last) and (item["created_at"] > last or item["id"] in given)

    while True:
        items = read({"limit": PAGE_SIZE, "offset": offset})[key]
        if last and offset > 0 and not (items and was_given(items[0])):
            offset = max(offset - (PAGE_SIZE - 1), 0)
            continue
        for item in items:
            if was_given(item):
                continue
            if item["created_at"] != last:
                given.clear()
            last = item["created_at"]
            given.add(item["id"])
            yield item
        if len(items) < PAGE_SIZE:
            return
        offset += len(items) - 1
