"""Tables for the tamper check: what an assertion demands, how a test is declared, switched off, silenced.

Rows only; ``assertions`` and ``tamper`` read them.  Names come from the frameworks' own documentation.
"""

from __future__ import annotations

import re

# -- how much an assertion demands ---------------------------------------------------------------------

EXACT = 6
"""Equal to a value."""
COUNT = 5
"""As many as this."""
PARTIAL = 4
"""Contains, matches, is greater, is of a type, raises."""
TRUE = 3
"""Is true (or false, or empty)."""
PRESENT = 2
"""Is there at all."""
VACUOUS = 0
"""Holds whatever the code does."""
NEGATED = {EXACT: PARTIAL, PARTIAL: PARTIAL, TRUE: TRUE, PRESENT: EXACT}

_BY_STRENGTH: tuple[tuple[int, str], ...] = (
    (
        EXACT,
        "equal equals eq eql areequal same aresame is identical deepequal deepequals strictequal deepstrictequal equalvalues"
        " equaltype exactly listequal dictequal tupleequal setequal sequenceequal countequal multilineequal almostequal"
        " almosteq allclose arrayequal arrayalmostequal arrayalmostequalnulp frameequal seriesequal indexequal approxequal"
        " tobe toequal tostrictequal tobecloseto tohavebeencalledwith"
        " tohavebeenlastcalledwith tohavebeennthcalledwith tohavebeencalledexactlyoncewith tohavereturnedwith"
        " tomatchinlinesnapshot tomatchsnapshot tomatchobject objectcontaining tohavetextcontent tohavetext tohavevalue"
        " tohaveattribute tohaveclass tohavestyle tohaveurl tohavetitle tobechecked tobedisabled"
        " isequalto isequaltocomparingfieldbyfield issameas isequaltoignoringcase containsexactly"
        " containsexactlyinanyorder containsonly hasvalue hasmessage be"
        " beequivalentto beequal matcharray containexactly havehttpstatus calledwith calledoncewith calledoncewithexactly"
        " hascalls anycall awaitedwith jsonequal jsoneq yamleq equaljson elementsmatch equalerror errorequal"
        " streq doubleeq floateq near eqxx returns returnsvalue shouldbe comparewithtolerance jsonstringequalsjsonstring"
        " eqvs members property tohavebeenlastcalledwith alltoequal equalwithaccuracy statuscode isok2"
        " matchjson jsonfragment exactjson seein database databasehas status redirect session viewhas",
    ),
    (
        COUNT,
        "tohavelength tohavecount hassize len length count havelength lengthof count hassizegreaterthan single havecount",
    ),
    (
        PARTIAL,
        "in notin contains contain include includes match matches regex regexmatches regexp notregex greater less greaterequal"
        " lessequal greaterthan lessthan greaterorequal lessorequal greaterthanorequal lessthanorequal tocontain"
        " tocontainequal tomatch tohaveproperty tobegreaterthan tobegreaterthanorequal tobelessthan tobelessthanorequal"
        " tobeinstanceof tobetypeof tohavebeencalledtimes tohavebeencalledonce calledonce calledthrice calledtwice callcount"
        " startswith endswith startwith endwith between isinstance instanceof isinstanceof isa beanintanceof bea bekindof"
        " raises throws tothrow tothrowerror thrownby throw throwexception raiseerror raise isinstanceofany rejects"
        " ge le gt lt subset superset haskey hasproperty containsstring stringcontainsstring notequal noteq ne notsame"
        " isnotequalto isgreaterthan islessthan containkey hasfieldorproperty errorcontains erroris erroras"
        " errorsas matchregex stringstartswith arrayhaskey doesnotcontain notcontains isinrange within above below atleast"
        " atmost lengthgreaterthan isafter isbefore isonbefore warns deprecated anythrow throwsasync throwsexception",
    ),
    (
        TRUE,
        "isnull isempty isnil nil null none empty benil tobenull tobeundefined tobenan beundefined benull isundefined isnone"
        " true false istrue isfalse t f ok tobetruthy tobefalsy betrue befalse betruthy befalsey assert check require isok"
        " truthy falsy expect refute noerror nothrow doesnotthrow doesnotraise predicate that success successful iserror error"
        " iserr verify called tohavebeencalled notcalled tobevisible tobeinthedocument beempty",
    ),
    (
        PRESENT,
        "notnull notnil notnone isnotnone isnotnull isnotnil notempty isnotempty tobedefined bedefined exists exist ispresent"
        " bepresent benonnull notbenull benotnull present issome some anything toexist defined notundefined isobject isstring"
        " isnumber isarray isfunction somevalue",
    ),
)
STRENGTHS: dict[str, int] = {name: strength for strength, names in _BY_STRENGTH for name in names.split()}
PREFIXES = (
    "xctassert",
    "assertthat",
    "assert",
    "expect",
    "require",
    "check",
    "must",
    "verify",
    "contract",
    "should",
)
RAISING = frozenset(
    "raises throws tothrow tothrowerror throw throwexception raiseerror raise thrownby throwsasync throwsexception anythrow".split()
)
LINKS = frozenset(
    "to be been is that which and has have with at of same but does still also deep own any all resolves rejects soft poll"
    " should Should eventually as describedAs withMessage asInstanceOf first extracting usingRecursiveComparison"
    " And Which returning toBeAwaited".split()
)
NEGATIONS = frozenset("not never to_not not_to should_not shouldNot Not isNot".split())
PLAIN_VALUES = frozenset(
    "true false True False None nil null undefined [] {} () '' \"\" `` 1 0 :ok Nil NULL nullptr".split()
) - {"1", "0"}
WILDCARD = re.compile(
    r"^(?:expect\.(?:any|anything)\(.*\)|(?:mock\.)?ANY|any\w*\(.*\)|mock\.Anything|anything|sinon\.match\.any)$"
)
ANY_ERROR = re.compile(
    r"^(?:\w+\.)*(?:Base)?(?:Exception|Throwable|StandardError|Error)(?:::class(?:\.java)?|\.class)?$"
)
ALWAYS_TRUE = re.compile(
    r"^(?:true|True|1|not False|!false|not None|\"[^\"]*\"|'[^']*')$|\bor (?:True|1)$|\|\| ?true$|^True or\b|^true \|\|"
)
CONDITIONS: tuple[tuple[re.Pattern[str], int], ...] = (
    (
        re.compile(
            r" is not None$|!= ?(?:nil|null|None|undefined)$|!== ?(?:null|undefined)$|\.is_some\(\)$|\.isPresent\(\)$"
        ),
        PRESENT,
    ),
    (
        re.compile(
            r"(?<![=!<>])={2,3}(?!=)|\.equals\(|\beq\?|\bis None$|matches!\(|allclose\(|array_equal\(|isclose\(|DeepEqual\("
        ),
        EXACT,
    ),
    (
        re.compile(
            r"!={1,2}|\bnot in\b|\bin\b|(?<![-=<>])[<>]=?(?!>)|isinstance\(|\binstanceof\b|=~|\.(?:includes|contains|startswith|endswith"
            r"|starts_with|ends_with|startsWith|endsWith|match|has|include\?)\(|re\.(?:search|match)\("
        ),
        PARTIAL,
    ),
    (re.compile(r"(?<![=!<>])=(?![=>~])"), EXACT),  # Elixir's pattern match
)
PLAIN_COMPARISON = re.compile(
    r"={2,3} ?(?:True|False|true|false|None|nil|null|undefined|\[\]|\{\}|\"\"|'')$|^(?:True|False|true|false|None|nil|null) ?={2,3}"
)
LENGTH_COMPARISON = re.compile(
    r"^(?:len\(.*\)|[\w.]+\.(?:length|size|len\(\)|size\(\)|count\(\))) ?={2,3} ?\d+$"
)
COUNTED = re.compile(
    r"^(?:len|count|size)\(.*\)$|^[^'\"\s]*(?:\.|->)(?:length|size|Length|Count|count|len)(?:\(\))?$"
)
"""Speaks of how many there are."""
COMPLAINTS: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"^(?:false|1 == 2)$"), VACUOUS),
    (re.compile(r"^len\([^)]*\) != \d"), COUNT),
    (
        re.compile(
            r"!=\s*(?!\s|nil\b)|reflect\.DeepEqual|cmp\.(?:Diff|Equal)|bytes\.Equal|!errors\.(?:Is|As)|!slices\.Equal|!maps\.Equal"
        ),
        EXACT,
    ),
    (re.compile(r"==\s*(?:nil|\"\"|0)\b|==\s*\"\"|< 1\b"), PRESENT),
    (re.compile(r"[<>]|==|Contains|HasPrefix|HasSuffix|MatchString"), PARTIAL),
)
"""What a Go test demands that fails if this is so; the first that is found counts, TRUE if none is."""
OPERATORS = re.compile(
    r" ?(?:={2,3}|!={1,2}|<=|>=|(?<!-)>(?!>)|<(?!<)|=~|\bis not\b|\bis\b|\bnot in\b|\bin\b|\band\b|\bor\b|&&|\|\||(?<![=!<>])=(?!=)) ?"
)


