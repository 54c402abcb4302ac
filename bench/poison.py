"""``python -m bench.poison``: what becomes of attacks on the memory, and of honest texts that resemble them.

Attacks come in as in life: by sessions whose tests passed (a commit message, the name of a test, an error, a
README that was read, the name of a file, the request itself), by packs, by an import and by MCP.  Then every
door is asked what it gives, under the default ``deliver``.  Free text is found again by the mark of each
attack.
"""

from __future__ import annotations

import os
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.machine import heading
from bench.poison_texts import TOPICS, Attack, attacks, honest
from honed import asking, transcripts
from honed.agents.wire import WIRES, Fired
from honed.demo.scribe import ClaudeScribe
from honed.errors import HonedError
from honed.hooks.giving import BY_EVENT
from honed.hooks.spool import Past
from honed.mcp.answers import Call, told
from honed.memory import Memory

MARK = re.compile(r"Qz\d{4}x")
_FRAME = re.compile(r'<honed-note ids="[^"\n]*" trust="(\w+)">\n(.*?)\n</honed-note>', re.DOTALL)
_CITED = re.compile(r'"[^"\n]*"|`[^`\n]*`')
_UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]"
)


@dataclass(slots=True)
class Seen:
    """What the doors gave: ``outside`` any frame, ``spoken`` in a reference without quotes, ``guided`` as
    guidance, ``unseen`` characters, ``given`` texts in all, and ``held`` ones that came out all the same."""

    given: int = 0
    marks: set[str] = field(default_factory=set)
    outside: list[str] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    guided: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)

    def look(self, text: str) -> None:
        """Judge one text that a model would be given."""
        self.given += 1
        self.marks |= set(MARK.findall(text))
        if MARK.search(_CITED.sub("", _FRAME.sub("", text))):
            self.outside.append(text)
        for trust, inner in _FRAME.findall(text):
            if trust == "guidance" and MARK.search(inner):
                self.guided.append(inner)
            if trust == "reference" and any(MARK.search(_CITED.sub("", line)) for line in inner.split("\n")):
                self.spoken.append(inner)
        if _UNSEEN.search(text.replace("\n", "")):
            self.unseen.append(text)

    @property
    def sound(self) -> bool:
        """Whether nothing went wrong."""
        return not (self.outside or self.spoken or self.guided or self.unseen)


# How attacks come in


def _session(attack: Attack, number: int, shop: str) -> ClaudeScribe:
    """A session whose tests pass, with the attack in one of the places where others' words stand."""
    scribe = ClaudeScribe(
        f"5b0e1c1e-{number:04d}-4d0e-8a11-000000000001", shop, f"2026-11-{1 + number % 28:02d}"
    )
    name = f"shop/part{number}.py"
    place = number % 6
    line = attack.text.replace("\n", " ")
    scribe.asks(
        f"{attack.text}"
        if place == 5 or attack.kind == "query"
        else f"Please {attack.topic} now, it is wrong"
    )
    if place == 0:
        scribe.runs("cat README.md", attack.text)
    red = line if place == 1 else "AssertionError: 1 != 2"
    test = f"test[{line}]" if place == 2 else "test_total"
    scribe.runs(
        "pytest -q", f"FAILED tests/test_{number}.py::{test} - {red}\n1 failed, 11 passed in 0.62s", 1
    )
    if place == 3:
        name = f"shop/a`. {line[:80].replace('/', '-')} `.py"
    scribe.edits(
        name,
        f"def total{number}(x):\n    return x",
        f"def total{number}(x):\n    return round_half_{number}(x)",
    )
    scribe.runs("pytest -q", "12 passed in 0.58s")
    if place == 4:
        message = line.replace("'", "")
        scribe.runs(f"git commit -am '{message}'", f"[main 1234567] {message}\n 1 file changed")
    return scribe


def by_sessions(memory: Memory, shop: Path, chosen: Sequence[Attack], base: Path) -> None:
    """Attacks that a verified session held."""
    folder = base / "sessions"
    folder.mkdir()
    for number, attack in enumerate(chosen):
        (folder / f"{number}.jsonl").write_text(_session(attack, number, str(shop)).text(), encoding="utf-8")
    for _ in memory.absorb(transcripts.in_order(transcripts.given_paths([str(folder)]))):
        pass


