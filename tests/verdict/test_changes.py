"""What shell commands write, where, and whether they only take something back."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.verdict import shell
from honed.verdict.changes import Write, shell_writes
from honed.verdict.script_writes import written_files


def written(command: str, cwd: str | None = None) -> list[tuple[str | None, str]]:
    """Path and manner of each write."""
    return [(write.path, write.how) for write in shell_writes(command, cwd=cwd)]


def one(command: str) -> Write:
    (write,) = shell_writes(command, cwd=None)
    return write


NAMED = [
    # Redirections and here-documents
    ("echo x > a.txt", [("a.txt", "redirect")]),
    ("echo x >> a.txt", [("a.txt", "redirect")]),
    ("go test >| out 2>err.log", [("out", "redirect"), ("err.log", "redirect")]),
    ("make &> build.log", [("build.log", "redirect")]),
    ("> empty", [("empty", "redirect")]),
    ("{ a; b; } > both.txt", [("both.txt", "redirect")]),
    ("for i in 1 2; do echo $i; done > n.txt", [("n.txt", "redirect")]),
    ("cat > a.go <<'EOF'\npackage a\nEOF\n", [("a.go", "heredoc")]),
    ("cat <<EOF > a.go\npackage a\nEOF\n", [("a.go", "heredoc")]),
    ("tee a.txt b.txt <<EOF\nx\nEOF", [("a.txt", "heredoc"), ("b.txt", "heredoc")]),
    ("make | tee build.log", [("build.log", "redirect")]),
    ("make | tee -a build.log | tail", [("build.log", "redirect")]),
    ("echo x | sudo tee /etc/x >/dev/null", [("/etc/x", "redirect")]),
    # In place
    ("sed -i 's/a/b/' x.go y.go", [("x.go", "in_place"), ("y.go", "in_place")]),
    ("sed -i.bak -e s/a/b/ -e s/c/d/ x.go", [("x.go", "in_place")]),
    ("sed -i '' 's/a/b/' x.go", [("x.go", "in_place")]),
    ("sed -i '' -e s/a/b/ x.go", [("x.go", "in_place")]),
    ("sed -Ei 's/(a)/b/' x.go", [("x.go", "in_place")]),
    ("sed --in-place=.orig s/a/b/ x.go", [("x.go", "in_place")]),
    ("gsed -i s/a/b/ x.go", [("x.go", "in_place")]),
    ("perl -pi -e 's/a/b/' f.txt", [("f.txt", "in_place")]),
    ("perl -0777 -i.bak -pe 's/a/b/' f.txt g.txt", [("f.txt", "in_place"), ("g.txt", "in_place")]),
    ("gawk -i inplace '{ print }' f.txt", [("f.txt", "in_place")]),
    ("yq -i '.a = 1' c.yml", [("c.yml", "in_place")]),
    ("truncate -s 0 log.txt", [("log.txt", "in_place")]),
    ("find . -name '*.go' -exec sed -i s/a/b/ {} +", [(None, "in_place")]),
    ("grep -rl a src | xargs sed -i 's/a/b/'", [(None, "in_place")]),
    ("printf 'w\\nq\\n' | ed -s f.txt", [("f.txt", "in_place")]),
    # Files
    ("mv a.go b.go", [("a.go", "delete"), ("b.go", "move")]),
    ("mv a.go sub/", [("a.go", "delete"), ("sub/a.go", "move")]),
    ("cp -r a b c/", [("c/a", "copy"), ("c/b", "copy")]),
    ("cp a.go b.go", [("b.go", "copy")]),
    ("ln -sf a b", [("b", "copy")]),
    ("install -m 755 a bin/a", [("bin/a", "copy")]),
    ("rsync -a --delete src/ dst/", [("dst", "copy")]),
    ("rm -rf dist old.go", [("dist", "delete"), ("old.go", "delete")]),
    ("rm *.orig", [("*.orig", "delete")]),
    ("touch a/b.txt", [("a/b.txt", "redirect")]),
    ("dd if=/dev/zero of=f bs=1 count=1", [("f", "redirect")]),
    ("curl -sSL -o a.tgz https://x.example/a", [("a.tgz", "copy")]),
    ("wget -O a.tgz https://x.example/a", [("a.tgz", "copy")]),
    ("tar -xzf a.tgz -C out", [("out", "copy")]),
    ("unzip -q a.zip", [(None, "copy")]),
    # Patches
    ("patch -p1 < x.diff", [(None, "patch")]),
    ("patch a.go x.diff", [("a.go", "patch")]),
    ("git apply x.diff", [(None, "patch")]),
    ("git apply <<'EOF'\n--- a/x.go\n+++ b/x.go\n@@\n-a\n+b\nEOF", [("x.go", "patch")]),
    (
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a/b.py\n@@\n-x\n+y\n"
        "*** Delete File: c.py\n*** End Patch\nEOF",
        [("a/b.py", "patch"), ("c.py", "delete")],
    ),
    # Scripts
    ("python3 - <<'EOF'\nopen('b.txt', 'w').write('x')\nEOF", [("b.txt", "script")]),
    ("python <<EOF\np = 'a.py'\nopen(p, mode='a')\nEOF", [("a.py", "script")]),
    ("python -c \"from pathlib import Path; Path('x.md').write_text('a')\"", [("x.md", "script")]),
    (
        "cd sub && uv run python - x.json <<'EOF'\nimport sys\nopen(sys.argv[1], 'w')\nEOF",
        [("sub/x.json", "script")],
    ),
    ("node -e \"require('fs').writeFileSync('x.json', '1')\"", [("x.json", "script")]),
    ("node <<'EOF'\nconst f = 'a.ts';\nfs.writeFileSync(f, s)\nEOF", [("a.ts", "script")]),
    ("ruby -e 'File.write(\"a.rb\", 1)'", [("a.rb", "script")]),
    ("php -r 'file_put_contents(\"a.php\", 1);'", [("a.php", "script")]),
    # git
    ("git checkout -- a.go b.go", [("a.go", "git_restore"), ("b.go", "git_restore")]),
    ("git checkout HEAD -- a.go", [("a.go", "git_restore")]),
    ("git checkout a/b.go", [("a/b.go", "git_restore")]),
    ("git checkout .", [(".", "git_restore")]),
    ("git checkout main -- a.go", [("a.go", "git_tree")]),
    ("git checkout HEAD~1 a.go", [("a.go", "git_tree")]),
    ("git checkout main", [(None, "git_tree")]),
    ("git checkout feature/x.y-z", [(None, "git_tree")]),
    ("git checkout --theirs a.go", [("a.go", "git_tree")]),
    ("git switch dev", [(None, "git_tree")]),
    ("git restore a.go", [("a.go", "git_restore")]),
    ("git restore --staged --worktree a.go", [("a.go", "git_restore")]),
    ("git restore --source=main a.go", [("a.go", "git_tree")]),
    ("git restore -s HEAD~2 a.go", [("a.go", "git_tree")]),
    ("git stash", [(None, "git_restore")]),
    ("git stash push -m wip -- a.go", [("a.go", "git_restore")]),
    ("git stash pop", [(None, "git_restore")]),
    ("git stash branch x", [(None, "git_tree")]),
    ("git reset --hard", [(None, "git_restore")]),
    ("git reset --hard HEAD", [(None, "git_restore")]),
    ("git reset --hard origin/main", [(None, "git_tree")]),
    ("git merge origin/main", [(None, "git_tree")]),
    ("git merge --abort", [(None, "git_restore")]),
    ("git rebase -i HEAD~3", [(None, "git_tree")]),
    ("git pull --rebase", [(None, "git_tree")]),
    ("git revert --no-edit HEAD", [(None, "git_tree")]),
    ("git cherry-pick abc123", [(None, "git_tree")]),
    ("git am x.patch", [(None, "git_tree")]),
    ("git clean -fd", [(None, "git_restore")]),
    ("git mv a.go b.go", [("a.go", "delete"), ("b.go", "move")]),
    ("git rm old.go", [("old.go", "delete")]),
    ("git -C ../other checkout -- f.go", [("../other/f.go", "git_restore")]),
    ("gh pr checkout 12", [(None, "git_tree")]),
    ("rtk git checkout -- a.go", [("a.go", "git_restore")]),
    # PowerShell and cmd
    ("Set-Content -Path a.txt -Value 'x'", [("a.txt", "redirect")]),
    ("Get-Content x | Out-File y.txt -Encoding utf8", [("y.txt", "redirect")]),
    ("Remove-Item -Recurse -Force b.txt; Get-Item c", [("b.txt", "delete")]),
    ("Move-Item a.txt b.txt", [("a.txt", "delete"), ("b.txt", "move")]),
    ("Copy-Item C:\\a\\x.go C:\\b\\y.go", [("C:/b/y.go", "copy")]),
    ("[IO.File]::WriteAllText('a.md', $t); Get-Item x", [("a.md", "script")]),
    ("$p = 'a.md'; Add-Content -Path $p -Value 'x'", [("a.md", "redirect")]),
    ("cd /d C:\\x && del y.txt", [("C:/x/y.txt", "delete")]),
]


@pytest.mark.parametrize(("command", "expected"), NAMED)
def test_the_files_a_command_writes_are_named(command: str, expected: list[tuple[str | None, str]]) -> None:
    assert written(command) == expected


FIXES = [
    "gofmt -w a.go", "goimports -w -local x a.go", "gofumpt -l -w a.go", "go fmt ./...",
    "golangci-lint run --fix",
    "golangci-lint fmt", "black .", "python -m black src", "isort src", "ruff check --fix .", "ruff --fix .",
    "ruff format", "uv run ruff format src", "autopep8 -i a.py", "npx prettier --write .", "prettier -w a.ts",
    "npx eslint --fix src", "pnpm exec eslint . --fix", "npx biome check --write .", "dprint fmt", "deno fmt",
    "npx stylelint --fix '**/*.css'", "npx markdownlint-cli2 --fix '**/*.md'", "cargo fmt",
    "cargo fix --allow-dirty",
    "cargo clippy --fix", "rustfmt src/a.rs", "clang-format -i a.c", "zig fmt src", "ktlint -F",
    "dotnet format",
    "swiftformat .", "dart format lib", "mix format", "bundle exec rubocop -A", "php-cs-fixer fix src",
    "vendor/bin/pint", "terraform fmt", "shfmt -w a.sh", "stylua .", "taplo fmt",
    "pre-commit run --all-files",
    "npm run lint:fix", "npm run format", "npm run fmt", "pnpm lint:fix", "yarn format", "bun run format",
    "make fmt",
    "make format", "just fmt", "mise run fmt", "task fmt", "./gradlew spotlessApply", "mvn spotless:apply",
    "pixi run fmt", "hatch run lint:fmt", "npm run lint -- --fix", "composer run fix",
    "fieldalignment -fix ./...",
    "timeout 60 npx prettier --write a.ts", "docker compose exec web black .",
]  # fmt: skip


@pytest.mark.parametrize("command", FIXES)
def test_formatters_and_fixers_may_write(command: str) -> None:
    writes = shell_writes(command, cwd=None)
    assert [write.how for write in writes] == ["formatter"] * len(writes)
    assert writes
    assert not any(write.certain for write in writes)


def test_a_formatter_names_the_files_it_was_given() -> None:
    assert written("cd web && npx prettier --write src/a.ts 'src/**/*.css'") == [
        ("web/src/a.ts", "formatter"),
        ("web/src/**/*.css", "formatter"),
    ]


NOTHING = [
    "go test ./...", "pytest -q 2>&1 | tail", "ls > /dev/null 2>&1", "a >&2 2>&-", "cat a.txt",
    "sed -n 1,9p a.go",
    "sed 's/a/b/' a.go", "perl -ne 'print if /a/' f", "awk '{ print }' f", "gofmt -l .", "gofmt -d a.go",
    "black --check .", "black --diff a.py", "isort --check-only .", "ruff check .", "ruff format --check",
    "npx prettier --check .", "npx eslint src", "cargo fmt --check", "cargo fmt -- --check", "cargo clippy",
    "clang-format a.c", "terraform fmt -check", "mix format --check-formatted", "rubocop",
    "dotnet format --verify-no-changes",
    "npm run lint", "npm run format:check", "make check-format", "mise run lint", "golangci-lint run",
    "deno fmt --check",
    "git status", "git diff", "git log -p -- a.go", "git show HEAD:a.go", "git fetch", "git push",
    "git branch -a",
    "git checkout -b new", "git switch -c new", "git restore --staged a.go", "git reset",
    "git reset --soft HEAD~1",
    "git stash list", "git stash show -p", "git apply --check x.diff", "git clean -n", "git rm --cached a.go",
    "git worktree add ../x", "git ls-files | head", "gh pr view 1", "gh run list",
    "gh pr create --title 'rm -rf x'",
    "echo 'rm -rf x > y'", "rg 'sed -i'", "which rm", "man mv", "mkdir -p a/b", "cd x",
    "test -f a > /dev/null",
    "python -c 'print(open(\"a\").read())'", "python3 - <<'EOF'\nprint(open('a', 'rb').read())\nEOF",
    "node -e 'console.log(1)'", "python script.py", "bash script.sh", "tar -tzf a.tgz", "unzip -l a.zip",
    "curl -s https://x.example", "curl -o /dev/null https://x.example", "patch --dry-run -p1 < x",
    "jest --ci", "docker ps",
    "[ 3 -gt 2 ]", "[[ a > b ]]", "(( 3 > 2 ))", "cmp <(a) <(b)",
    "Get-Content a.txt | Select-Object -First 5",
    "Remove-Item x -WhatIf", "terraform plan", "npm run build", "make test", "cargo build", "touch",
]  # fmt: skip


@pytest.mark.parametrize("command", NOTHING)
def test_what_only_reads_writes_nothing(command: str) -> None:
    assert written(command) == []


@pytest.mark.parametrize(
    "command",
    ["npm install", "npm ci", "npm i -D x", "pnpm add x", "yarn add x", "bun install", "pip install -r r.txt",
     "python -m pip install x", "uv add x", "uv sync", "uv pip install x", "poetry add x", "cargo add x",
     "go get x",
     "go mod tidy", "bundle install", "composer require x", "brew install x", "sudo apt-get install -y x",
     "mix deps.get", "dotnet restore", "terraform init", "npx playwright install"],
)  # fmt: skip
def test_installing_is_told_apart(command: str) -> None:
    assert [how for _, how in written(command)] == ["install"]


@pytest.mark.parametrize(
    "command",
    ["go generate ./...", "protoc --go_out=. a.proto", "npx prisma generate",
     "python manage.py makemigrations",
     "rails generate model x", "npm run generate", "make proto", "dart run build_runner build",
     "sqlc generate"],
)  # fmt: skip
def test_generating_is_told_apart(command: str) -> None:
    assert [how for _, how in written(command)] == ["generator"]


@pytest.mark.parametrize(
    "command",
    ["npx jest -u", "npx vitest run --update", "npm test -- -u", "npm test -- --updateSnapshot",
     "go test ./... -update",
     "pytest --snapshot-update", "npx playwright test --update-snapshots", "UPDATE_GOLDEN=1 go test ./...",
     "UPDATE_SNAPSHOTS=true cargo test", "bun test --update-snapshots"],
)  # fmt: skip
def test_rewriting_what_tests_compare_with_is_seen(command: str) -> None:
    write = one(command)
    assert (write.how, write.text) == ("generator", "snapshots")


MESSAGES = [
    ("git commit -m 'fix: a && b'", "fix: a && b"),
    ("git commit -am \"fix it\" -m 'and more'", "fix it\n\nand more"),
    ("git commit --message='fix it' --no-verify", "fix it"),
    ('git commit -m"fix it"', "fix it"),
    ("git commit -m \"$(cat <<'EOF'\nfix: it's (done)\n\nbody\nEOF\n)\"", "fix: it's (done)\n\nbody"),
    ("git commit -F - <<'EOF'\nfix: it\n\npytest\nEOF", "fix: it\n\npytest"),
    ("cd x && git -C y commit -q -m 'z'", "z"),
    ("rtk git commit -m 'z'", "z"),
    ("git commit --amend --no-edit", ""),
    ("git commit", ""),
]


@pytest.mark.parametrize(("command", "message"), MESSAGES)
def test_the_message_of_a_commit_is_read(command: str, message: str) -> None:
    write = one(command)
    assert (write.path, write.how, write.certain, write.text) == (None, "git_commit", True, message)


def test_staging_is_marked_with_its_files() -> None:
    assert shell_writes("git add a.go sub/b.go", cwd="/r") == (
        Write("/r/a.go", "git_commit", True, None, ()),
        Write("/r/sub/b.go", "git_commit", True, None, ()),
    )
    assert one("git add -A").path is None


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("git stash", "stash"),
        ("git stash push", "stash"),
        ("git stash pop", "stash pop"),
        ("git stash apply", "stash apply"),
        ("git checkout -- a", "checkout"),
        ("git restore a", "restore"),
        ("git reset --hard", "reset --hard"),
        ("git clean -fdx", "clean"),
        ("git rebase --abort", "rebase --abort"),
    ],
)
def test_taking_back_says_in_which_way(command: str, text: str) -> None:
    assert (one(command).how, one(command).text) == ("git_restore", text)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("cat > a <<'EOF'\nx $y\nEOF", "x $y\n"),
        ("echo 'a b' > a", "a b\n"),
        ("echo -n a > a", "a"),
        ("printf 'a\\nb' > a", "a\nb"),
        ("echo $x > a", None),
        ("go test > a", None),
        ("Set-Content -Path a -Value 'x y'", "x y"),
    ],
)
def test_the_written_text_is_kept_where_it_is_static(command: str, text: str | None) -> None:
    assert one(command).text == text


PLACES = [
    ("echo x > a", "/r", "/r/a"),
    ("echo x > /abs/a", "/r", "/abs/a"),
    ("echo x > ~/a", "/r", "~/a"),
    ("echo x > ../a", "/r/s", "/r/a"),
    ("echo x > ./a//b", "/r", "/r/a/b"),
    ("cd sub && echo x > a", "/r", "/r/sub/a"),
    ("cd sub; cd ..; echo x > a", "/r", "/r/a"),
    ("(cd sub); echo x > a", "/r", "/r/a"),
    ("(cd sub && echo x > a)", "/r", "/r/sub/a"),
    ("bash -c 'cd sub'; echo x > a", "/r", "/r/a"),
    ("bash -c 'cd sub; echo x > a'", "/r", "/r/sub/a"),
    ("eval 'cd sub'; echo x > a", "/r", "/r/sub/a"),
    ("cd sub | cat; echo x > a", "/r", "/r/a"),
    ("pushd sub; popd; echo x > a", "/r", "/r/a"),
    ("cd $UNKNOWN && echo x > a", "/r", None),
    ("cd $UNKNOWN && echo x > /abs/a", "/r", "/abs/a"),
    ("cd $UNKNOWN; cd /b; echo x > a", "/r", "/b/a"),
    ("cd - && echo x > a", "/r", None),
    ('D=sub; cd $D; echo x > "${D}_a"', "/r", "/r/sub/sub_a"),
    ("T=$(mktemp -d); echo x > $T/a", "/r", "/tmp/mktemp/a"),
    ('cd "$(mktemp -d)" && echo x > a', "/r", "/tmp/mktemp/a"),
    ("echo x > $TMPDIR/a", "/r", "/tmp/a"),
    ('echo x > "$HOME/a"', "/r", "~/a"),
    ("echo x > $PWD/a", "/r", "/r/a"),
    ("echo x > $(pwd)/a", "/r", "/r/a"),
    ("echo x > $y", "/r", None),
    ("export F=a; echo x > $F", "/r", "/r/a"),
    ("make -C sub fmt", "/r", None),
    ("cd C:\\repo; Set-Content a.txt x", "D:\\", "C:/repo/a.txt"),
    ("gh pr view > $env:TEMP\\a.md; Get-Item x", None, "/tmp/a.md"),
    ("docker exec web sh -c 'echo x > a'", "/r", None),
    ("echo x > a", None, "a"),
]


@pytest.mark.parametrize(("command", "cwd", "path"), PLACES)
def test_paths_are_those_of_the_directory_it_runs_in(command: str, cwd: str | None, path: str | None) -> None:
    (write,) = shell_writes(command, cwd=cwd)
    assert write.path == path


def test_a_loop_over_names_writes_each() -> None:
    assert written("for f in a.go b.go; do sed -i s/x/y/ $f; done") == [
        ("a.go", "in_place"),
        ("b.go", "in_place"),
    ]
    assert written("for f in $x; do rm $f; done") == [(None, "delete")]


@pytest.mark.parametrize(
    ("command", "certain"),
    [
        ("a && rm b", True),
        ("a || rm b", False),
        ("a || rm c; rm b", True),
        ("if a; then rm b; fi", False),
        ("while a; do rm b; done", True),
        ("for i in 1 2; do rm b; done", True),
        ("f() { rm b; }", False),
        ("rm $b", True),
        ("for f in $(grep -rl x); do sed -i s/x/y/ $f; done", True),
        ("python -c 'open(p, \"w\")'", True),
        ("docker exec web rm b", False),
    ],
)
def test_what_depends_is_not_certain(command: str, certain: bool) -> None:
    assert shell_writes(command, cwd=None)[-1].certain is certain


def test_a_write_leads_to_its_command() -> None:
    command = "a; bash -c 'b && rm x' | cat"
    (write,) = shell_writes(command, cwd=None)
    node = shell.node_at(shell.parse(command), write.at)
    assert isinstance(node, shell.Simple)
    assert node.argv == ("rm", "x")


SCRIPTS = [
    ("open('a', 'w')", ["a"]),
    ("open(r'a', mode='wb')", ["a"]),
    ("open('a', encoding='utf-8', mode='w')", ["a"]),
    ("open('a')\nopen('b', 'r')\nopen('c', 'rb')", []),
    ("with open(path, 'w') as f: pass", [None]),
    ("path = 'a'\nwith open(path, 'w') as f: pass", ["a"]),
    ("for p in ['a', 'b']:\n  open(p, 'w')", ["a", "b"]),
    ("Path('a').write_text('x')", ["a"]),
    ("from pathlib import Path\np = Path('a')\np.write_text(p.read_text())", ["a"]),
    ("p.write_bytes(x)", [None]),
    ("open(base + '/x', 'w')", [None]),
    ("os.remove('a'); shutil.rmtree('b'); shutil.copy('c', 'd'); os.replace('e', 'f')", ["a", "b", "d", "f"]),
    ("json.dump(d, open('a.json', 'w'))", ["a.json"]),
    ("fs.writeFileSync('a', x); fs.appendFile(\"b\", y)", ["a", "b"]),
    ("const f = 'a';\nawait Bun.write(f, x)", ["a"]),
    ("fs.writeFileSync(`a/${b}`, x)", [None]),
    ("fs.readFileSync('a')", []),
    ("open(my $fh, '>', 'a')", ["a"]),
    ("File.open('a', 'w') { }", ["a"]),
    ("sys.stdout.write('x')", []),
    ("fileinput.input(f, inplace=True)", [None]),
]


@pytest.mark.parametrize(("code", "files"), SCRIPTS)
def test_the_files_a_script_writes_are_found(code: str, files: list[str | None]) -> None:
    assert sorted(map(str, written_files(code))) == sorted(map(str, files))


def test_arguments_of_a_script_are_known() -> None:
    assert list(written_files("open(sys.argv[2], 'w')", ("a", "b"))) == ["b"]
    assert list(written_files("open(sys.argv[3], 'w')", ("a", "b"))) == [None]


# Against a real shell and real files.

ACTIONS = st.sampled_from(
    [
        "echo new > {0}", "echo more >> {0}", "cat > {0} <<'E'\nbody\nE\n", "sed -i s/old/new/ {0}", "rm {0}",
        "mv {0} moved-{0}", "cp {0} copy-{0}", "printf x | tee {0} > /dev/null", "truncate -s 3 {0}",
        "perl -pi -e s/old/new/ {0}", "cat {0} > /dev/null", "grep old {0}", "sed -n 1p {0}", "wc -l < {0}",
        "(cd sub && echo new > {0})", "cd sub; rm -f {0}; cd ..", "F={0}; echo new > $F",
        "echo new | cat > sub/{0}",
        "for f in {0}; do echo new > $f; done", "bash -c 'echo new > {0}'", "python3 -c \"open('{0}', 'w')\"",
        "if true; then echo new > {0}; fi", "dd of={0} if=/dev/null 2>/dev/null", "ln -f {0} link-{0}",
    ]
)  # fmt: skip
COMMANDS = st.lists(
    st.tuples(ACTIONS, st.sampled_from(["a", "b", "c.txt"])).map(lambda pair: pair[0].format(pair[1])),
    min_size=1,
    max_size=4,
).map("\n".join)


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@settings(max_examples=60, deadline=None)
@given(COMMANDS)
def test_every_file_that_really_changes_is_named(
    tmp_path_factory: pytest.TempPathFactory, command: str
) -> None:
    folder = tmp_path_factory.mktemp("tree")
    (folder / "sub").mkdir()
    for name in ("a", "b", "c.txt", "sub/a", "sub/b", "sub/c.txt"):
        (folder / name).write_text(f"old {name}\n", encoding="utf-8")
    before = _contents(folder)
    subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, env={"PATH": os.environ["PATH"]})
    after = _contents(folder)
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    named = {
        os.path.relpath(write.path, folder) for write in shell_writes(command, cwd=str(folder)) if write.path
    }
    assert changed <= named


TEMPLATES = st.sampled_from(
    [
        "{}",
        "python -c '{}'",
        "git commit -m '{}'",
        "sed -i {}",
        "git {}",
        "cp {}",
        "Set-Content {}; Get-Item x",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=120), TEMPLATES)
def test_every_text_is_looked_through_without_an_exception(text: str, template: str) -> None:
    for write in shell_writes(template.replace("{}", text), cwd="/r"):
        assert write.path is None or write.path
