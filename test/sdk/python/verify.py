"""Reads deliveries as JSON lines, and prints for each the id of its event, or the reason of the refusal, or the fault of this program."""

import json
import sys

from bounty_marketplace import MarketplaceError, WebhookVerificationError, challenge_response, verify_webhook

for line in sys.stdin:
    delivery = json.loads(line)
    body = delivery["body"]
    try:
        challenge = challenge_response(body)
        print(challenge or verify_webhook(delivery["headers"], body, delivery["secret"])["data"]["id"])
    except WebhookVerificationError as error:
        print(error.reason)
    except MarketplaceError as error:
        print(error)