def strength_of(name: str, otherwise: int = PARTIAL) -> int:
    """What a matcher of this bare name demands; ``otherwise`` for a name that is in no table."""
    return STRENGTHS.get(name, otherwise)


ANY_ASSERTION = re.compile(
    r"assert|Assert|should_panic|expect|Expect|EXPECT|ASSERT|REQUIRE|CHECK|require\.|should|Should|raises|refute|must_|verify|Verify|to[A-Z]\w+\("
    r"|\bt\.\w+\(|\bis\(|\bcheck_?\w*\(|\bvalidate\w*\("
)
STARTS = re.compile(
    r"(?P<raising>\b(?:pytest\.)?(?:raises|warns|deprecated_call)\s*\(|#\[\s*should_panic\b)"
    r"|(?P<fluent>\b(?:expect(?:\.soft|\.poll)?|expectTypeOf|assertThat|assertThatThrownBy|assertThatExceptionOfType)\s*[({]"
    r"|(?<=[\w)\]\"])\.(?:Should|should)\s*\()"
    r"|(?P<complaint>\b(?:t|tb|b|s\.T\(\)|suite\.T\(\))\.(?:Errorf|Error|Fatalf|Fatal|Fail|FailNow)\s*\()"
    r"|(?P<call>(?<![\w.])(?:[\w$]+(?:\(\))?(?:\.|->|::)){0,3}(?:assert\w*|Assert\w*|XCTAssert\w*|EXPECT_\w+|ASSERT_\w+|REQUIRE\w*|refute\w*"
    r"|(?:assert|require|Assert|chai\.assert|should|test|t|is|check|verify)\.(?!run|Run|skip|Skip|only|each|describe|before|after|step|Log|Helper|Cleanup|Parallel|Setenv|TempDir|Name|Context)\w+"
    r"|(?:check|verify|validate|ensure|expect)_?[A-Za-z]\w*)!?\s*\()"
    r"|(?P<statement>^[ \t]*(?:assert|refute)(?:!)?[ \t]+(?=\S))"
    r"|(?P<words>^[ \t]*(?:assert|refute|must|wont)_\w+[ \t]+(?=\S)|[ \t]should(?:Not)?[A-Z]\w*\b)"
    r"|(?P<orphan>^[ \t]*\.(?:not\.|resolves\.|rejects\.)*(?:to[A-Z]\w*|is[A-Z]\w*|to\.\w+)\s*\()",
    re.M,
)

