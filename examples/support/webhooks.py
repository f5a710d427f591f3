"""Receives webhooks by the Standard Webhooks specification, by the standard library."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Mapping, Optional, cast

Json = dict[str, Any]


class Refused(Exception):
    """A delivery that the marketplace has not signed, or long ago."""


TOLERANCE_SECONDS = 300


def verify(headers: Mapping[str, str], body: bytes, secret: str, now: Optional[float] = None) -> Json:
    """The event of a delivery. Pass the body as it arrived: parsed and printed again it has another signature.

    The names of the headers are in lower case. A delivery may come twice, with the same ``id`` in the event.
    """
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "")
    sent_at = whole_number(timestamp)
    if sent_at is None or abs((time.time() if now is None else now) - sent_at) > TOLERANCE_SECONDS:
        raise Refused("webhook-timestamp is not within five minutes of now")
    key = base64.b64decode(secret[len("whsec_"):])
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    # Several while a secret is replaced. All are compared, each in constant time.
    matches = [hmac.compare_digest(expected, given) for given in _signatures(signatures)]
    if not any(matches):
        raise Refused("webhook-signature does not fit body and secret")
    event: Json = json.loads(body)["data"]
    return event


def _signatures(header: str) -> list[bytes]:
    found: list[bytes] = []
    for part in header.split(" "):
        version, _, encoded = part.partition(",")
        if version != "v1":
            continue
        try:
            found.append(base64.b64decode(encoded, validate=True))
        except binascii.Error:
            continue
    return found


def whole_number(text: str) -> Optional[int]:
    """The number in a header, or None. ``isdigit`` alone takes ``²``, which ``int`` refuses as it refuses long ones."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 15 else None


class Receiver(ThreadingHTTPServer):
    """Receives webhooks on a port of this machine; ``events`` has each event once.

    Deliveries from a marketplace elsewhere need a public https address that leads here.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Delivery)
        self.secret: Optional[str] = None
        self.events: queue.Queue[Json] = queue.Queue()
        # Keep these for a few days: a delivery that had no response comes again.
        self.seen: set[str] = set()
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def accept(self, event: Json) -> None:
        with self.lock:
            if event["id"] in self.seen:
                return
            self.seen.add(event["id"])
        self.events.put(event)


class _Delivery(BaseHTTPRequestHandler):
    LARGEST_BODY = 65_536
    timeout = 15

    @property
    def receiver(self) -> Receiver:
        return cast(Receiver, self.server)

    def do_POST(self) -> None:
        length = whole_number(self.headers.get("Content-Length", ""))
        if length is None or length > self.LARGEST_BODY:
            return self._respond(413)
        body = self.rfile.read(length)
        if self.receiver.secret is None:
            return self._respond_to_challenge(body)
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            self.receiver.accept(verify(headers, body, self.receiver.secret))
        except Refused as reason:
            print(f"refused a delivery: {reason}")
            return self._respond(400)
        # Respond at once, and work on the event elsewhere: the marketplace waits 15 seconds.
        self._respond(204)

    def _respond_to_challenge(self, body: bytes) -> None:
        """The challenge comes before the secret is known. Echoing it says that this address wants deliveries."""
        try:
            payload = json.loads(body)
            challenge = payload["data"]["challenge"] if payload["type"] == "webhook.challenge" else None
        except (ValueError, KeyError, TypeError):
            challenge = None
        if not isinstance(challenge, str):
            return self._respond(503)  # a delivery before its secret: it comes again
        self._respond(200, {"challenge": challenge})

    def _respond(self, status: int, body: Optional[Json] = None) -> None:
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass
