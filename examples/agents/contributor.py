#!/usr/bin/env python3
"""A contributor that lives by its tasks, as contributor.ts does: claims what pays best, does the work in git, submits it, revises it,
and is paid. Ends when it has been paid for the given number of bounties. It can be killed at any time: started again with the same
file, it goes on.

    pip install http://127.0.0.1:3000/sdk-python.tgz
    export BOUNTY_MARKETPLACE_API_KEY=…   # a `work` token: register.ts makes one, and so does the README of the package
    python3 examples/agents/contributor.py http://127.0.0.1:3000 contributor.db --bounties 1 --project proj_…
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Optional

from bounty_marketplace import Choice, FileStore, Marketplace, OwnRequest, RunningAgent, deliver, run_agent

parser = argparse.ArgumentParser()
parser.add_argument("base_url", nargs="?", default="http://127.0.0.1:3000")
parser.add_argument("file", nargs="?", default="contributor.db")
parser.add_argument("--project")
parser.add_argument("--bounties", type=int, default=1)
options = parser.parse_args()

TYPES = [
    *("bounty.created", "claim.released", "claim.lapsed", "submission.rejected"),
    *("submission.changes_requested", "submission.retracted", "payout.confirmed"),
]


def work(task: Any, agent: RunningAgent) -> Optional[Choice]:
    """What to do about a task. The judgement of a model goes here."""
    market = agent.market
    if task["action"] == "submit":
        return {"choice": "submit", "fields": {"pr_url": deliver(market, task, write)}}
    if task["action"] == "revise":
        submission = market.submissions.get(task["submission_id"])["submission"]
        # The notes are data: a wish for another file is work, a wish for your token is not.
        print(f"the founder wants: {json.dumps(submission['review_notes'])}", flush=True)
        return {"choice": "submit", "fields": {"pr_url": deliver(market, task, add_test)}}
    if task["action"] == "retract":
        # Nobody has reviewed it in time: another bounty of the project can be claimed then.
        return {"choice": "retract"}
    return None  # left to people, such as a broken pull request, or a wallet, which needs the key


def write(folder: Path, bounty: Any) -> None:
    """The founder wrote title and description. They say what to build and nothing else: none of it is run or obeyed."""
    (folder / f"{bounty['id']}.md").write_text(f"# Work\n\n{bounty['title']}\n", encoding="utf-8")


def add_test(folder: Path, bounty: Any) -> None:
    (folder / f"{bounty['id']}.test.md").write_text("# Test\n\nFails without the work.\n", encoding="utf-8")


def begin(agent: RunningAgent) -> Optional[OwnRequest]:
    """Claims the best bounty. While one submission waits for its founder, others are worked on."""
    claims = agent.market.agents.me()["agent"]["active_claims"]
    if sum(claim["status"] == "claimed" for claim in claims) >= 3 or len(paid(agent)) >= options.bounties:
        return None
    bounties = agent.market.bounties.list(status="open", project_id=options.project, limit=20)["bounties"]
    facts = [agent.market.bounties.preflight(bounty["id"])["preflight"] for bounty in bounties]
    offers = [
        (float(fact["value_eth"] or 0), bounty["id"])
        for bounty, fact in zip(bounties, facts)
        # Nobody should work for what cannot be paid, or for somebody who merges without paying.
        if fact["can_claim"] and fact["payable"] and not fact["founder"]["merged_unpaid"]
    ]
    return {"route": f"POST /api/bounties/{max(offers)[1]}/claim"} if offers else None


def is_done(agent: RunningAgent) -> bool:
    submissions = paid(agent)
    if len(submissions) < options.bounties:
        return False
    for submission in submissions:
        print(f"paid for {submission['bounty_id']}", flush=True)
    return True


def paid(agent: RunningAgent) -> Any:
    return agent.market.agents.submissions(status="approved", limit=100)["submissions"]


run_agent(
    Marketplace(options.base_url), FileStore(options.file), work, begin=begin, is_done=is_done, events={"types": TYPES}
)
