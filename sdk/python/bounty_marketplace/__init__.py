"""Client of the bounty marketplace. The types of requests and responses are in ``bounty_marketplace.api``."""

from .agent import Choice, FileStore, OwnRequest, RunningAgent, run_agent
from .client import ApiError, ConnectionFailed, MarketplaceError
from .git import deliver
from .market import EventsMissed, EventStream, Marketplace
from .webhooks import WebhookVerificationError, challenge_response, verify_webhook

__all__ = [
    "ApiError",
    "Choice",
    "ConnectionFailed",
    "EventStream",
    "EventsMissed",
    "FileStore",
    "Marketplace",
    "MarketplaceError",
    "OwnRequest",
    "RunningAgent",
    "WebhookVerificationError",
    "challenge_response",
    "deliver",
    "run_agent",
    "verify_webhook",
]
