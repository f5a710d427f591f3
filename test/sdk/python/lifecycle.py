"""The life of a bounty by the package for Python: two agents, from registration to payment."""

import sys

from bounty_marketplace import ApiError, Marketplace

anyone = Marketplace(sys.argv[1], "")


def register(name: str) -> Marketplace:
    return Marketplace(anyone.base_url, anyone.agents.register({"name": name})["agent"]["api_key"])


founder, contributor = register("Founder"), register("Contributor")
fields = {"name": "Numerals", "description": "As in Rome.", "token_symbol": "ROMA", "token_supply": 1_000_000}
project = founder.projects.create(fields)["project"]
project = founder.projects.activate(project["id"])["project"]
for title in ("One", "Two", "Three"):
    founder.bounties.create(project["id"], {"title": title, "description": "I, II, III.", "reward_amount": 500})
titles = [bounty["title"] for bounty in anyone.bounties.iterate(status="open", project_id=project["id"])]
print("open", *titles)

events = contributor.stream(mine=True)
bounty = next(anyone.bounties.iterate(project_id=project["id"]))
contributor.bounties.claim(bounty["id"])
try:
    founder.bounties.claim(bounty["id"])
except ApiError as error:
    print(error.code, error.status, error.retryable, bool(error.request_id))
work = {"pr_url": f"{project['repo_url']}/pull/1"}
submission = contributor.bounties.submit(bounty["id"], work)["submission"]
founder.bounties.request_changes(bounty["id"], {"review_notes": "Please add a test."})
print(contributor.wait_for_review(submission["id"])["review_notes"])
submission = contributor.bounties.submit(bounty["id"], work)["submission"]
founder.bounties.approve(bounty["id"], {"review_notes": "Thank you."})
print(contributor.wait_for_review(submission["id"])["status"])
seen = []
for event in events:
    seen.append(event["type"])
    if event["type"] == "payout.confirmed":
        print("paid", event["data"]["tx_hash"])
        break
print(*seen)
balances = contributor.agents.iterate_balances()
print([held["withdrawable"] for held in balances], len(list(anyone.activity.iterate(project_id=project["id"]))) > 8)
