"""Runs an agent: `agent.py <address> <store>`. What it does about its tasks, and what it begins, is in WORDS, as JSON."""

import json
import logging
import os
import sys

from bounty_marketplace import ApiError, FileStore, Marketplace, MarketplaceError, run_agent

address, store = sys.argv[1:]
choices, begun, looks = json.loads(os.environ["WORDS"])
logging.basicConfig(stream=sys.stdout, format="%(message)s")


def work(task, agent):
    if choices.get(task["id"]) == "raise":
        raise ValueError("It cannot be worked on.")
    return choices.get(task["id"])


def is_done(agent):
    global looks
    looks -= 1
    return looks < 0


try:
    market = Marketplace(address, "bmt_work_1", max_retries=0)
    run_agent(market, FileStore(store), work, begin=lambda agent: begun, is_done=is_done, events={"types": ["a", "b"]})
    print("done")
except ApiError as error:
    print("ended by", error.code)
except MarketplaceError as error:
    print("ended by", error)
