"""The shell reader beside tree-sitter's grammar of bash: the same commands, pipes, chains, redirections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from honed.verdict import shell
from honed.verdict.shell import Chain, Compound, Group, Node, Pipeline, Redirect, Simple

tree_sitter = pytest.importorskip("tree_sitter")
tree_sitter_bash = pytest.importorskip("tree_sitter_bash")

COMMANDS = r"""
pytest
pytest -q tests/unit 2>&1 | tail -20
cd backend && python -m pytest -x -q
PYTHONPATH=src DEBUG=1 pytest tests/test_api.py::test_login
go test ./... -run 'TestA|TestB' -count=1
go test -race ./internal/... 2>&1 | grep -E "FAIL|ok" | head -50
go build ./... && go vet ./... && go test ./...
cargo test --workspace -- --nocapture 2>&1 | tail -n 40
cargo fmt --check && cargo clippy --all-targets -- -D warnings
npm test -- --watchAll=false src/components
npm run lint && npm run test:unit || echo failed
npx vitest run --reporter=verbose 2>&1 | sed -n '1,80p'
pnpm --filter @app/web test && pnpm --filter @app/api test
yarn workspace web jest --ci; yarn lint
bun test src/a.test.ts
make -C build test ARGS="-V"
mvn -q -DskipITs=false verify | tee build.log
./gradlew :app:testDebugUnitTest --info
timeout 120 pytest -q; echo "exit: $?"
set -o pipefail; pytest -q | tee out.txt
set -euo pipefail
set -e; make lint; make test
pytest -q || true
pytest -q > /tmp/out.log 2>&1; tail -5 /tmp/out.log
pytest -q &> out.log || cat out.log
pytest -q &
(cd web && npm test) && (cd api && go test ./...)
(cd a; make) | tail
{ make lint; make test; } 2>&1 | tail -30
! grep -rn fixme src
if pytest -q; then echo ok; else echo bad; exit 1; fi
if [ -f package.json ]; then npm test; elif [ -f go.mod ]; then go test ./...; fi
if ! command -v jq >/dev/null 2>&1; then echo "no jq"; fi
for d in a b c; do (cd $d && npm test) || exit 1; done
for f in *.sh; do shellcheck "$f"; done
for i in $(seq 1 5); do go test -run TestFlaky ./pkg || break; done
while read -r line; do echo "$line"; done < list.txt
while ! curl -sf localhost:8080/health; do sleep 1; done
until pg_isready -q; do sleep 1; done
case "$1" in start) run ;; stop|halt) stop_it ;; *) usage; exit 2 ;; esac
f() { go test "./$1"; }; f pkg
function check { local x=$1; test -n "$x"; }
[[ -n "$CI" && $BRANCH == main ]] && make deploy
[[ $x =~ ^v[0-9]+$ ]] || exit 1
(( count > 3 )) && echo many
out=$(pytest -q 2>&1); echo "$out" | tail -3
rc=0; pytest || rc=$?; exit $rc
files=$(git diff --name-only | grep '\.py$'); pytest $files
export PATH="$HOME/bin:$PATH" && which go
echo "branch: $(git rev-parse --abbrev-ref HEAD)"
git add -A && git commit -m "fix: handle empty input" && git push
git commit -m 'test: cover && and | in names'
git log --oneline -5 --format='%h %s' | cat
git diff --stat HEAD~1 -- src/ ':!src/gen'
git stash && go test ./...; git stash pop
git checkout -- a.go b.go
git show HEAD:src/app.ts | head -100
grep -rn "npm test" .github | grep -v node_modules
rg -n 'func (\w+)\(' --type go -g '!vendor/**'
sed -i 's/foo/bar/g; s|a/b|c|' src/*.ts
sed -n '10,40p' main.go && wc -l main.go
perl -pi -e 's/\bfoo\b/bar/' lib/*.rb
awk '{ print $1 }' data.txt | sort -u > names.txt
awk -F: '$3 > 100 { n++ } END { print n }' /etc/passwd
find . -name '*.go' -not -path './vendor/*' -exec gofmt -l {} +
find . -type f -name "*.tmp" -exec rm {} \;
find src \( -name '*.ts' -o -name '*.tsx' \) | xargs wc -l
xargs -n1 -I{} sh -c 'echo {}' < names.txt
ls -la | head; pwd; date
cat package.json | jq '.scripts | keys[]'
jq -r '.items[] | select(.state=="open") | .title' issues.json
curl -s "https://example.test/api?x=1&y=2" | python3 -m json.tool
docker compose -f dev.yml exec -T web pytest -q
docker run --rm -v "$PWD":/app -w /app node:20 npm test
kubectl exec -n dev deploy/api -- ./run-tests.sh
bash -lc "cd /srv && npm test"
bash -c 'set -o pipefail; go test ./... | tee log'
sh -c "echo one; echo two"
env GOFLAGS=-mod=mod go test ./...
sudo -u postgres psql -c 'select 1;'
nohup ./server > server.log 2>&1 &
sleep 2 && curl -s localhost:3000
kill $(cat server.pid) 2>/dev/null || true
trap 'rm -f "$tmp"' EXIT
tmp=$(mktemp -d); cd "$tmp" && git init -q
cd "$(git rev-parse --show-toplevel)" && make test
test -d node_modules || npm ci
[ -s "$NVM_DIR/nvm.sh" ] && . "$NVM_DIR/nvm.sh"
source .venv/bin/activate && pytest -q
uv run --with pytest pytest -q
poetry run pytest -k "login and not slow"
python -c "import sys; print(sys.version)"
python3 -c 'print("a; b && c | d")'
node -e "console.log(JSON.stringify({a: 1}))"
ruby -e 'puts [1,2].sum'
echo 'it'"'"'s fine'
echo "a \"quoted\" word" and\ escaped
echo $'tab\tand \'quote\''
echo "$((1 + 2 * (3 - 1)))"
echo ${name:-default} ${#name} ${name##*/} ${name//a/b}
echo "${arr[@]}" "${arr[0]}"
arr=(one "two three" four); echo "${#arr[@]}"
declare -A map; map[a]=1
printf '%s\n' "$x" >> notes.md
printf "%-10s|%5d\n" name 3
diff <(sort a.txt) <(sort b.txt)
tee >(grep ERR > err.log) < app.log
comm -12 <(ls a) <(ls b) | wc -l
echo a >&2
echo a 1>&2 2>/dev/null
exec 3>log.txt
read -r a b <<< "one two"
mkdir -p a/b && touch a/b/c.txt
cp -r src/{a,b} dest/
mv old.go new.go && gofmt -w new.go
rm -rf dist build/*.o
chmod +x scripts/*.sh
tar -xzf a.tgz -C out --strip-components=1
a=1 b=2 c=3
a=1; b=$a; c="$a$b"
time go test ./...
time (make clean; make)
a && b || c && d
a; b; c
a & b & wait
a | b | c | d
a |& b
a && { b || c; } && d
(a && (b || c))
a || { echo fail; exit 1; }
go test ./... \
  -run TestX \
  -count=1
npm ci && \
  npm run build && \
  npm test
# run the tests
pytest -q # quickly
echo "# no comment" # a comment
rtk bun run test 2>&1 | tail -5
mise run lint 2>&1 | tail -5 && mise run test 2>&1 | tail -20
eval "$(mise activate bash)" && mix test
./scripts/test.sh --keep 2>&1
ssh host "cd /srv && ./test.sh"
gh pr create --title "fix: x" --body "runs npm test && passes"
gh run list --limit 3 --json status,conclusion --jq '.[] | .status'
ps aux | grep '[n]ode' | awk '{print $2}' | xargs kill -9
if (( $# < 1 )); then exit 2; fi
for ((i = 0; i < 3; i++)); do echo $i; done
select x in a b; do echo $x; done
while true; do a; break; done | head -1
cd /tmp; ls; cd -
[ "$(id -u)" -eq 0 ] && echo root
[ $? -eq 0 ] || exit 1
test "$a" = "b" -a -n "$c"
A="$(cat f)" B=`date` run
x=${1?usage} y=${2:-3} run --flag="$x"
""".strip("\n")

# What follows a here-document on its line is left out: tree-sitter puts it inside the redirection.
WITH_BODIES = [
    "cat > a.py <<'EOF'\nimport os\nprint('$x')\nEOF\npython a.py",
    "python3 - <<'PY'\nopen('x', 'w')\nPY\n",
    "cat <<-END\n\tindented\n\tEND\necho done",
    "git commit -F - <<'MSG'\nfix: a && b\n\nbody | more\nMSG\ngit push",
    "if true; then\n  cat > f <<'E'\nx; y\nE\nfi",
    "for f in a b; do\n  sed -i s/x/y/ $f\ndone\necho end",
    "f() {\n  go test ./...\n}\nf && echo ok",
    "case $x in\n  a)\n    one\n    ;;\n  b|c) two ;;\nesac",
    "git commit -m \"$(cat <<'EOF'\nfix: title\n\nbody (with parens\nEOF\n)\"",
]


CASES = re.split(r"(?<!\\)\n", COMMANDS) + WITH_BODIES


def theirs(text: str) -> dict[str, list[str]]:
    """What tree-sitter sees: the names of the commands, stages of pipelines, redirections, in order."""
    source = text.encode()
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
    seen: dict[str, list[str]] = {"commands": [], "pipelines": [], "redirects": [], "operators": []}
    root = parser.parse(source).root_node
    assert not root.has_error, f"tree-sitter does not read {text!r}"

    def walk(node: Any) -> None:
        kind = node.type
        if kind == "command_name":
            seen["commands"].append(source[node.start_byte : node.end_byte].decode())
        elif kind in ("declaration_command", "unset_command", "test_command"):
            seen["commands"].append(source[node.start_byte : node.end_byte].decode().split()[0])
        elif kind == "pipeline":
            seen["pipelines"].append(str(sum(child.is_named for child in node.children)))
        elif kind == "file_redirect":
            words = [child for child in node.children if child.is_named and child.type != "file_descriptor"]
            seen["redirects"] += [source[w.start_byte : w.end_byte].decode() for w in words[:1]]
        elif kind == "heredoc_body":
            seen["redirects"].append("<<")
        elif kind == "herestring_redirect":
            seen["redirects"].append("<<<")
        elif kind in ("&&", "||") and node.parent.type == "list":
            seen["operators"].append(kind)
        for child in node.children:
            walk(child)

    walk(root)
    return seen


def ours(text: str) -> dict[str, list[str]]:
    seen: dict[str, list[str]] = {"commands": [], "pipelines": [], "redirects": [], "operators": []}
    script = shell.parse(text)
    assert script.unparsed is None
    for node in _nodes(script.root):
        redirects: tuple[Redirect, ...] = ()
        if isinstance(node, Simple):
            redirects = node.redirects
            seen["commands"] += node.argv[:1]
        elif isinstance(node, Pipeline) and len(node.stages) > 1:
            seen["pipelines"].append(str(len(node.stages)))
        elif isinstance(node, Chain):
            seen["operators"] += [operator for operator, _ in node.items if operator in ("&&", "||")]
        elif isinstance(node, Compound):
            redirects = node.redirects
            seen["commands"] += ["[["] if node.kind == "test" else []
        elif isinstance(node, Group):
            redirects = node.redirects
        for redirect in redirects:
            heredoc = redirect.operator in ("<<", "<<-")
            name = "<<" if heredoc else "<<<" if redirect.operator == "<<<" else redirect.target
            seen["redirects"].append(name)
    return seen


def _nodes(node: Node | None) -> Iterator[Node]:
    """All nodes; a script that is handed to another shell is a word here, as it is for tree-sitter."""
    if node is None:
        return
    yield node
    if isinstance(node, Simple):
        below: tuple[Node | None, ...] = tuple(s.script.root for s in node.substitutions)
    else:
        below = shell.children(node)
    for each in below:
        yield from _nodes(each)


# tree-sitter takes `time` and `!` for part of a name, and quotes stay in its names.
def _plain(names: list[str]) -> list[str]:
    return sorted(name.strip("'\"") for name in names if name not in ("time", ":"))


@pytest.mark.parametrize("text", CASES)
def test_the_structure_is_that_of_tree_sitter(text: str) -> None:
    mine, other = ours(text), theirs(text)
    assert _plain(mine["commands"]) == _plain(other["commands"])
    assert sorted(mine["pipelines"]) == sorted(other["pipelines"])
    assert sorted(mine["operators"]) == sorted(other["operators"])
    assert len(mine["redirects"]) == len(other["redirects"])
