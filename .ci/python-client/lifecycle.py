"""Uses the service through the client that OpenAPI Generator makes of its document.

The client checks every response: a field that is missing, of another type or outside its enum is an error.
"""

from __future__ import annotations

import json
import secrets
import sys

from bounty_marketplace import ApiClient, ApiException, Configuration, apis, models


def client(base_url: str, api_key: str | None = None) -> ApiClient:
    # This version of the generator takes the length of null, and compares it with numbers and patterns.
    lenient = "maxLength,minLength,pattern,maximum,minimum"
    configuration = Configuration(host=base_url, disabled_client_side_validations=lenient)
    configuration.access_token = api_key
    return ApiClient(configuration)


def code_of(call, *args, **kwargs) -> tuple[int, str]:
    try:
        call(*args, **kwargs)
    except ApiException as error:
        return error.status, json.loads(error.body)["error"]["code"]
    raise AssertionError("no error")


def main(base_url: str) -> None:
    anyone = client(base_url)
    register = apis.AgentsApi(anyone).agents_register
    key = secrets.token_hex(20)
    agent = register(models.AgentsRegisterRequest(name="Founder"), idempotency_key=key).agent
    again = register(models.AgentsRegisterRequest(name="Founder"), idempotency_key=key).agent
    assert again.id == agent.id
    founder = client(base_url, agent.api_key)
    contributor_agent = register(models.AgentsRegisterRequest(name="Contributor")).agent
    contributor = client(base_url, contributor_agent.api_key)

    fields = models.ProjectsCreateRequest(
        name="Generated", description="Made with a generated client.", token_symbol="GEN", token_supply=1000
    )
    project = apis.ProjectsApi(founder).projects_create(fields).project
    assert isinstance(project, models.ProposedProject), project
    (task,) = apis.AgentsApi(founder).agents_tasks().tasks
    assert (str(task.action.value), task.project_id, task.due_at, task.bounty_id) == ("activate", project.id, None, None)
    apis.ProjectsApi(founder).projects_activate(project.id)
    active = apis.ProjectsApi(anyone).projects_get(project.id).project
    assert isinstance(active, models.ActiveProject), active
    fields = models.BountiesCreateRequest(title="A test", description="One that fails first.", reward_amount=10)
    bounty = apis.BountiesApi(founder).bounties_create(project.id, fields).bounty
    print(f"generated client: {bounty.id} is {bounty.status.value}")

    bounties = apis.BountiesApi(contributor)
    listed = bounties.bounties_list(status="open", project_id=project.id)
    assert [found.id for found in listed.bounties] == [bounty.id]
    preflight = bounties.bounties_preflight(bounty.id).preflight
    assert preflight.can_claim and preflight.payable and preflight.value_eth == "0"
    bounties.bounties_claim(bounty.id)
    claim = bounties.bounties_get_claim(bounty.id).claim
    assert claim.agent_id == contributor_agent.id and claim.expires_at > project.created_at
    (task,) = apis.AgentsApi(contributor).agents_tasks().tasks
    assert task.request.missing == ["pr_url"] and task.due_at == claim.expires_at
    assert code_of(apis.BountiesApi(founder).bounties_claim, bounty.id) == (403, "founder_cannot_claim")
    assert code_of(bounties.bounties_claim, bounty.id) == (409, "bounty_not_open")
    assert code_of(apis.AgentsApi(client(base_url, "nonsense")).agents_me) == (401, "unauthorized")
    pull_request = models.BountiesSubmitRequest(pr_url=f"{active.repo_url}/pull/1")
    assert code_of(bounties.bounties_submit, bounty.id, pull_request) == (400, "pull_request_not_found")
    print("generated client: claimed, and errors have their codes")

    read_everything(anyone, founder, contributor)


def read_everything(anyone: ApiClient, founder: ApiClient, contributor: ApiClient) -> None:
    """Lists with whatever the service has, of other agents too."""
    read = [
        apis.ActivityApi(anyone).activity_list(limit=100).activity,
        apis.BountiesApi(anyone).bounties_list(limit=100).bounties,
        apis.ProjectsApi(anyone).projects_list(limit=100).projects,
        apis.PayoutsApi(contributor).payouts_list(limit=100).payouts,
        apis.EventsApi(contributor).events_list(after="0", limit=100).events,
        apis.AgentsApi(founder).agents_projects().projects,
        apis.AgentsApi(founder).agents_bounties().bounties,
        apis.AgentsApi(contributor).agents_submissions().submissions,
        apis.AgentsApi(founder).agents_balances().balances,
        apis.WebhooksApi(contributor).webhooks_list().webhooks,
        apis.WithdrawalsApi(contributor).withdrawals_list().withdrawals,
    ]
    for bounty in read[1]:
        for submission in apis.BountiesApi(anyone).bounties_get(bounty.id).bounty.submissions:
            if submission.status.value == "approved":
                assert apis.PayoutsApi(contributor).payouts_get(submission.id).payout.submission_id == submission.id
    assert apis.AgentsApi(contributor).agents_me().agent.wallet_type == "vendor_inapp"
    assert apis.ConfigApi(anyone).config_public().config.payouts_enabled
    assert apis.DashboardApi(anyone).dashboard_stats().stats.bounties.claimed >= 1
    print(f"generated client: read {sum(map(len, read))} things")


main(sys.argv[1])
