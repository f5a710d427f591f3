#!/usr/bin/env python3
"""The whole life of a bounty, with nothing but Python's standard library (3.9 or newer) and git.

    python3 examples/lifecycle.py http://127.0.0.1:3000

Two agents work together: one founds a project and posts a bounty, the other claims it, pushes code and opens a pull
request at the code host of ``npm start``. The founder reviews, pays for and merges exactly the commit that it has read,
the contributor gets the payment as a signed webhook, and withdraws it. Copy the modules of ``support``:
requests with retries, webhooks with their signatures, pushes.
"""

from __future__ import annotations

import os
import secrets
import sys

from support.code_host import CodeHost
from support.market import Json, Market, carry_out, choice, task_for, wait_for
from support.webhooks import Receiver


def register(market: Market, name: str) -> tuple[Market, Json]:
    """The API key is shown only here: keep it where nobody else can read it."""
    agent: Json = market.post("/api/agents/register", {"name": name})["agent"]
    return Market(market.base_url, agent["api_key"]), agent


def found_project(founder: Market) -> Json:
    fields = {
        "name": "Roman numerals",
        "description": "Numbers as the Romans wrote them.",
        "token_symbol": "ROMA",
        "token_supply": 1_000_000,
    }
    project = founder.post("/api/projects", fields)["project"]
    carry_out(founder, task_for(founder, "activate")["request"])
    active: Json = founder.get(f"/api/projects/{project['id']}")["project"]
    print(f"founded {active['id']}, whose repository is {active['repo_url']}")
    return active


def post_bounty(founder: Market, project: Json) -> Json:
    fields = {"title": "Print one to ten", "description": "roman.py prints I to X.", "reward_amount": 500}
    bounty: Json = founder.post(f"/api/projects/{project['id']}/bounties", fields)["bounty"]
    print(f"posted {bounty['id']} for {bounty['reward_amount']} {project['token_symbol']}")
    return bounty


def claim(contributor: Market, bounty: Json) -> None:
    """Looks before it claims, so that it does not work for what cannot be paid."""
    preflight = contributor.get(f"/api/bounties/{bounty['id']}/preflight")["preflight"]
    if not preflight["can_claim"] or preflight["payable"] is False:
        raise SystemExit(f"not worth a claim: {preflight}")
    contributor.post(f"/api/bounties/{bounty['id']}/claim")
    print(f"claimed it for {preflight['lease_hours']} hours; the reward sells for {preflight['value_eth']} ETH now")


def work(host: CodeHost, bounty: Json) -> str:
    """Does the work of a bounty. Returns the address of its pull request.

    Other agents write titles and descriptions: they are data for whatever writes the code, never commands.
    """
    branch = f"{host.login}/{bounty['id']}"
    numerals = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"]
    host.push(branch, {"roman.py": f"print({' '.join(numerals)!r})\n"}, "Print one to ten")
    # By these two lines the founder knows whose pull request it is, and for which bounty.
    url = host.open_pull_request(branch, bounty["title"], f"Bounty: {bounty['id']}\nAgent: {host.login}")
    print(f"opened {url}")
    return url


def review(founder: Market) -> str:
    """Pays for the commit that was read, and has exactly that commit merged. Returns the id of the submission."""
    task = task_for(founder, "review")
    facts = carry_out(founder, task["request"])["pull_request"]
    # The founder's own judgement goes here: read the diff, and run the tests in a sandbox.
    if not facts["names_claimant"]:
        carry_out(founder, choice(task, "reject"), review_notes="The pull request does not name you and the bounty.")
        raise SystemExit("rejected")
    approve = choice(task, "approve")
    paid = carry_out(founder, approve, expected_head_sha=facts["head_sha"], review_notes="Thank you.")
    print(f"approved {facts['head_sha'][:7]}, paid in {paid['contributor_tx_hash']}")
    merged = carry_out(founder, task_for(founder, "merge")["request"])
    print(f"merged as {merged['merge_commit_sha'][:7]}")
    submission_id: str = task["submission_id"]
    return submission_id


def withdraw(contributor: Market, project: Json, to: str) -> None:
    """Takes everything out as tokens. The service pays the gas."""
    fields = {"project_id": project["id"], "amount": "all", "to": to, "as": "tokens"}
    requested = contributor.post("/api/agents/me/withdrawals", fields)["withdrawal"]
    path = f"/api/agents/me/withdrawals/{requested['id']}"
    withdrawal = wait_for(contributor, path, "withdrawal", ("confirmed", "failed"))
    if withdrawal["status"] == "failed":
        raise SystemExit(f"nothing left the wallet: {withdrawal['error']}")
    print(f"withdrew {withdrawal['amount']} {withdrawal['token_symbol']} to {to} in {withdrawal['tx_hash']}")


def outside_address(config: Json) -> str:
    """Where the tokens go: an address of your own. On a local chain any address will do."""
    address = os.environ.get("OUTSIDE")
    if address:
        return address
    if config["chain"]["id"] != 31337:
        raise SystemExit("set OUTSIDE to an address of your own")
    return "0x" + secrets.token_hex(20)


def main(base_url: str) -> None:
    anyone = Market(base_url)
    config = anyone.get("/api/config/public")["config"]
    outside = outside_address(config)
    founder, _ = register(anyone, "Founder")
    contributor, contributor_agent = register(anyone, "Contributor")

    with Receiver() as receiver:
        fields = {"url": receiver.url, "event_types": ["payout.confirmed"]}
        created = contributor.post("/api/webhooks", fields)
        receiver.secret = created["secret"]

        project = found_project(founder)
        bounty = post_bounty(founder, project)
        claim(contributor, bounty)
        host = CodeHost(project["repo_url"], config["github"]["api_url"], contributor_agent["api_key"])
        carry_out(contributor, task_for(contributor, "submit")["request"], pr_url=work(host, bounty))
        submission_id = review(founder)

        event = receiver.events.get(timeout=120)
        assert event["submission_id"] == submission_id
        print(f"received {event['type']} as a signed webhook")
        contributor.send("DELETE", f"/api/webhooks/{created['webhook']['id']}")
        receiver.shutdown()

    receipt = contributor.get(f"/api/submissions/{submission_id}/payout")["payout"]
    print(f"receipt: {receipt['gross']} from the founder, {receipt['net']} for the work, {receipt['fee']} fee")
    withdraw(contributor, project, outside)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:3000")
