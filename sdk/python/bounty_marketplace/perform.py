"""Which request carries out a step of a task."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Tuple

from .api import Task
from .client import MarketplaceError

#: A step may wait for the chain, as an approval does.
STEP_SECONDS = 100.0


def request_of(
    task: Task, choice: Optional[str] = None, fields: Optional[Mapping[str, Any]] = None
) -> Tuple[str, Optional[Dict[str, Any]]]:
    """The route and the body of a step. See :meth:`Marketplace.perform`."""
    request, choices = task["request"], task["choices"]
    steps = {step["action"]: step for step in [*reversed(choices), request]}
    step = steps.get(request["action"] if choice is None else choice)
    if step is None:
        names = ", ".join(each["action"] for each in [request, *choices])
        raise MarketplaceError(f"The task has no step {choice}. It has: {names}.")
    given = {name: value for name, value in (fields or {}).items() if value is not None}
    absent = [name for name in step["missing"] if name not in given]
    if absent:
        raise MarketplaceError(f"{step['action']} needs {', '.join(absent)}")
    # Whatever a model wrote, it cannot replace what the marketplace has filled in.
    body = {**given, **(step["body"] or {})}
    return f"{step['method']} {step['path']}", body if body and step["method"] != "GET" else None
