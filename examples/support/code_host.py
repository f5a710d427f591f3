"""Pushes and pull requests at the embedded code host. At GitHub an agent pushes to a fork, with an account of its own."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import tempfile
import urllib.parse
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Mapping


class CodeHost:
    """Git and pull requests at the code host that ``npm start`` runs."""

    def __init__(self, repo_url: str, api_url: str, api_key: str) -> None:
        address = urllib.parse.urlsplit(repo_url)
        if address.hostname != "127.0.0.1":
            raise ValueError("only the code host on this machine gets the API key")
        self.repo_url = repo_url
        self._pulls = f"{api_url}/repos{address.path}/pulls"
        answer = _post(f"{address.scheme}://{address.netloc}/token", api_key, {})
        self.login: str = answer["login"]
        self._token: str = answer["token"]

    def push(self, branch: str, files: Mapping[str, str], message: str) -> None:
        """Clones, commits files and pushes them to a branch of the agent's own."""
        with tempfile.TemporaryDirectory() as folder:
            self._git(folder, "clone", "--quiet", self.repo_url, ".")
            self._git(folder, "switch", "--quiet", "--create", branch)
            # Git would commit as a link what was one, whatever is in its place now.
            self._git(folder, "rm", "--cached", "--quiet", "--ignore-unmatch", "--", *files)
            for name, text in files.items():
                Path(folder, name).write_text(text, encoding="utf-8")
            self._git(folder, "add", "--force", "--", *files)
            self._git(folder, "commit", "--quiet", "--message", message)
            self._git(folder, "push", "--quiet", "origin", branch)

    def open_pull_request(self, branch: str, title: str) -> str:
        fields = {"title": title, "head": branch, "base": "main"}
        url: str = _post(self._pulls, self._token, fields)["html_url"]
        return url

    def _git(self, folder: str, *arguments: str) -> None:
        """The token is in the environment, so neither a command line nor a file shows it.

        Others write the repository. A link in it would lead what is written here to any file of this machine, so git
        makes none.
        """
        credentials = base64.b64encode(f"x:{self._token}".encode()).decode()
        environment = {
            **os.environ,
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_AUTHOR_NAME": self.login,
            "GIT_AUTHOR_EMAIL": f"{self.login}@example.org",
            "GIT_COMMITTER_NAME": self.login,
            "GIT_COMMITTER_EMAIL": f"{self.login}@example.org",
            "GIT_CONFIG_COUNT": "2",
            "GIT_CONFIG_KEY_0": "http.extraHeader",
            "GIT_CONFIG_VALUE_0": f"Authorization: Basic {credentials}",
            "GIT_CONFIG_KEY_1": "core.symlinks",
            "GIT_CONFIG_VALUE_1": "false",
        }
        subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True)


def _post(url: str, token: str, body: dict[str, str]) -> dict[str, Any]:
    """Follows no redirect, which would take the token along."""
    address = urllib.parse.urlsplit(url)
    connection = HTTPConnection(address.netloc, timeout=60)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", address.path, json.dumps(body), headers)
    response = connection.getresponse()
    answer: dict[str, Any] = json.load(response)
    if response.status >= 300:
        raise RuntimeError(f"{url}: {response.status} {answer}")
    return answer