# -- comments ------------------------------------------------------------------------------------------

_SLASHES = ("//", "/*", "*/")
COMMENTS: dict[str, tuple[str, ...]] = {
    "python": ("#",),
    "ruby": ("#",),
    "elixir": ("#",),
    "shell": ("#",),
    "php": (*_SLASHES, "#"),
} | dict.fromkeys("javascript go rust java csharp swift dart cpp".split(), _SLASHES)
NO_COMMENT: dict[str, tuple[str, ...]] = {
    "php": ("#[",),
    "rust": ("#[",),
    "cpp": ("#",),
    "go": ("//go:build", "// +build"),
}
UNCOMMENT = re.compile(r"^\s*(?:#+|//+|/\*+|\*|--|%)\s?|\s*\*/\s*$")

# -- how a test is declared ------------------------------------------------------------------------------

_TITLE = r"(?:'(?P<a>(?:\\.|[^'\\])*)'|\"(?P<b>(?:\\.|[^\"\\])*)\"|`(?P<c>(?:\\.|[^`\\])*)`)"
DECLARED: dict[str, re.Pattern[str]] = {
    "python": re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(?P<name>test\w*)[ \t]*(?:\(|$)", re.M),
    "javascript": re.compile(
        r"^[ \t]*(?:await[ \t]+)?(?:it|test|specify|Deno\.test|fit|xit|xtest)(?:\.(?!describe|step|use|before|after|extend|setTimeout|slow)\w+(?:\([^()\n]*\))?)*"
        r"(?:\(\s*\[.*?\]\s*\)|`[^`]*`)?\s*\(\s*" + _TITLE,
        re.M | re.S,
    ),
    "go": re.compile(r"^func[ \t]+(?P<name>(?:Test|Fuzz|Example)(?![a-z])\w*)[ \t]*\(", re.M),
    "rust": re.compile(
        r"#\[\s*(?:\w+::)*(?:test|rstest|test_case|wasm_bindgen_test|quickcheck|proptest)\b[^\]]*\](?:\s*#\[[^\]]*\]|\s*//[^\n]*)*"
        r"\s*(?:pub\s+)?(?:async\s+)?fn\s+(?P<name>\w+)"
    ),
    "java": re.compile(
        r"@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b[^{;]*?\b(?:void|fun|def|Unit)\s+(?P<name>`[^`]+`|\w+)\s*\("
        r"|^[ \t]*public\s+void\s+(?P<a>test\w+)\s*\(|^[ \t]*(?:def|should|it|test)\s*\(?\s*\"(?P<b>[^\"]+)\"",
        re.M,
    ),
    "ruby": re.compile(
        r"^[ \t]*(?:x|f)?(?:it|specify|scenario|example|test)\b[ \t(]+(?:'(?P<a>[^'\n]*)'|\"(?P<b>[^\"\n]*)\")|^[ \t]*def[ \t]+(?P<name>test_\w+)",
        re.M,
    ),
    "php": re.compile(
        r"\bfunction\s+(?P<name>test\w+)\s*\(|(?:@test\b|#\[(?:\w+\\)*Test\])[^{;]*?\bfunction\s+(?P<d>\w+)|^[ \t]*(?:it|test)\s*\(\s*(?:'(?P<a>[^'\n]*)'|\"(?P<b>[^\"\n]*)\")",
        re.M,
    ),
    "csharp": re.compile(
        r"\[\s*(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod|TestCaseSource)\b[^{;]*?\b(?:void|Task(?:<[^>]*>)?|ValueTask)\s+(?P<name>\w+)\s*\("
    ),
    "elixir": re.compile(r"^[ \t]*(?:test|property|doctest)[ \t(]+\"(?P<a>(?:\\.|[^\"\\])*)\"", re.M),
    "swift": re.compile(r"\bfunc[ \t]+(?P<name>test\w*)[ \t]*\(|@Test\b[^{]*?\bfunc[ \t]+(?P<a>\w+)"),
    "dart": re.compile(
        r"^[ \t]*(?:test|testWidgets|blocTest\S*)\(\s*(?:'(?P<a>[^'\n]*)'|\"(?P<b>[^\"\n]*)\")", re.M
    ),
    "cpp": re.compile(
        r"^[ \t]*(?:TYPED_)?TEST(?:_F|_P)?\(\s*(?P<name>\w+\s*,\s*\w+)|^[ \t]*(?:TEST_CASE|SCENARIO|BOOST_AUTO_TEST_CASE)\(\s*\"?(?P<a>[^\"\n),]+)",
        re.M,
    ),
    "shell": re.compile(r"^[ \t]*@test[ \t]+['\"](?P<a>[^'\"\n]+)|^[ \t]*(?P<name>test_\w+)\s*\(\)", re.M),
}
DECLARING_MARK: dict[str, re.Pattern[str]] = {
    "rust": re.compile(r"^\s*#\[\s*(?:\w+::)*(?:test|rstest)\b[^\]]*\]\s*$"),
    "java": re.compile(r"^\s*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b.*$"),
    "csharp": re.compile(r"^\s*\[\s*(?:Fact|Theory|Test|TestCase|TestMethod)\b.*\]\s*$"),
    "php": re.compile(r"^\s*(?:\*\s*@test\b|/\*\*\s*@test\b|#\[(?:\w+\\)*Test\]).*$"),
    "swift": re.compile(r"^\s*@Test\b.*$"),
}
"""The line that makes a function a test, in languages where its name does not."""

FUNCTIONS = re.compile(
    r"\b(?:def|func|fn|fun|function|void|Task|sub|proc|private|class|const|let|var)\s+(?P<name>[\w`]+)|^[ \t]*(?P<word>[a-z]\w*)(?:\.\w+)?\s*\(\s*['\"`](?P<title>[^'\"`\n]+)",
    re.M,
)
CASES = re.compile(
    r"parametri[sz]e|\.each\b|\beach\(|\bcases\b|\btestCases\b|\btests\s*:?=|\btt\b|\btc\b|subTest|t\.Run\(|[dD]ataProvider|->with\(|TestCase\("
    r"|InlineData|MemberData|CsvSource|MethodSource|ValueSource|EnumSource|rstest|#\[case|test_case\(|where:|hypothesis|@given|proptest!|fc\.assert"
    r"|for \w+(?:, ?\w+)* (?:in|of|:=)|\.forEach\(|\.each do|for \(|quickcheck|unfold\(|withData|INSTANTIATE_TEST|forAll"
)
"""How many tests are told as one with a table of cases."""

# -- how a test is switched off ----------------------------------------------------------------------------

SKIPPED: dict[str, re.Pattern[str]] = {
    "python": re.compile(
        r"\bmark\.(?:skip|skipif|xfail)\b|\bpytest\.(?:skip|xfail)\s*\(|@(?:unittest\.|pytest\.)?(?:skip|skipIf|skipUnless|expectedFailure|xfail)\b"
        r"|\bself\.skipTest\s*\(|raise\s+(?:unittest\.|pytest\.)?Skip(?:Test|ped)|\b__test__\s*=\s*False|unittest\.skip\w*\("
        r"|pytest\.importorskip\("
    ),
    "javascript": re.compile(
        r"\b(?:it|test|describe|context|suite|specify|bench|Deno\.test)(?:\.\w+)*\.(?:skip|todo|fails|failing|fixme|ignore)\b|\bx(?:it|test|describe|context|specify)\s*[(.]"
        r"|\b(?:this|t|ctx|context|test)\.(?:skip|fixme)\s*\(|\bpending\s*\(|\bskip:\s*true|\bignore:\s*true|\.skipIf\(|\btodo:\s*true"
    ),
    "go": re.compile(
        r"\b[a-z]\w*\.Skip(?:f|Now)?\s*\(|^//(?:go:build| \+build)\s+(?:ignore|never|disabled)|\b(?:P|X)(?:It|Describe|Context)\("
    ),
    "rust": re.compile(
        r"#\[\s*ignore\b|#\[\s*cfg\s*\(\s*(?:any\(\)|FALSE|never|disabled)|#\[\s*cfg_attr\s*\([^\]]*\bignore\b"
    ),
    "java": re.compile(
        r"@(?:Disabled\w*|Ignore\w*|PendingFeature)\b|\benabled\s*=\s*false|\bassumeTrue\s*\(\s*false|\bassumeFalse\s*\(\s*true|\bAssumptions?\.\w+\(|\bx(?:it|test|describe|context)\s*\("
        r"|\bxshould\b|\.config\(enabled = false|\bthrow\s+(?:new\s+)?(?:Skip|TestAborted)\w*Exception"
    ),
    "ruby": re.compile(
        r"\bx(?:it|describe|context|specify|scenario|feature)\b|^\s*(?:skip|pending)\b|\b(?:skip|pending):\s*(?:true|['\"])"
    ),
    "php": re.compile(
        r"\bmarkTest(?:Skipped|Incomplete)\s*\(|->(?:skip|todo)\s*\(|@(?:skip|incomplete)\b|#\[(?:\w+\\)*(?:Ignore|Skip)"
    ),
    "csharp": re.compile(
        r"\bSkip\s*=\s*|\[\s*(?:Ignore|Explicit|Skip)\b|\bAssert\.(?:Ignore|Inconclusive|Skip)\s*\(|\bSkip\.(?:If|Always)\b"
    ),
    "elixir": re.compile(
        r"@(?:module|describe)?tag\s+(?::skip|:pending|:ignore|skip:)|\b(?:skip|pending):\s*true"
    ),
    "swift": re.compile(r"\bXCTSkip\w*\b|\.disabled\s*\(|\bfunc\s+(?:skip|disabled)_?[tT]est"),
    "dart": re.compile(r"\bskip:\s*(?:true|['\"])|@Skip\b"),
    "cpp": re.compile(
        r"\bGTEST_SKIP\b|\bDISABLED_\w+|\bQSKIP\b|\bSKIP\(|\[!shouldfail\]|\[!mayfail\]|\[\.\]|\[!hide\]|BOOST_TEST_DISABLED|test::disabled|doctest::skip"
    ),
    "shell": re.compile(r"^\s*skip\b"),
}
CONDITIONAL = re.compile(
    r"sys\.platform|os\.name|platform\.(?:system|machine|python)|\b(?:IS_)?(?i:windows|macos|linux|darwin|win32)\b|GOOS|GOARCH|process\.(?:platform|version|arch)"
    r"|shutil\.which|which\(|importorskip|find_spec|(?i:\bhas_?\w+|\bhave_?\w+|\bno_\w+)|is_?[aA]vailable|_AVAILABLE|cuda|version_info|testing\.Short|(?:En|Dis)abledOn(?:Os|Jre)"
    r"|DisabledIf|EnabledIf|target_os|target_arch|cfg\(not|LookPath|getuid|geteuid|[iI]s_?[rR]oot|getoption|skipUnless|skip_unless|feature\s*="
)
"""A skip that depends on the machine: it takes nothing from a pass on one where the test runs."""
ONLY: dict[str, re.Pattern[str]] = {
    "javascript": re.compile(
        r"\b(?:it|test|describe|context|suite|specify)(?:\.\w+)*\.only\b|\bf(?:it|describe|context)\s*\(|\bonly:\s*true"
    ),
    "ruby": re.compile(r"\bf(?:it|describe|context|specify)\b\s|\bfocus:\s*true|,\s*:focus\b"),
    "go": re.compile(r"\bF(?:It|Describe|Context|Entry)\("),
    "php": re.compile(r"->only\s*\("),
    "dart": re.compile(r"\bsolo:\s*true"),
    "elixir": re.compile(r"@(?:module)?tag\s+:(?:only|focus)\b"),
}
BLOCK_OPENED: dict[str, re.Pattern[str]] = {
    "python": re.compile(r"^\s*(?:\"\"\"|''')\s*$|^\s*if\s+(?:False|0)\s*:"),
    "ruby": re.compile(r"^=begin\b|^\s*if\s+false\b|^__END__"),
    "elixir": re.compile(r"^\s*if\s+false\b"),
    "cpp": re.compile(r"^\s*#\s*if\s+(?:0|false)\b|^\s*/\*(?!.*\*/)"),
    "csharp": re.compile(r"^\s*#\s*if\s+(?:false|NEVER|DISABLED)\b|^\s*/\*(?!\*)(?!.*\*/)"),
} | {
    name: re.compile(r"^\s*/\*(?!\*)(?!.*\*/)|^\s*if\s*\(?\s*(?:false|0)\s*\)?\s*\{|^\s*#\s*if\s+false\b")
    for name in "javascript go rust java php swift dart".split()
}
NEVER = re.compile(
    r"^\s*(?:if|while)\s*\(?\s*(?:False|false|0|nil)\s*\)?\s*[:{]|^\s*if\s+false\s*(?:do|then)?\s*$|^\s*#\s*if\s+(?:0|false)\b",
    re.M,
)
"""Code behind it never runs."""
EARLY_RETURN = re.compile(
    r"^\s*return(?:\s*;)?(?:\s*(?:#|//).*)?$|^\s*return\s+(?:None|nil|undefined|true|True|Ok\(\(\)\))\s*;?$|^\s*process\.exit\(0\);?$"
)

# -- failures that are swallowed ---------------------------------------------------------------------------

SWALLOWED: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "an AssertionError is caught",
        re.compile(
            r"except\s*\(?[^:\n]*\bAssertionError\b[^:\n]*:(?!\s*(?:\n\s*)?raise)|except\s+AssertionError\b"
        ),
    ),
    (
        "a failure of the test is caught and dropped",
        re.compile(
            r"except(?:\s+\(?(?:Base)?Exception\)?(?:\s+as\s+\w+)?)?\s*:\s*(?:\n\s*)?(?:pass|return|continue|\.\.\.|print\([^\n]*\)|log\w*\.\w+\([^\n]*\))[ \t]*(?:\n|$)"
        ),
    ),
    (
        "failures are suppressed",
        re.compile(r"\bsuppress\s*\(\s*(?:AssertionError|Exception|BaseException)\b"),
    ),
    (
        "a failure of the test is caught and dropped",
        re.compile(
            r"\bcatch\s*(?:\(\s*[^()]*\))?\s*\{\s*(?:(?://[^\n]*|/\*.*?\*/|console\.\w+\([^\n]*\);?|System\.out[^\n]*|e\.printStackTrace\(\);?|return;?)\s*)*\}",
            re.S,
        ),
    ),
    (
        "a failure of the test is caught and dropped",
        re.compile(
            r"\brescue\s+(?:=>\s*\w+\s*$|Minitest::Assertion|RSpec::Expectations|Exception|StandardError)[^\n]*\n\s*(?:nil|#[^\n]*|puts[^\n]*)?\s*end",
            re.M,
        ),
    ),
    (
        "the promise's failure is dropped",
        re.compile(r"\.catch\s*\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|null|undefined|true)\s*\)"),
    ),
    ("a panic is recovered", re.compile(r"defer\s+func\s*\(\s*\)\s*\{\s*(?:_\s*=\s*)?recover\(\)\s*\}")),
)

