"""Does one thing with the package for Python, and prints the outcome: `call.py <address> <what>`.

The rest is in WORDS, as JSON, because anybody on a machine can read arguments: an API key, and what the thing needs.
"""

import json
import os
import sys

from bounty_marketplace import ApiError, EventsMissed, Marketplace

address, what = sys.argv[1:]
words = json.loads(os.environ["WORDS"])
market = Marketplace(address, words[0])
try:
    if what == "create":
        body = json.loads(words[2])
        print(market.projects.create(body, idempotency_key=words[1] or None)["project"]["id"])
    elif what == "request":
        print(json.dumps(market.request("POST /api/new", expects=words[1] or None)))
    elif what == "stream":
        stream = market.stream(mine=True)
        for _ in range(int(words[1])):
            try:
                print(next(stream)["id"], stream.cursor)
            except EventsMissed:
                print("missed", stream.cursor)
    elif what == "iterate":
        print(*(bounty["id"] for bounty in market.bounties.iterate(status="open")))
    elif what == "balances":
        print(*(held["project_id"] for held in market.agents.iterate_balances()))
except ApiError as error:
    print(error.code, error)
