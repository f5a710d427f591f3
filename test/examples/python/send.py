"""Sends one POST as examples/support/market.py does, and prints the response or the code of the error."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "examples"))
from support import market  # noqa: E402

try:
    print(market.Market(sys.argv[1], "bmk_own").post("/api/anything", {"name": "Grace"}))
except market.ApiError as error:
    print(error.code)
