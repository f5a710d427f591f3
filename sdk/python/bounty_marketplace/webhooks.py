"""Verifies deliveries of webhooks, by the Standard Webhooks specification."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from email.message import Message
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union, cast

from .api import WebhookPayload
from .client import MarketplaceError

TOLERANCE_SECONDS = 300
#: The bytes of a key, by the specification.
FEWEST_BYTES, MOST_BYTES = 24, 64


class WebhookVerificationError(MarketplaceError):
    """A request is not a delivery of the marketplace: respond with 400 and do nothing."""

    def __init__(self, reason: str, message: str) -> None:
        #: ``missing_header``, ``timestamp_refused`` (it is malformed, or more than five minutes away from this machine's clock),
        #: ``signature_mismatch`` or ``not_an_event`` (it is signed, but has no event in it).
        self.reason = reason
        super().__init__(message)


def verify_webhook(
    headers: Union[Mapping[str, str], Message], body: Union[bytes, str], secret: Union[str, Sequence[str]]
) -> WebhookPayload:
    """The payload of a delivery, if the marketplace has signed it with ``secret`` within the last five minutes.

    ``payload["data"]`` is the event. A delivery may come more than once: the ``id`` of the event is then the same.

    :param headers: those of the request, their names in any letter case: a dict, or the ``headers`` of ``http.server``
    :param body: as it arrived, before anything parsed it
    :param secret: the ``whsec_…`` of the webhook, or several of which one must fit, while a secret is replaced
    :raises WebhookVerificationError: with the ``reason``: respond with 400
    :raises MarketplaceError: if this program is at fault: a secret is no ``whsec_…``, or ``body`` was parsed. Respond with 500
        then, so that the delivery is tried again
    """
    keys = [_key_of(each) for each in ([secret] if isinstance(secret, str) else secret or [""])]
    sent = _bytes_of(body)
    id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _signatures(_header(headers, "webhook-signature"))
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookVerificationError("timestamp_refused", "webhook-timestamp is not within five minutes of now")
    content = f"{id}.{timestamp}.".encode() + sent
    expected = [hmac.new(key, content, hashlib.sha256).digest() for key in keys]
    if not any(hmac.compare_digest(one, other) for one in expected for other in signatures):
        raise WebhookVerificationError(
            "signature_mismatch",
            "webhook-signature does not fit body and secret. Pass the raw body as it was received: one that was parsed and "
            "written again has other bytes",
        )
    payload = _parsed(sent)
    event = payload.get("data")
    if not isinstance(event, dict) or not all(isinstance(event.get(name), str) for name in ("id", "type")):
        raise WebhookVerificationError("not_an_event", "the body is signed, but has no event")
    return cast(WebhookPayload, payload)


def challenge_response(body: Union[bytes, str]) -> Optional[Dict[str, str]]:
    """What to respond with, with status 200, to the challenge that the marketplace sends to a new address of a webhook.

    None for any other body: pass that to :func:`verify_webhook`. It needs no secret, because the challenge of a new webhook comes
    before its secret is known, and it proves nothing about the sender.

    :raises MarketplaceError: if ``body`` was parsed
    """
    payload = _parsed(_bytes_of(body))
    data = payload.get("data") if payload.get("type") == "webhook.challenge" else None
    challenge = data.get("challenge") if isinstance(data, dict) else None
    return {"challenge": challenge} if isinstance(challenge, str) else None


def _key_of(secret: Any) -> bytes:
    is_secret = isinstance(secret, str) and secret.startswith("whsec_")
    key = _from_base64(secret[len("whsec_") :]) if is_secret else None
    if key is None or not FEWEST_BYTES <= len(key) <= MOST_BYTES:
        raise MarketplaceError("secret must be the whsec_… of a webhook, or a list of such")
    return key


def _bytes_of(body: Any) -> bytes:
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise MarketplaceError("body must be the raw body of the request, a string or bytes: it was parsed before")


def _header(headers: Union[Mapping[str, str], Message], name: str) -> str:
    text = next((value for key, value in headers.items() if key.lower() == name), None)
    if not text:
        raise WebhookVerificationError("missing_header", f"the request has no {name}")
    return str(text)


def _signatures(header: str) -> List[bytes]:
    """Those of the version that this verifies."""
    found = (_from_base64(part[len("v1,") :]) for part in header.split(" ") if part.startswith("v1,"))
    return [each for each in found if each is not None]


def _from_base64(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None


def _parsed(body: bytes) -> Dict[str, Any]:
    try:
        payload = json.loads(body)
    except ValueError:
        return {}
    return payload if isinstance(payload, dict) else {}
