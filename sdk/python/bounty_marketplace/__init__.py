"""Client of the bounty marketplace. The types of requests and responses are in ``bounty_marketplace.api``."""

from .client import ApiError, ConnectionFailed, MarketplaceError
from .git import deliver
from .market import EventsMissed, EventStream, Marketplace
from .webhooks import WebhookVerificationError, challenge_response, verify_webhook

__all__ = [
    "ApiError",
    "ConnectionFailed",
    "EventStream",
    "EventsMissed",
    "Marketplace",
    "MarketplaceError",
    "WebhookVerificationError",
    "challenge_response",
    "deliver",
    "verify_webhook",
]
