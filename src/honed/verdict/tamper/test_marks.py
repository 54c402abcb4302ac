"""Tables of tests: how one is declared, told as a table, skipped, singled out or put out of action, by"
" language."""

from __future__ import annotations

import re

_TITLE = r"(?:'(?P<a>(?:\\.|[^'\\])*)'|\"(?P<b>(?:\\.|[^\"\\])*)\"|`(?P<c>(?:\\.|[^`\\])*)`)"

DECLARED: dict[str, re.Pattern[str]] = {
    "python": re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(?P<name>test\w*)[ \t]*(?:\(|$)", re.M),
    "javascript": re.compile(
        r"^[ \t]*(?:await[ \t]+)?(?:it|test|specify|Deno\.test|fit|xit|xtest)"
        r"(?:\.(?!describe|step|use|before|after|extend|setTimeout|slow)\w+(?:\([^()\n]*\))?)*"
        r"(?:\(\s*\[[^;]{0,4000}?\]\s*\)|`[^`]*`)?\s*\(\s*" + _TITLE,
        re.M | re.S,
    ),
    "go": re.compile(r"^func[ \t]+(?P<name>(?:Test|Fuzz|Example)(?![a-z])\w*)[ \t]*\(", re.M),
    "rust": re.compile(
        r"#\[\s*(?:\w+::)*(?:test|rstest|test_case|wasm_bindgen_test|quickcheck|proptest)\b[^\]]*\]"
        r"(?:\s*#\[[^\]]*\]|\s*//[^\n]*)*\s*(?:pub\s+)?(?:async\s+)?fn\s+(?P<name>\w+)"
    ),
    "java": re.compile(
        r"@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b(?:\([^)]*\)|[^{;(]){0,400}?"
        r"\b(?:void|fun|def|Unit)\s+(?P<name>`[^`]+`|\w+)\s*\("
        r"|^[ \t]*public\s+void\s+(?P<a>test\w+)\s*\(|^[ \t]*(?:def|should|it"
        r"|test)\s*\(?\s*\"(?P<b>[^\"]+)\""
        r"|^[ \t]*(?:it|they|\"[^\"\n]+\")\s+(?:should|must|can)\s+\"(?P<c>[^\"\n]+)\"\s+in\b",
        re.M,
    ),
    "ruby": re.compile(
        r"^[ \t]*[xf]?(?:it|specify|scenario|example|test)\b[ \t(]+(?:'(?P<a>[^'\n]*)'|\"(?P<b>[^\"\n]*)\")"
        r"|^[ \t]*def[ \t]+(?P<name>test_\w+)"
        r"|^[ \t]*(?:it_behaves_like|it_should_behave_like|include_examples)[ (]+(?P<c>['\":][^\n)]+)",
        re.M,
    ),
    "php": re.compile(
        r"\bfunction\s+(?P<name>test\w+)\s*\("
        r"|(?:@test\b|#\[(?:\w+\\)*Test\])[^{;]{0,400}?\bfunction\s+(?P<d>\w+)"
        r"|^[ \t]*(?:it|test)\s*\(\s*(?:'(?P<a>[^'\n]*)'|\"(?P<b>[^\"\n]*)\")",
        re.M,
    ),
    "csharp": re.compile(
        r"\[\s*(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod|TestCaseSource)\b[^{;]{0,600}?"
        r"\b(?:void|Task(?:<[^>]*>)?|ValueTask)\s+(?P<name>\w+)\s*\("
    ),
    "elixir": re.compile(r"^[ \t]*(?:test|property|doctest)[ \t(]+\"(?P<a>(?:\\.|[^\"\\])*)\"", re.M),
    "swift": re.compile(r"\bfunc[ \t]+(?P<name>test\w*)[ \t]*\(|@Test\b[^{]{0,200}?\bfunc[ \t]+(?P<a>\w+)"),
    "dart": re.compile(
        r"^[ \t]*(?:test|testWidgets|blocTest\S*)\(\s*(?:'(?P<a>[^'\n]*)'|\"(?P<b>[^\"\n]*)\")", re.M
    ),
    "cpp": re.compile(
        r"^[ \t]*(?:TYPED_)?TEST(?:_F|_P)?\(\s*(?P<name>\w+\s*,\s*\w+)"
        r"|^[ \t]*(?:TEST_CASE|SCENARIO|BOOST_AUTO_TEST_CASE)\(\s*\"?(?P<a>[^\"\n),]+)",
        re.M,
    ),
    "shell": re.compile(r"^[ \t]*@test[ \t]+['\"](?P<a>[^'\"\n]+)|^[ \t]*(?P<name>test_\w+)\s*\(\)", re.M),
    "lua": re.compile(
        r"^[ \t]*(?:it|test|specify)\s*\(?\s*(?:'(?P<a>[^'\n]*)'|\"(?P<b>[^\"\n]*)\")"
        r"|\bfunction[ \t]+(?:\w+[.:])?(?P<name>test\w*)",
        re.M,
    ),
    "clojure": re.compile(r"\(deftest[ \t]+(?:\^\S+[ \t]+)*(?P<name>[^\s()]+)"),
    "r": re.compile(r"^[ \t]*(?:test_that|it)\s*\(\s*(?:'(?P<a>[^'\n]*)'|\"(?P<b>[^\"\n]*)\")", re.M),
    "julia": re.compile(r"@testset\b[^\"\n]*\"(?P<a>[^\"\n]*)\""),
    "haskell": re.compile(r"^[ \t]*(?:it|specify|prop|testCase|testProperty)[ \t]+\"(?P<a>[^\"\n]*)\"", re.M),
}
DECLARING_MARK: dict[str, re.Pattern[str]] = {
    "rust": re.compile(r"^\s*#\[\s*(?:\w+::)*(?:test|rstest)\b[^\]]*\]\s*$"),
    "java": re.compile(r"^\s*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b.*$"),
    "csharp": re.compile(r"^\s*\[\s*(?:Fact|Theory|Test|TestCase|TestMethod)\b.*\]\s*$"),
    "php": re.compile(r"^\s*(?:\*\s*@test\b|/\*\*\s*@test\b|#\[(?:\w+\\)*Test\]).*$"),
    "swift": re.compile(r"^\s*@Test\b.*$"),
}
"""The line that makes a function a test, in languages where its name does not."""
LINES_OF_DECLARATION = {"rust": 4, "java": 3, "csharp": 3, "php": 3, "swift": 2}
"""How many lines a declaration may stretch over, with the marks above the name; else one."""
FUNCTIONS = re.compile(
    r"\b(?:def|func|fn|fun|function|void|Task|sub|proc|private|class|const|let|var)\s+(?P<name>[\w`]+)"
    r"|^[ \t]*(?P<word>[a-z]\w*)(?:\.\w+)?\s*\(\s*['\"`](?P<title>[^'\"`\n]+)",
    re.M,
)
CLASSES = re.compile(r"^[ \t]*class[ \t]+(\w+)[ \t]*(?:\(([^)]*)\))?", re.M)

CASES = re.compile(
    r"parametri[sz]e|\.each\b|\beach\(|\bcases\b|\btestCases\b|\btests\s*:?=|\btt\b|\btc\b|subTest|t\.Run\("
    r"|[dD]ataProvider|->with\(|TestCase\(|InlineData|MemberData|CsvSource|MethodSource|ValueSource"
    r"|EnumSource"
    r"|rstest|#\[case|test_case\(|where:|hypothesis|@given|proptest!|fc\.assert|for \w+(?:, ?\w+)* (?:in|of"
    r"|:=)"
    r"|for \([^)]*\) in |\.forEach\(|\.each do|for \(|quickcheck|withData|INSTANTIATE_TEST|forAll"
    r"|it_behaves_like"
)
"""How many tests are told as one with a table of cases."""
ROW = re.compile(
    r"^\s*(?:[\[({].*[\])}],?|(?:pytest\.param|param|case|Arguments\.of|arguments|TestCase)\(.*\),?"
    r"|\[(?:InlineData|TestCase|DataRow)\(.*\)\]|#\[(?:case|test_case)\b.*\]|\|.*\|)\s*(?://.*|#.*)?$"
)
"""A row of such a table."""

SKIPPED: dict[str, re.Pattern[str]] = {
    "python": re.compile(
        r"\bmark\.(?:skip|skipif|xfail)\b|\bpytest\.(?:skip|xfail|importorskip)\s*\("
        r"|@(?:unittest\.|pytest\.)?(?:skip|skipIf|skipUnless|expectedFailure|xfail)\b|unittest\.skip\w*\("
        r"|\bself\.skipTest\s*\(|raise\s+(?:unittest\.|pytest\.)?Skip(?:Test|ped)|\b__test__\s*=\s*False"
    ),
    "javascript": re.compile(
        r"\b(?:it|test|describe|context|suite|specify|bench|Deno\.test)(?:\.\w+)*"
        r"\.(?:skip|todo|fails|failing|fixme|ignore)\b|\bx(?:it|test|describe|context|specify)\s*[(.]"
        r"|\b(?:this|t|ctx|context|test)\.(?:skip|fixme)\s*\(|\bpending\s*\(|\b(?:skip|ignore|todo):\s*true"
        r"|\.skipIf\("
    ),
    "go": re.compile(
        r"\b[a-z]\w*\.Skip(?:f|Now)?\s*\(|^//(?:go:build| \+build)\s+(?:ignore|never|disabled)"
        r"|\b(?:P|X)(?:It|Describe|Context)\("
    ),
    "rust": re.compile(
        r"^\s*#!\[\s*cfg\s*\(\s*feature\s*=|#\[\s*ignore\b|#\[\s*cfg\s*\(\s*(?:any\(\)|FALSE|never|disabled)"
        r"|#\[\s*cfg_attr\s*\([^\]]*\bignore\b"
        r"|^\s*#\[\s*cfg\s*\(\s*feature\s*="
    ),
    "java": re.compile(
        r"@(?:Disabled\w*|Ignore\w*|PendingFeature)\b|\benabled\s*=\s*false|\bassumeTrue\s*\(\s*false"
        r"|\bassumeFalse\s*\(\s*true|\bAssumptions?\.\w+\(|\bx(?:it|test|describe|context|should)\b"
        r"|^[ \t]*ignore\s*(?:should\b|must\b|\(\s*\")|\"\s+ignore\s*\{|\"\)?\.ignore\b"
        r"|\bin\s*\(?\s*pending\b"
        r"|\bthrow\s+(?:new\s+)?(?:Skip|TestAborted)\w*Exception"
    ),
    "ruby": re.compile(
        r"\bx(?:it|describe|context|specify|scenario|feature)\b|(?:^|\{)\s*(?:skip|pending)\b"
        r"|\b(?:skip|pending):\s*(?:true|['\"])"
    ),
    "php": re.compile(
        r"\bmarkTest(?:Skipped|Incomplete)\s*\(|->(?:skip|todo)\s*\(|@(?:skip|incomplete)\b"
        r"|#\[(?:\w+\\)*(?:Ignore|Skip)"
    ),
    "csharp": re.compile(
        r"\bSkip\s*=\s*|\bExplicit\s*=\s*true|\[\s*(?:Ignore|Explicit|Skip)\b|\bAssert\.(?:Ignore|Inconclusive|Skip)\s*\("
    ),
    "elixir": re.compile(
        r"@(?:module|describe)?tag\s+(?::skip|:pending|:ignore|skip:)|\b(?:skip|pending):\s*true"
    ),
    "swift": re.compile(r"\bXCTSkip\w*\b|\.disabled\s*\("),
    "dart": re.compile(r"\bskip:\s*(?:true|['\"])|@Skip\b"),
    "cpp": re.compile(
        r"\bGTEST_SKIP\b|\bDISABLED_\w+|\bQSKIP\b|\bSKIP\(|\[!shouldfail\]|\[!mayfail\]|\[\.\]|\[!hide\]"
        r"|test::disabled|doctest::skip"
    ),
    "shell": re.compile(r"^\s*skip\b"),
    "lua": re.compile(r"^\s*(?:pending|x(?:it|describe)|finally\.skip|lu\.skip(?:If)?)\s*\(|\.skip\s*\("),
    "clojure": re.compile(r"\^:(?:skip|ignore|pending|kaocha/(?:skip|pending))\b|#_\s*\((?:deftest|is)\b"),
    "r": re.compile(r"^\s*(?:testthat::)?skip(?:_if|_if_not|_on_\w+)?\s*\("),
    "julia": re.compile(r"@test_(?:skip|broken)\b|\b(?:skip|broken)\s*=\s*true"),
    "haskell": re.compile(r"^\s*(?:x(?:it|describe|specify|prop)|pending(?:With)?)\b"),
}
MARK_CUES: dict[str, tuple[str, ...]] = {
    language: tuple(cues.split())
    for language, cues in {
        "python": "skip xfail expectedfailure __test__",
        "javascript": ".skip .todo .fail .fixme .ignore pending skip: ignore: todo: xit xtest xdescribe"
        " xcontext xspecify .only only: fit fdescribe fcontext",
        "go": "skip go:build +build pit( xit( pdescribe( xdescribe( pcontext( xcontext( fit( fdescribe("
        " fcontext( fentry(",
        "rust": "cfg ignore",
        "java": "@disabled pending enabled assum xit xtest xdescribe xcontext xshould ignore skip abort",
        "ruby": "xit xdescribe xcontext xspecify xscenario xfeature skip pending fit fdescribe fcontext"
        " fspecify focus",
        "php": "skip incomplete todo ignore only",
        "csharp": "skip ignore explicit inconclusive",
        "elixir": "skip pending ignore only focus",
        "swift": "skip disabled",
        "dart": "skip solo",
        "cpp": "skip disabled fail] [.] hide]",
        "shell": "skip",
        "lua": "pending xit xdescribe skip",
        "clojure": "skip ignore pending #_",
        "r": "skip",
        "julia": "skip broken",
        "haskell": "xit xdescribe xspecify xprop pending",
    }.items()
}
"""One of them is, in lower case, in every mark of ``SKIPPED`` and ``ONLY``: others are not searched."""
CONDITIONAL = re.compile(
    r"sys\.platform|os\.name|platform\.(?:system|machine|python)|\b(?:IS_)?(?i:windows|macos|linux|darwin"
    r"|win32)\b"
    r"|GOOS|GOARCH|process\.(?:platform|version|arch)|shutil\.which|which\(|importorskip|find_spec"
    r"|(?i:\bhas_?\w+|\bhave_?\w+|\bno_\w+)|is_?[aA]vailable|_AVAILABLE|cuda|version_info|testing\.Short"
    r"|(?:En|Dis)abledOn(?:Os|Jre)|(?:En|Dis)abledIf|target_os|target_arch|cfg\(not|LookPath|getuid|geteuid"
    r"|[iI]s_?[rR]oot|getoption|skipUnless|skip_unless"
)
"""A skip that depends on the machine takes nothing from a pass on one where the test runs."""
ALWAYS = re.compile(r"\bCI\b|skipif\(\s*(?:True|1)\b|skipIf\(\s*(?:True|true|1)\b")
"""Unless the condition holds wherever it matters."""
ONLY: dict[str, re.Pattern[str]] = {
    "javascript": re.compile(
        r"\b(?:it|test|describe|context|suite|specify)(?:\.\w+)*\.only\b|\bf(?:it|describe|context)\s*\("
        r"|\bonly:\s*true"
    ),
    "ruby": re.compile(r"\bf(?:it|describe|context|specify)\b\s|\bfocus:\s*true|,\s*:focus\b"),
    "go": re.compile(r"\bF(?:It|Describe|Context|Entry)\("),
    "php": re.compile(r"->only\s*\("),
    "dart": re.compile(r"\bsolo:\s*true"),
    "elixir": re.compile(r"@(?:module)?tag\s+:(?:only|focus)\b"),
}
BLOCK_OPENED: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(
        "javascript go rust java csharp php swift dart cpp".split(), re.compile(r"^\s*/\*(?!\*)(?!.*\*/)")
    ),
    "python": re.compile(r"^\s*(?:\"\"\"|''')\s*$"),
    "ruby": re.compile(r"^=begin\b|^__END__"),
}
"""A line that makes a comment of what follows it."""
NEVER = re.compile(
    r"^\s*if\s*\(?\s*(?:True|true|1|!0)\s*\)?\s*[:{]?\s*return\b"
    r"|^\s*(?:if|while)\s*\(?\s*(?:False|false|0|nil)\s*\)?\s*[:{]|^\s*if\s+false\s*(?:do|then)?\s*$"
    r"|^\s*#\s*if\s+(?:0|false|NEVER|DISABLED)\b|^\s*for\b.*(?:\[:0\]|\bin \(\)|\bin \[\]|range\(0\))\s*:"
    r"|\.slice\(0, ?0\)\.forEach",
    re.M,
)
"""What stands in it never runs."""
EARLY_RETURN = re.compile(
    r"^\s*return(?:\s*;)?(?:\s*(?:#|//).*)?$|^\s*return\s+(?:None|nil|undefined|true|True|Ok\(\(\)\))\s*;?$"
    r"|^\s*process\.exit\(0\);?$"
)
DISGUISE = re.compile(
    r"(?i)^(?:_+|x_?|no_?|skip_?|dis(?:abled)?_?|off_?|old_?|todo_?|broken_?|ignore_?|not_?a?_?|manual_?"
    r"|slow_?"
    r"|bak_?|check_?)*$"
)
"""What is put in front of a test's name so that no runner finds it."""
NAMED_BOUND = re.compile(
    r"^\s*(?:const |let |var |final |static |private |val )*[\w: ]{0,60}?"
    r"\b(?P<name>[A-Za-z_]*(?P<kind>(?i:min|threshold|accuracy|score|floor|tol|tolerance|eps|epsilon"
    r"|max_?err\w*|delta))\w*)"
    r"\s*(?::\s*\w+\s*)?:?=\s*(?P<number>\d[\d._]*)",
    re.M,
)
"""A bound that tests compare with, by its name."""
UPPER_BOUND = re.compile(r"(?i)tol|eps|max|delta")
