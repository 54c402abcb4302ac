"""Sending JSON to an address that the owner named, and to no other one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.request import HTTPRedirectHandler, Request, build_opener


class _Stays(HTTPRedirectHandler):
    """Another host must be handed neither the key nor the texts."""

    def redirect_request(self, *_: object) -> None:
        return None


def post(url: str, body: Mapping[str, object], *, key: str, seconds: float, limit: int) -> bytes:
    """The first ``limit`` bytes of what ``url`` answers to ``body``, within ``seconds``.

    ``key`` goes along as a bearer token, where there is one.  A redirect is an error like any other.  Raises
    ``OSError``.
    """
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
    request = Request(url, json.dumps(body).encode("ascii"), headers, method="POST")
    with build_opener(_Stays).open(request, timeout=seconds) as answer:
        data: bytes = answer.read(limit)
    return data
