"""Delivers work by git: a commit, a push and a pull request."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional
from urllib.parse import quote, urlsplit

from .api import Bounty, Task
from .client import Client, ConnectionFailed, MarketplaceError, without_redirects
from .market import Marketplace

REST_SECONDS = 60.0


def deliver(
    market: Marketplace,
    task: Task,
    work: Callable[[Path, Bounty], Any],
    *,
    message: Optional[str] = None,
    github_token: Optional[str] = None,
) -> str:
    """Delivers work on a bounty by git, and returns the address of its pull request.

    Clones the repository, or the branch that this agent has pushed, lets ``work`` change the files, commits, pushes, and opens the
    pull request with the name by which the founder knows whose it is. A task is committed once: if this is called again after a
    crash, it does only what is left. It runs nothing of the clone, and sends the marketplace's credential to no other machine.

    >>> pr_url = deliver(market, task, lambda folder, bounty: (folder / "work.md").write_text(bounty["title"]))
    >>> market.perform(task, {"pr_url": pr_url}, choice="submit")

    :param market: a client with a ``work`` token
    :param task: ``submit`` or ``revise``
    :param work: changes, adds and removes files in the folder of a clone. No file in it is a link. Others wrote what is there: run
        none of it but in a sandbox
    :param message: of the commit; default: the title of the bounty
    :param github_token: at GitHub: of your account, which may fork public repositories and push to its forks. The embedded code host
        needs none
    :raises MarketplaceError: if there is no code host, or it or git refuses
    """
    if task["bounty_id"] is None:
        raise MarketplaceError(f"{task['id']} is about no bounty")
    agent = market.agents.me()["agent"]
    bounty = market.bounties.get(task["bounty_id"])["bounty"]
    project = market.projects.get(bounty["project_id"])["project"]
    if project["status"] != "active":
        raise MarketplaceError(f"{project['id']} has no repository")
    account = _log_in(market, github_token)
    claimed = next((held["claimed_at"] for held in agent["active_claims"] if held["bounty_id"] == bounty["id"]), "")
    place = _Place(
        repo_url=project["repo_url"],
        push_url=account.push_url(project["repo_url"]),
        branch=f"{agent['id']}/{bounty['id']}",
        answers=f"Answers: {task['id']} {task['submission_id'] or claimed}".strip(),
    )
    prefix = f"work-{agent['id']}-{bounty['id']}-"
    # What a call that was killed has left.
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        _clone(account, folder, place)
        if place.answers not in account.git(folder, "log", "--format=%B", "origin/HEAD..HEAD").split("\n"):
            work(folder, bounty)
            _commit(account, folder, message or bounty["title"], place.answers)
            account.git(folder, "push", "--quiet", "--", place.push_url, f"HEAD:refs/heads/{place.branch}")
        base = account.git(folder, "rev-parse", "--abbrev-ref", "origin/HEAD").replace("origin/", "")
        return _pull_request(account, place, base, bounty["title"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Place(NamedTuple):
    repo_url: str
    push_url: str
    #: By this name everybody knows whose work it is, and for which bounty.
    branch: str
    #: A line of the commit. By it a crash between push and submission does not make a second one. A task has the same id in the
    #: next round of reviews, and after the next claim.
    answers: str


def _clone(account: _Account, folder: Path, place: _Place) -> None:
    ref = f"refs/heads/{place.branch}"
    account.git(folder, "clone", "--quiet", "--", place.repo_url, ".")
    is_there = account.git(folder, "ls-remote", "--heads", "--", place.push_url, ref) != ""
    if is_there:
        account.git(folder, "fetch", "--quiet", "--", place.push_url, ref)
    account.git(folder, "switch", "--quiet", "--create", place.branch, *(["FETCH_HEAD"] if is_there else []))


def _commit(account: _Account, folder: Path, message: str, answers: str) -> None:
    # ':120000 120000 <id> <id> M', then the path. Git would commit the new text as the target of a link.
    changed = account.git(folder, "diff", "--raw", "-z", "--no-renames").split("\0")
    links = [path for kind, path in zip(changed[::2], changed[1::2]) if kind.startswith(":120000")]
    if links:
        account.git(folder, "rm", "--cached", "--quiet", "--", *links)
    account.git(folder, "add", "--all")
    account.git(folder, "commit", "--quiet", "--message", message, "--message", answers)


def _pull_request(account: _Account, place: _Place, base: str, title: str) -> str:
    """The address of the open pull request, which it opens if there is none."""
    pulls = f"/repos{urlsplit(place.repo_url).path}/pulls"
    head = f"{urlsplit(place.push_url).path.split('/')[1]}:{place.branch}"
    found = account.rest("GET", f"{pulls}?state=open&head={quote(head, safe='')}")
    pull = found[0] if found else account.rest("POST", pulls, {"title": title, "head": head, "base": base})
    return str(pull["html_url"])


def _log_in(market: Marketplace, github_token: Optional[str]) -> _Account:
    github = market.config.public()["config"]["github"]
    if github is None:
        raise MarketplaceError("The marketplace has no code host")
    url, api_url, token_url = github["url"], github["api_url"], github["token_url"]
    if token_url is None:
        if not github_token:
            raise MarketplaceError(f"github_token must be a token of your account at {url}")
        account = _Account(url, api_url, github_token)
        account.login, account.needs_fork = account.rest("GET", "/user")["login"], True
        return account
    address = urlsplit(token_url)
    # The address is another one than the marketplace's. Nobody else can listen on it.
    if address.hostname != "127.0.0.1":
        raise MarketplaceError(f"The code host at {url} is not on this machine")
    host = Client(f"{address.scheme}://{address.netloc}", market._client.api_key)
    given = host.request("POST", address.path, expects="token")
    account = _Account(url, api_url, given["token"])
    account.login = given["login"]
    return account


class _Account:
    """At the code host. The token is neither in arguments nor in files, and goes to this host alone."""

    login = ""
    needs_fork = False

    def __init__(self, host_url: str, api_url: str, token: str) -> None:
        self._host = urlsplit(host_url)
        self._api_url = api_url
        self._token = token

    def git(self, folder: Path, *args: str) -> str:
        """Runs git without the configuration, hooks and helpers of this machine, submodules or links. Returns what it prints."""
        environment = self._environment()
        run = subprocess.run(["git", *args], cwd=folder, env=environment, capture_output=True, encoding="utf-8")
        if run.returncode != 0:
            raise MarketplaceError(f"git {args[0]} failed: {run.stderr.strip()}")
        return run.stdout.strip()

    def rest(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None) -> Any:
        """Sends a request to the REST interface, which is GitHub's. ``path`` begins with ``/repos/``."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._api_url + path, data, headers, method=method)
        try:
            with without_redirects.open(request, timeout=REST_SECONDS) as response:
                return json.load(response)
        except urllib.error.HTTPError as response:
            with response:
                text = response.read().decode(errors="replace")
            raise MarketplaceError(f"{method} {path}: {response.code} {text}") from None
        except (OSError, HTTPException, ValueError) as error:
            raise ConnectionFailed(f"{method} {path}: {error}") from error

    def push_url(self, repo_url: str) -> str:
        """Where to push branches of a repository: to itself, or at GitHub to the fork of this account, which it makes."""
        if not self.needs_fork:
            return repo_url
        # GitHub returns the fork that is there, or begins to make one: a push before it is ready fails, and is tried again.
        fork = self.rest("POST", f"/repos{urlsplit(repo_url).path}/forks")
        return re.sub(r"\.git$", "", fork["clone_url"])

    def _environment(self) -> Dict[str, str]:
        credentials = base64.b64encode(f"x-access-token:{self._token}".encode()).decode()
        settings = {
            f"http.{self._host.scheme}://{self._host.netloc}/.extraHeader": f"Authorization: Basic {credentials}",
            # A redirect would take the token along.
            "http.followRedirects": "false",
            # A connection that stands still for a minute is given up.
            "http.lowSpeedLimit": "1",
            "http.lowSpeedTime": "60",
            # Others write the repository. A link in it would lead what is written here to any file of this machine.
            "core.symlinks": "false",
            "core.hooksPath": os.devnull,
            "core.fsmonitor": "false",
            "submodule.recurse": "false",
            # Nothing goes on in a folder that is about to be removed.
            "gc.auto": "0",
        }
        own = {name: value for name, value in os.environ.items() if not re.match("GIT_|BOUNTY_MARKETPLACE_", name)}
        for who in ("AUTHOR", "COMMITTER"):
            own.update({f"GIT_{who}_NAME": self.login, f"GIT_{who}_EMAIL": f"{self.login}@example.org"})
        for at, (name, value) in enumerate(settings.items()):
            own.update({f"GIT_CONFIG_KEY_{at}": name, f"GIT_CONFIG_VALUE_{at}": value})
        return {
            **own,
            "GIT_CONFIG_COUNT": str(len(settings)),
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_ALLOW_PROTOCOL": "http:https:file",
            "GIT_LITERAL_PATHSPECS": "1",
        }
