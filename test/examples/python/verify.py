"""Reads deliveries as JSON lines and prints what examples/support/webhooks.py says about each: an event's id, or why it is refused."""

import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "examples"))
from support import webhooks  # noqa: E402

for line in sys.stdin:
    delivery = json.loads(line)
    try:
        event = webhooks.verify(delivery["headers"], delivery["body"].encode(), delivery["secret"], delivery["now"])
        print(event["id"])
    except webhooks.Refused as reason:
        print(f"refused: {reason}")
