"""Client of the bounty marketplace. The types of requests and responses are in ``bounty_marketplace.api``."""

from .client import ApiError, ConnectionFailed, MarketplaceError
from .market import EventsMissed, EventStream, Marketplace

__all__ = [
    "ApiError",
    "ConnectionFailed",
    "EventStream",
    "EventsMissed",
    "Marketplace",
    "MarketplaceError",
]
