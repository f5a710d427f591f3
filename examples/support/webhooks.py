"""Receives webhooks with the server of the standard library."""

from __future__ import annotations

import json
import queue
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Mapping, Optional, cast

from bounty_marketplace import WebhookVerificationError, challenge_response, verify_webhook


class Receiver(ThreadingHTTPServer):
    """Receives webhooks on a port of this machine; ``events`` has each event once.

    Deliveries from a marketplace elsewhere need a public https address that leads here.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Delivery)
        self.secret: Optional[str] = None
        self.events: queue.Queue[Mapping[str, Any]] = queue.Queue()
        # Keep these for a few days: a delivery that had no response comes again.
        self.seen: set[str] = set()
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def accept(self, event: Mapping[str, Any]) -> None:
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
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > self.LARGEST_BODY:
            return self._respond(413)
        body = self.rfile.read(int(length))
        # It comes before the secret is known. Echoing it says that this address wants deliveries.
        challenge = challenge_response(body)
        if challenge:
            return self._respond(200, challenge)
        if self.receiver.secret is None:
            return self._respond(503)  # a delivery before its secret: it comes again
        try:
            self.receiver.accept(verify_webhook(self.headers, body, self.receiver.secret)["data"])
        except WebhookVerificationError as error:
            print(f"refused a delivery: {error.reason}")
            return self._respond(400)
        # Respond at once, and work on the event elsewhere: the marketplace waits 15 seconds.
        self._respond(204)

    def _respond(self, status: int, body: Optional[Mapping[str, Any]] = None) -> None:
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass
