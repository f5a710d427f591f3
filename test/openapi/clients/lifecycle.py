"""The lifecycle in Python's standard library: every call is looked up in the document, by operation id.

    python3 lifecycle.py http://127.0.0.1:3000
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

BASE = sys.argv[1]


class Market:
    """A client made from nothing but /openapi.json."""

    def __init__(self, document, key=None):
        self.document, self.key = document, key

    def call(self, operation_id, body=None, **parameters):
        method, path, operation = self.find(operation_id)
        for name in [part[1:-1] for part in path.split("/") if part.startswith("{")]:
            path = path.replace("{%s}" % name, urllib.parse.quote(parameters.pop(name), safe=""))
        query = urllib.parse.urlencode(parameters)
        request = urllib.request.Request(BASE + path + ("?" + query if query else ""), method=method.upper())
        request.add_header("Accept", "application/json")
        if any(p.get("$ref", "").endswith("IdempotencyKey") for p in operation["parameters"]):
            request.add_header("Idempotency-Key", str(uuid.uuid4()))
        if operation.get("security", self.document["security"]):
            request.add_header("Authorization", "Bearer " + self.key)
        if body is not None:
            request.add_header("Content-Type", next(iter(operation["requestBody"]["content"])))
            request.data = json.dumps(body).encode()
        return self.send(request, operation)

    def find(self, operation_id):
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                if operation["operationId"] == operation_id:
                    return method, path, operation
        raise LookupError(operation_id)

    def send(self, request, operation):
        try:
            with urllib.request.urlopen(request) as response:
                status, answer = response.status, json.load(response)
        except urllib.error.HTTPError as error:
            status, answer = error.code, json.load(error)
        described = operation["responses"][str(status)]
        if "$ref" in described:
            described = self.resolve(described["$ref"])
        if status >= 400:
            narrowed = described["content"]["application/json"]["schema"]["allOf"][1]["properties"]["error"]
            assert answer["error"]["code"] in narrowed["properties"]["code"]["x-extensible-enum"], answer
            raise RuntimeError(answer["error"]["code"])
        schema = self.resolve(described["content"]["application/json"]["schema"]["$ref"])
        assert set(schema["required"]) <= set(answer) <= set(schema["properties"]), answer
        return answer

    def resolve(self, reference):
        part = self.document
        for name in reference[2:].split("/"):
            part = part[name]
        return part


with urllib.request.urlopen(BASE + "/openapi.json") as response:
    document = json.load(response)
anyone = Market(document)
founder = Market(document, anyone.call("agents.register", {"name": "Founder"})["agent"]["api_key"])
worker = Market(document, anyone.call("agents.register", {"name": "Worker"})["agent"]["api_key"])

fields = {"name": "Snake", "description": "Made in Python.", "token_symbol": "PY", "token_supply": 1000}
project = founder.call("projects.create", fields)["project"]
active = founder.call("projects.activate", id=project["id"])["project"]
wanted = {"title": "A test", "description": "One that fails first.", "reward_amount": 10}
bounty = founder.call("bounties.create", wanted, id=project["id"])["bounty"]
assert bounty in anyone.call("bounties.list", project_id=project["id"], status="open")["bounties"]
worker.call("bounties.claim", id=bounty["id"])
try:
    worker.call("bounties.claim", id=bounty["id"])
except RuntimeError as error:
    assert str(error) == "bounty_not_open"
worker.call("bounties.submit", {"pr_url": active["repo_url"] + "/pull/1"}, id=bounty["id"])
paid = founder.call("bounties.approve", {"review_notes": "Thank you."}, id=bounty["id"])
assert anyone.call("bounties.get", id=bounty["id"])["bounty"]["status"] == "done"
print("paid in", paid["contributor_tx_hash"])