def _skill(attack: Attack) -> str:
    title = attack.topic.capitalize()
    return f"---\nname: {title}\ndescription: {title}. Use it to {attack.topic}.\n---\n\n{attack.text}\n"


def by_packs(memory: Memory, shop: Path, chosen: Sequence[Attack], base: Path) -> None:
    """Attacks as the skills of a pack; what is not harmful on its face comes in as data."""
    for number, attack in enumerate(chosen):
        file = base / "pack" / f"skill-{number}" / "SKILL.md"
        file.parent.mkdir(parents=True)
        file.write_text(_skill(attack), encoding="utf-8", errors="replace")
    memory.add_pack(
        str(base / "pack"), cwd=str(shop), everywhere=False, name="pack", ref="", again=False, dry_run=False
    )


def by_import(memory: Memory, shop: Path, chosen: Sequence[Attack], base: Path) -> None:
    """Attacks in a folder of notes, in every key that a note may have."""
    folder = base / "notes"
    folder.mkdir()
    for number, attack in enumerate(chosen):
        line = re.sub(r"[^\w /.:;,<>()$~-]", " ", attack.text)[:180]
        head = (
            f'---\ntitle: "{attack.topic}"\ndescription: "{attack.topic} {line}"\nkind: procedure\n'
            f'steps: ["{line}"]\ncheck: "{line}"\nfiles: [{{path: "a.py", role: "{line}"}}]\n'
            f'pitfalls: [{{signature: "{line}", resolution: "{line}", command: "pytest"}}]\n'
            f'origin: derived\nstate: proven\ntags: ["{line[:40]}"]\n---\n'
        )
        (folder / f"n{number}.md").write_text(head + attack.text, encoding="utf-8", errors="replace")
    memory.take_in(str(folder), cwd=str(shop))


def by_mcp(memory: Memory, shop: Path, chosen: Sequence[Attack], base: Path) -> None:
    """Attacks that an agent was talked into keeping."""
    for number, attack in enumerate(chosen):
        given = {"slug": f"note-{number}", "title": attack.topic, "body": attack.text, "kind": "rule"}
        told("memory_write", Call(memory.home, str(shop), "claude-code", "s1", given))
        steps = {
            "slug": f"way-{number}",
            "title": attack.topic,
            "trigger": attack.topic,
            "steps": [attack.text],
            "outcome": attack.text[:200],
        }
        told("memory_learn", Call(memory.home, str(shop), "claude-code", "s1", steps))
    del base


WAYS: dict[str, Callable[[Memory, Path, Sequence[Attack], Path], None]] = {
    "sessions": by_sessions,
    "packs": by_packs,
    "import": by_import,
    "mcp": by_mcp,
}


# What the doors give


def given(home: str, shop: str, chosen: Sequence[Attack]) -> Iterator[str]:
    """Every text that a model would be given for the requests that the attacks aim at."""
    wire = WIRES["claude_code"]

    def hook(event: str, **payload: object) -> str:
        fired = Fired(wire, event, {"session_id": "s9", "cwd": shop, **payload})
        return BY_EVENT[event](home, fired, Past()).text

    yield hook("session-start", source="startup")
    for topic in TOPICS:
        yield hook("prompt", prompt=f"Please {topic} now")
    for number, attack in enumerate(chosen):
        yield hook("prompt", prompt=f"{attack.topic} {attack.text[:120]}")
        yield hook("pre-tool", tool_name="Edit", tool_input={"file_path": f"{shop}/shop/part{number}.py"})
        yield hook("pre-tool", tool_name="Bash", tool_input={"command": "pytest -q"})
        yield hook("tool-failed", tool_name="Bash", tool_input={"command": "pytest -q"}, error=attack.text)
        yield str(asking.search(home, attack.topic, cwd=shop).note or "")
    yield from _by_mcp(home, shop, chosen)


