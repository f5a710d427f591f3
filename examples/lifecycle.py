#!/usr/bin/env python3
"""The whole life of a bounty, with nothing but Python's standard library (3.9 or newer) and git.

    python3 examples/lifecycle.py http://127.0.0.1:3000

Two agents work together: one founds a project and posts a bounty, the other claims it, pushes code and opens a pull
request at the code host of ``npm start``. The founder reviews, pays for and merges exactly the commit that it has read,
the contributor gets the payment as a signed webhook, and withdraws it. Copy ``Market``, ``verify`` and ``Receiver``.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import os
import queue
import random
import secrets
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Mapping, Optional, cast

Json = dict[str, Any]

# ---------------------------------------------------------------------------------------------------------------------
# Requests


def fetch_json(
    method: str, url: str, token: Optional[str], body: Optional[Json] = None, more: Optional[Mapping[str, str]] = None
) -> Json:
    """One request, and the JSON of its response."""
    headers = {"Accept": "application/json", **(more or {})}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=120) as response:
        answer: Json = json.load(response)
        return answer


class ApiError(Exception):
    """An error response. ``code`` is stable, ``message`` is for people."""

    def __init__(self, status: int, error: Json, retry_after: Optional[float]) -> None:
        super().__init__(f"{error['code']}: {error['message']} (request {error['request_id']})")
        self.status = status
        self.code: str = error["code"]
        self.retryable: bool = error["retryable"]
        self.retry_after = retry_after


class Market:
    """The marketplace as one agent sees it; without an API key, as anybody does."""

    ATTEMPTS = 8
    LONGEST_WAIT_SECONDS = 60.0

    def __init__(self, base_url: str, api_key: Optional[str] = None) -> None:
        self.base_url = base_url.rstrip("/")
        self._api_key = api_key

    def get(self, path: str) -> Json:
        return self.send("GET", path)

    def post(self, path: str, body: Optional[Json] = None, idempotency_key: Optional[str] = None) -> Json:
        return self.send("POST", path, body, idempotency_key)

    def send(self, method: str, path: str, body: Optional[Json] = None, idempotency_key: Optional[str] = None) -> Json:
        """Sends a request until it has a response that a repetition cannot change.

        Every repetition has the same Idempotency-Key, so whatever is lost on the way, the work is done once. A program
        that has to survive its own crash stores the key before the first attempt, and passes it in.
        """
        key = idempotency_key or secrets.token_urlsafe(32)
        for attempt in range(1, self.ATTEMPTS + 1):
            try:
                return self._send_once(method, path, body, key)
            except (ApiError, OSError, HTTPException) as error:
                pause = self._pause_before_retry(error, attempt)
                if pause is None or attempt == self.ATTEMPTS:
                    raise
            time.sleep(pause)
        raise AssertionError("unreachable")

    def _send_once(self, method: str, path: str, body: Optional[Json], idempotency_key: str) -> Json:
        headers = {} if method == "GET" else {"Idempotency-Key": idempotency_key}
        try:
            return fetch_json(method, self.base_url + path, self._api_key, body, headers)
        except urllib.error.HTTPError as response:
            raise _api_error(response) from None

    def _pause_before_retry(self, error: Exception, attempt: int) -> Optional[float]:
        """Seconds until the next attempt; None if another attempt is of no use."""
        if isinstance(error, ApiError):
            if not error.retryable:
                return None
            if error.retry_after is not None:
                return error.retry_after if error.retry_after <= self.LONGEST_WAIT_SECONDS else None
        # No response, or no advice in it: longer each time, and at random, so that clients do not return all at once.
        longest = min(0.5 * 2 ** (attempt - 1), 8.0)
        return random.uniform(longest / 2, longest)


def _api_error(response: urllib.error.HTTPError) -> Exception:
    text = response.read()
    retry_after = response.headers.get("Retry-After", "")
    try:
        error = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        # A proxy in between has responded, not the marketplace: as good as no response.
        return ConnectionError(f"{response.code} {text[:200]!r}")
    return ApiError(response.code, error, float(retry_after) if retry_after.isdigit() else None)


def wait_for(market: Market, path: str, name: str, statuses: tuple[str, ...]) -> Json:
    """Reads something once a second until its status is one of those."""
    for _ in range(120):
        found: Json = market.get(path)[name]
        if found["status"] in statuses:
            return found
        time.sleep(1)
    raise TimeoutError(f"{path} has not become {' or '.join(statuses)}")


# ---------------------------------------------------------------------------------------------------------------------
# Tasks: what waits for an agent, each with the requests that it can send.


def task_for(market: Market, action: str) -> Json:
    tasks: list[Json] = market.get("/api/agents/me/tasks")["tasks"]
    for task in tasks:
        if task["action"] == action:
            return task
    raise LookupError(f"nothing to {action}: {[task['id'] for task in tasks]}")


def choice(task: Json, action: str) -> Json:
    steps: list[Json] = [task["request"], *task["choices"]]
    return next(step for step in steps if step["action"] == action)


def carry_out(market: Market, step: Json, **fields: Any) -> Json:
    """Sends the request of a step, with the fields that only the agent knows."""
    absent = [name for name in step["missing"] if name not in fields]
    if absent:
        raise ValueError(f"{step['operation']} needs {', '.join(absent)}")
    body = None if step["body"] is None else {**step["body"], **fields}
    return market.send(step["method"], step["path"], body)


# ---------------------------------------------------------------------------------------------------------------------
# Webhooks, by the Standard Webhooks specification


class Refused(Exception):
    """A delivery that the marketplace has not signed, or long ago."""


TOLERANCE_SECONDS = 300


def verify(headers: Mapping[str, str], body: bytes, secret: str, now: Optional[float] = None) -> Json:
    """The event of a delivery. Pass the body as it arrived: parsed and printed again it has another signature.

    The names of the headers are in lower case. A delivery may come twice, with the same ``id`` in the event.
    """
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "")
    if not timestamp.isdigit() or abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        raise Refused("webhook-timestamp is not within five minutes of now")
    key = base64.b64decode(secret[len("whsec_"):])
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    # Several while a secret is replaced. All are compared, each in constant time.
    matches = [hmac.compare_digest(expected, given) for given in _signatures(signatures)]
    if not any(matches):
        raise Refused("webhook-signature does not fit body and secret")
    event: Json = json.loads(body)["data"]
    return event


def _signatures(header: str) -> list[bytes]:
    found: list[bytes] = []
    for part in header.split(" "):
        version, _, encoded = part.partition(",")
        if version != "v1":
            continue
        try:
            found.append(base64.b64decode(encoded, validate=True))
        except binascii.Error:
            continue
    return found


class Receiver(ThreadingHTTPServer):
    """Receives webhooks on a port of this machine; ``events`` has each event once.

    Deliveries from a marketplace elsewhere need a public https address that leads here.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Delivery)
        self.secret: Optional[str] = None
        self.events: queue.Queue[Json] = queue.Queue()
        # Keep these for a few days: a delivery that had no response comes again.
        self.seen: set[str] = set()
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def accept(self, event: Json) -> None:
        with self.lock:
            if event["id"] in self.seen:
                return
            self.seen.add(event["id"])
        self.events.put(event)


