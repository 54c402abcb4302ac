"""``make docs``: writes the pages that are made from the code.  A test holds them against it."""

from __future__ import annotations

from argparse import Action, ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from honed.cli.run import TABLE, command_of, parser_of

DOCS = Path(__file__).parent.parent / "docs"


def cli_page() -> str:
    """``docs/cli.md``: every command with its arguments, as the parsers have them."""
    parts = [
        "# Commands\n\nMade by `make docs` from the command line; `honed COMMAND --help` says the same.\n"
    ]
    for name, _, told in TABLE:
        command = command_of(name)
        parts.append(f"## honed {name}\n\n{command.description or told}\n")
        parts.append("\n".join(_rows(parser_of(name, command))) + "\n")
        parts.append(f"```sh\n{command.example}\n```\n")
    return "\n".join(parts)


def _rows(parser: ArgumentParser) -> Iterator[str]:
    yield "| argument | meaning |"
    yield "|---|---|"
    for action in parser._actions:
        if "--help" not in action.option_strings:
            meaning = (action.help or "").replace("|", "\\|").replace("%%", "%")
            yield f"| `{_spelled(action)}` | {meaning} |"


def _spelled(action: Action) -> str:
    """How the argument is typed."""
    choices = "|".join(str(choice) for choice in action.choices) if action.choices else ""
    value = str(action.metavar or choices or action.dest.upper()) if action.nargs != 0 else ""
    if action.nargs == "*":
        value = f"[{value} ...]"
    elif action.nargs == "?":
        value = f"[{value}]"
    return " ".join([", ".join(action.option_strings), value]).strip().replace("|", "\\|")


PAGES = {"cli.md": cli_page}


def main() -> None:
    """Write every page; says which changed."""
    for name, make in PAGES.items():
        path, text = DOCS / name, make()
        changed = not path.exists() or path.read_text(encoding="utf-8") != text
        if changed:
            path.write_text(text, encoding="utf-8")
        print(f"docs/{name}: {'written' if changed else 'unchanged'}")


if __name__ == "__main__":
    main()
