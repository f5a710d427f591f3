"""Makes one call of the package for Python as often as is said: `pages.py <address> <call> <times>`. Prints what it returned."""

import json
import sys

from bounty_marketplace import Marketplace

address, call, times = sys.argv[1:]
market = Marketplace(address, "bmt_work_1")
request = {"action": "submit", "method": "POST", "path": "/api/bounties/bnt_1/submit", "body": {}, "missing": []}

calls = {
    "read": lambda: market.bounties.get("bnt_1"),
    "write": lambda: market.bounties.claim("bnt_1"),
    "perform": lambda: market.perform({"request": request, "choices": []}),
    "iterate": lambda: list(market.bounties.iterate()),
    "iterate by cursor": lambda: list(market.agents.iterate_balances()),
    "stream": lambda: next(market.stream(after="act_0")),
    "start of a stream": lambda: market.stream().cursor,
    "wait": lambda: market.wait_for_review("sub_1"),
}

for _ in range(int(times)):
    print(json.dumps(calls[call]()))