FAKED = re.compile(
    r"(?:TestCase\.assert\w+|\bassert\w+|\bexpect)\s*=\s*(?:lambda\b|\(?\.*\w*\)?\s*=>|function|Mock|MagicMock|jest\.fn|vi\.fn)"
    r"|def\s+__eq__\s*\([^)]*\)[^:]*:\s*return\s+True|def\s+==\s*\(\w+\)\s*\n?\s*true"
)
"""A comparison that holds whatever is compared."""

SUPPORT_RULES: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    (
        "failure_ignored",
        "test reports are rewritten as passed",
        re.compile(r"\.outcome\s*=\s*['\"](?:passed|skipped)['\"]|\.wasxfail\s*=|\bexcinfo\s*=\s*None"),
    ),
    (
        "failure_ignored",
        "the exit status is set to success",
        re.compile(
            r"\bexitstatus\s*=\s*(?:0\b|pytest\.ExitCode\.OK|ExitCode\.OK)|\bos\._exit\s*\(\s*0?\s*\)|\bsys\.exit\s*\(\s*0?\s*\)|pytest\.exit\([^)]*returncode\s*=\s*0|process\.exit(?:Code\s*=\s*0|\s*\(\s*0\s*\))|\bos\.Exit\s*\(\s*0\s*\)|at_exit\s*\{\s*exit!?\s*\(?0"
        ),
    ),
    (
        "test_skipped",
        "tests are marked as skipped or expected to fail while they are collected",
        re.compile(
            r"\.add_marker\s*\(\s*(?:pytest\.mark\.)?(?:skip|xfail)\w*|\.add_marker\s*\(\s*pytest\.mark\.(?:skip|xfail)"
        ),
    ),
    (
        "tests_narrowed",
        "tests are left out while they are collected",
        re.compile(
            r"\bcollect_ignore(?:_glob)?\s*(?:\+?=|\.)|\bitems\s*\[\s*:\s*\]\s*=\s*(?!sorted)|\bitems\.clear\s*\(|\bitems\.remove\s*\(|\bdef\s+pytest_ignore_collect|pytest_deselected"
        ),
    ),
)
GUARDED = re.compile(
    r"getoption|addoption|--run-?\w+|keywords|get_closest_marker|argv|environ|platform|version|which\(|import",
    re.I,
)