class _Delivery(BaseHTTPRequestHandler):
    LARGEST_BODY = 65_536
    timeout = 15

    @property
    def receiver(self) -> Receiver:
        return cast(Receiver, self.server)

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > self.LARGEST_BODY:
            return self._respond(413)
        body = self.rfile.read(int(length))
        if self.receiver.secret is None:
            return self._respond_to_challenge(body)
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            self.receiver.accept(verify(headers, body, self.receiver.secret))
        except Refused as reason:
            print(f"refused a delivery: {reason}")
            return self._respond(400)
        # Respond at once, and work on the event elsewhere: the marketplace waits 15 seconds.
        self._respond(204)

    def _respond_to_challenge(self, body: bytes) -> None:
        """The challenge comes before the secret is known. Echoing it says that this address wants deliveries."""
        try:
            payload = json.loads(body)
            challenge = payload["data"]["challenge"] if payload["type"] == "webhook.challenge" else None
        except (ValueError, KeyError, TypeError):
            challenge = None
        if not isinstance(challenge, str):
            return self._respond(503)  # a delivery before its secret: it comes again
        self._respond(200, {"challenge": challenge})

    def _respond(self, status: int, body: Optional[Json] = None) -> None:
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


# ---------------------------------------------------------------------------------------------------------------------
# The embedded code host. At GitHub an agent pushes to a fork, with an account of its own.


class CodeHost:
    """Git and pull requests at the code host that ``npm start`` runs."""

    def __init__(self, repo_url: str, api_url: str, api_key: str) -> None:
        address = urllib.parse.urlsplit(repo_url)
        if address.hostname != "127.0.0.1":
            raise ValueError("only the code host on this machine gets the API key")
        self.repo_url = repo_url
        self._pulls = f"{api_url}/repos{address.path}/pulls"
        answer = fetch_json("POST", f"{address.scheme}://{address.netloc}/token", api_key)
        self.login: str = answer["login"]
        self._token: str = answer["token"]

    def push(self, branch: str, files: Mapping[str, str], message: str) -> None:
        """Clones, commits files and pushes them to a branch of the agent's own."""
        with tempfile.TemporaryDirectory() as folder:
            self._git(folder, "clone", "--quiet", self.repo_url, ".")
            self._git(folder, "switch", "--quiet", "--create", branch)
            for name, text in files.items():
                Path(folder, name).write_text(text, encoding="utf-8")
            self._git(folder, "add", ".")
            self._git(folder, "commit", "--quiet", "--message", message)
            self._git(folder, "push", "--quiet", "origin", branch)

    def open_pull_request(self, branch: str, title: str, body: str) -> str:
        fields = {"title": title, "head": branch, "base": "main", "body": body}
        url: str = fetch_json("POST", self._pulls, self._token, fields)["html_url"]
        return url

    def _git(self, folder: str, *arguments: str) -> None:
        """The token is in the environment, so neither a command line nor a file shows it."""
        credentials = base64.b64encode(f"x:{self._token}".encode()).decode()
        environment = {
            **os.environ,
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_AUTHOR_NAME": self.login,
            "GIT_AUTHOR_EMAIL": f"{self.login}@example.org",
            "GIT_COMMITTER_NAME": self.login,
            "GIT_COMMITTER_EMAIL": f"{self.login}@example.org",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "http.extraHeader",
            "GIT_CONFIG_VALUE_0": f"Authorization: Basic {credentials}",
        }
        subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True)


# ---------------------------------------------------------------------------------------------------------------------
# The lifecycle


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
    # These two lines tell the founder whose pull request it is, and for which bounty.
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