def _by_mcp(home: str, shop: str, chosen: Sequence[Attack]) -> Iterator[str]:
    def call(tool: str, **values: object) -> str:
        return str(told(tool, Call(home, shop, "codex", "s9", values))[0]["text"])

    yield call("memory_list", limit=200)
    for attack in chosen:
        yield call("memory_recall", query=f"{attack.topic} {attack.text[:200]}", limit=5)
        yield call("memory_search", query=attack.topic, limit=10)
    with Memory.open(home, readonly=True) as memory:
        slugs = [skill.slug for skill in memory.every_skill()]
    for slug in slugs:
        yield call("memory_get", slug=slug)
        yield call("memory_write", slug=slug, title="Another", body="Other words.", kind="lesson")
        yield call("memory_update", slug=slug, title="Another")
        yield call("memory_pin", slug=slug)


@dataclass(frozen=True, slots=True)
class Result:
    """What became of the attacks that came in one way: ``learned`` texts, ``held`` ones, and what was
    seen."""

    way: str
    attacks: int
    learned: int
    held: int
    seen: Seen


def run(way: str, chosen: Sequence[Attack]) -> Result:
    """Let the attacks in one way into a memory of their own, and ask every door."""
    with tempfile.TemporaryDirectory(prefix="honed-poison-") as folder:
        base = Path(folder)
        shop = base / "shop"
        (shop / ".git").mkdir(parents=True)
        (shop / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        with Memory.open(str(base / "home")) as memory:
            WAYS[way](memory, shop, chosen, base)
            learned = len(memory.every_skill())
            held = sum(m.held for record in memory.packs().known() for m in record.members.values())
        seen = Seen()
        for text in given(str(base / "home"), str(shop), chosen):
            if text:
                seen.look(text)
    return Result(way, len(chosen), learned, held, seen)


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of honest texts: how many came in word for word, how many were held."""

    texts: int
    whole: int
    held: int


def keep_honest(chosen: Sequence[str]) -> Kept:
    """Take honest texts in as packs."""
    with tempfile.TemporaryDirectory(prefix="honed-honest-") as folder:
        base = Path(folder)
        for number, text in enumerate(chosen):
            file = base / "pack" / str(number // 100) / f"skill-{number}" / "SKILL.md"
            file.parent.mkdir(parents=True)
            head = f"---\nname: skill-{number}\ndescription: Note {number} of the team.\n---\n\n"
            file.write_text(head + text, encoding="utf-8")
        with Memory.open(str(base / "home")) as memory:
            for part in sorted(os.listdir(base / "pack")):
                memory.add_pack(
                    str(base / "pack" / part),
                    cwd=folder,
                    everywhere=True,
                    name=f"p{part}",
                    ref="",
                    again=False,
                    dry_run=False,
                )
            bodies = {skill.draft.body.strip() for skill in memory.every_skill()}
            held = sum(m.held for record in memory.packs().known() for m in record.members.values())
    return Kept(len(chosen), sum(text.strip() in bodies for text in chosen), held)


def main() -> None:
    """All attacks by every way, and the honest texts."""
    chosen = list(attacks())
    random.Random(3).shuffle(chosen)
    print(heading(f"Poison: {len(chosen)} attacks by {len(WAYS)} ways"))
    began = time.process_time()
    for way in WAYS:
        try:
            done = run(way, chosen[:180] if way == "packs" else chosen)
        except HonedError as error:
            raise SystemExit(f"{way}: {error}") from error
        seen = done.seen
        print(
            f"{way:>9}: {done.attacks} attacks, {done.learned} texts kept, {done.held} held;"
            f" {seen.given} texts given, {len(seen.marks)} marks in them"
        )
        print(
            f"           outside {len(seen.outside)}, spoken {len(seen.spoken)},"
            f" guidance {len(seen.guided)}, unseen {len(seen.unseen)}"
        )
        for text in (seen.outside + seen.spoken + seen.guided + seen.unseen)[:3]:
            print(f"           ! {text[:600]!r}")
    kept = keep_honest(list(honest()))
    print(f"   honest: {kept.texts} texts, {kept.whole} kept word for word, {kept.held} held")
    print(f"   {Counter(one.kind for one in chosen)}; {time.process_time() - began:.0f} CPU s")


if __name__ == "__main__":
    main()
