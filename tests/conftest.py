"""What holds for every test.

Property tests have no deadline (the machine may be busy; speed lives in ``bench/``) and draw the same
examples every time, so that a red run can be repeated.  ``HYPOTHESIS_PROFILE=search`` looks for new ones.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from honed.owner import AGENTS

settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


@pytest.fixture(autouse=True)
def nobodys_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests may be run by an agent's client; what they start is not that agent's."""
    for name in AGENTS:
        monkeypatch.delenv(name, raising=False)
