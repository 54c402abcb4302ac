"""Tables of assertions: by which words they are found and how much each of them demands.

Names are compared bare: ``self.assertEqual`` is ``equal``, ``assert_eq!`` is ``eq``, ``toBe`` is ``tobe``.
They come from the documentation of unittest, pytest, numpy.testing, jest, vitest, chai, node:assert,
supertest, testify, JUnit, AssertJ, Mockito, kotest, RSpec, minitest, PHPUnit, Pest, xunit, NUnit,
FluentAssertions, XCTest, googletest, Catch2, ExUnit and package:test.
"""

from __future__ import annotations

import re

EXACT = 6
"""Equal to a value."""
COUNT = 5
"""As many as this."""
PARTIAL = 4
"""Contains, matches, is greater, is of a type, raises."""
TRUE = 3
"""Is true, false or empty."""
PRESENT = 2
"""Is there at all; raises nothing."""
VACUOUS = 0
"""Holds whatever the code does."""
NEGATED = {EXACT: PARTIAL, COUNT: PARTIAL, PARTIAL: PARTIAL, TRUE: TRUE, PRESENT: TRUE}

_BY_STRENGTH: tuple[tuple[int, str], ...] = (
    (
        EXACT,
        "equal equals eq eql areequal same aresame is identical deepequal deepequals strictequal"
        " deepstrictequal equalvalues exactly listequal dictequal tupleequal setequal sequenceequal"
        " countequal"
        " multilineequal almostequal almosteq allclose arrayequal arrayalmostequal frameequal seriesequal"
        " indexequal approxequal tobe toequal tostrictequal tobecloseto tohavebeencalledwith"
        " tohavebeenlastcalledwith tohavebeennthcalledwith tohavebeencalledexactlyoncewith tohavereturnedwith"
        " tomatchinlinesnapshot tomatchsnapshot tomatchobject objectcontaining tohavetextcontent tohavetext"
        " tohavevalue tohaveattribute tohaveclass tohavestyle tohaveurl tohavetitle tobechecked tobedisabled"
        " tobeenabled isequalto isequaltocomparingfieldbyfield issameas isequaltoignoringcase containsexactly"
        " containsexactlyinanyorder containsonly hasvalue hasmessage be beequivalentto beequal matcharray"
        " containexactly havehttpstatus calledwith calledoncewith calledoncewithexactly hascalls anycall"
        " awaitedwith jsonequal jsoneq yamleq elementsmatch equalerror errorequal streq doubleeq floateq near"
        " returns returnsvalue jsonstringequalsjsonstring members property statuscode matchjson exactjson"
        " databasehas redirect supertest snapshot"
        " yamlsnapshot jsonsnapshot debugsnapshot inlinesnapshot matchsnapshot",
    ),
    (COUNT, "tohavelength tohavecount hassize len length count havelength lengthof single havecount sizeis"),
    (
        PARTIAL,
        "in notin contains contain include includes match matches regex regexmatches regexp notregex greater"
        " less greaterequal lessequal greaterthan lessthan greaterorequal lessorequal greaterthanorequal"
        " lessthanorequal tocontain tocontainequal tomatch tohaveproperty tobegreaterthan"
        " tobegreaterthanorequal tobelessthan tobelessthanorequal tobeinstanceof tobetypeof"
        " tohavebeencalledtimes tohavebeencalledonce calledonce calledtwice callcount startswith endswith"
        " between isinstance instanceof isinstanceof isa beaninstanceof bea bekindof raises throws tothrow"
        " tothrowerror thrownby throw throwexception raiseerror raise rejects ge le gt lt subset superset"
        " haskey"
        " hasproperty containsstring stringcontainsstring notequal noteq ne notsame isnotequalto"
        " isgreaterthan"
        " islessthan containkey errorcontains erroris erroras errorsas matchregex stringstartswith"
        " arrayhaskey"
        " doesnotcontain notcontains within above below atleast atmost warns throwsasync throwsexception"
        " change"
        " times",
    ),
    (
        TRUE,
        "isnull isempty isnil nil null none empty benil tobenull tobeundefined tobenan beundefined benull"
        " isundefined isnone true false istrue isfalse ok tobetruthy tobefalsy betrue befalse betruthy"
        " befalsey"
        " assert check require isok truthy falsy expect refute noerror predicate that success iserror error"
        " iserr called tobevisible tobeinthedocument tobehidden beempty",
    ),
    (
        PRESENT,
        "notnull notnil notnone isnotnone isnotnull isnotnil notempty isnotempty tobedefined bedefined exists"
        " exist ispresent bepresent benonnull notbenull benotnull present issome some toexist defined"
        " notundefined"
        " isobject isstring isnumber isarray isfunction isbool isint"
        " isfloat isnumeric iscallable isiterable tohavebeencalled nothrow doesnotthrow doesnotraise"
        " shouldnotbe",
    ),
)
_NOTHING = (VACUOUS, "nottoperformassertions")
STRENGTHS: dict[str, int] = {
    name: strength for strength, names in (*_BY_STRENGTH, _NOTHING) for name in names.split()
}
PREFIXES = ("xctassert", "assertthat", "assert", "expect", "require", "check", "must", "contract", "should")
"""Taken off the front of a name."""
RAISING = frozenset(
    "raises throws tothrow tothrowerror throw throwexception raiseerror raise thrownby throwsasync"
    " throwsexception".split()
)
RECORDING = re.compile(r"(?i)^(?:golden|goldie|snaps|approvals|cupaloy|approvaltests)\.")
"""Libraries that compare with recorded output, whatever the function is called."""
NULLS = frozenset(
    "null nil none empty isnull isnil isempty tobenull tobeundefined benil beempty benull beundefined".split()
)
LINKS = frozenset(
    "to be been is that which and has have with at of same but does still also deep own any all resolves"
    " rejects"
    " soft poll should Should eventually as describedAs withMessage asInstanceOf first extracting"
    " usingRecursiveComparison And Which returning by".split()
)
"""Words of a fluent chain that demand nothing by themselves."""
ASSERTING = re.compile(
    r"(?i)should|must|expect|assert|check|verify|ensure|equal|match|snapshot|approve|\bto_?be"
)
"""Words by which a line asserts, whatever the framework."""
NEGATIONS = frozenset("not never to_not not_to should_not shouldNot Not isNot".split())
PLAIN_VALUES = frozenset(
    "true false True False None nil null undefined [] {} () '' \"\" `` :ok NULL nullptr".split()
)
"""Comparing with one of them is no more than asking whether it is true or empty."""
WILDCARD = re.compile(
    r"^(?:expect\.(?:any|anything)\(.*\)|expect\.\w+Containing\((?:\[\]|\{\}|['\"]{2})\)"
    r"|(?:mock\.)?ANY|any\w*\(.*\)|mock\.Anything|anything|sinon\.match\.any)$"
)
ANY_NUMBER_OF_TIMES = re.compile(
    r"expects\(\s*(?:\$this->|self::|static::)?(?:any|zeroOrMore|atLeast\(\s*0)\b"
)
ANY_ERROR = re.compile(
    r"^(?:\w+\.)*(?:Base)?(?:Exception|Throwable|StandardError|Error)(?:::class(?:\.java)?|\.class)?$"
)
ALWAYS_TRUE = re.compile(
    r"^(?:true|True|1|not False|!false|not None|\"[^\"]*\"|'[^']*')$|\bor (?:True|1)$|\|\| ?true$"
    r"|^True or\b|^true \|\|"
)
CONDITIONS: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"^(?:hasattr|callable)\("), PRESENT),
    (
        re.compile(
            r" is not None$|!= ?(?:nil|null|None|undefined)$|!== ?(?:null|undefined)$|\.is_some\(\)$"
            r"|\.isPresent\(\)$"
        ),
        PRESENT,
    ),
    (
        re.compile(
            r"(?<![=!<>])={2,3}(?!=)|\.equals\(|\beq\?|\bis None$|matches!\(|allclose\(|array_equal\("
            r"|isclose\("
            r"|DeepEqual\("
        ),
        EXACT,
    ),
    (
        re.compile(
            r"!={1,2}|\bnot in\b|\bin\b|(?<![-=<>])[<>]=?(?!>)|isinstance\(|\binstanceof\b|=~"
            r"|\.(?:includes|contains|startswith|endswith|starts_with|ends_with|startsWith|endsWith|match|has"
            r"|include\?)\(|re\.(?:search|match|fullmatch)\("
        ),
        PARTIAL,
    ),
    (re.compile(r"(?<![=!<>])=(?![=>~])"), EXACT),  # Elixir's pattern match
)
"""What a condition demands, by the first row that is found in it (brackets and strings blotted out)."""
PLAIN_COMPARISON = re.compile(
    r"={2,3} ?(?:True|False|true|false|None|nil|null|undefined|\[\]|\{\}|\"\"|'')$"
    r"|^(?:True|False|true|false|None|nil|null) ?={2,3}"
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
    (re.compile(r"^diff != \"\"$"), EXACT),
    (
        re.compile(
            r"!=\s*(?!\s|nil\b)|reflect\.DeepEqual|cmp\.(?:Diff|Equal)|bytes\.Equal|!errors\.(?:Is|As)"
            r"|!slices\.Equal|!maps\.Equal"
        ),
        EXACT,
    ),
    (re.compile(r"==\s*(?:nil|0)\b|==\s*\"\"|< 1\b"), PRESENT),
    (re.compile(r"[<>]|==|Contains|HasPrefix|HasSuffix|MatchString"), PARTIAL),
)
"""What a Go test demands that fails if this is so, by the first row that is found; TRUE if none is."""
OPERATORS = re.compile(
    r" ?(?:={2,3}|!={1,2}|<=|>=|(?<!-)>(?!>)|<(?!<)|=~|\bis not\b|\bis\b|\bnot in\b|\bin\b|\band\b|\bor\b|&&"
    r"|\|\||(?<![=!<>])=(?!=)) ?"
)


def strength_of(name: str, otherwise: int = PARTIAL) -> int:
    """What a matcher of this bare name demands; ``otherwise`` for a name that is in no table."""
    return STRENGTHS.get(name, otherwise)


ANY_ASSERTION = re.compile(
    r"assert|Assert|should_panic|expect|Expect|EXPECT|ASSERT|REQUIRE|CHECK|require\.|golden|snaps\.|approv|cupaloy|should|Should|raises"
    r"|refute|(?m:^[ \t]*(?:not_)?to[ ])"
    r"|\(is\s|\(are\s|(?m:^[ \t]*[(\d][\d._)]*[ ]\*[ ]\w)|@test\b"
    r"|must_|verify|Verify|to[A-Z]\w+\(|\bt\.\w+\(|\bis\(|\bcheck_?\w*\(|\bvalidate\w*\("
)
"""Text without any of this holds no assertion."""
CUES = (
    *"assert Assert ASSERT expect EXPECT REQUIRE require CHECK check refute verif validate ensure".split(),
    *"hould raises warns deprecated_call golden goldie snaps approval cupaloy must_".split(),
    *"wont_ @test (is (are .Error .Fatal .Fail .to .is t. is.".split(),
    *(" * ", "to ", "to_not "),
)
"""One of them stands in the line in which an assertion begins."""
STARTS = re.compile(
    r"(?P<lisp>\((?:is|are[ \t]+\[[^\]]*\])[ \t\n]+\()"
    r"|(?P<interaction>^[ \t]*(?:\d+|\(\d+\.\._\))[ ]\*[ ](?=[a-z_]\w*\.))"
    r"|(?P<mocked>(?<![\w.])\$?\w+(?:->|\.)expects\()"
    r"|(?P<raising>\b(?:pytest\.)?(?:raises|warns|deprecated_call)\s*\(|#\[\s*should_panic\b)"
    r"|(?P<fluent>(?<![.\w])(?:expect(?:\.soft|\.poll)?|expectTypeOf|assertThat|assertThatThrownBy"
    r"|assertThatExceptionOfType)\s*[({]"
    r"|\bverify\s*\((?=[a-z]\w*\s*[,)])"
    r"|(?<=[\w)\]\"])\.(?:Should\w*|should)\s*\()"
    r"|(?P<chained>(?<=[\w)\]])\.expect\s*\()"
    r"|(?P<complaint>\b(?:t|tb|b|s\.T\(\)|suite\.T\(\))\.(?:Errorf|Error|Fatalf|Fatal|Fail|FailNow)\s*\()"
    r"|(?P<call>(?<![\w.])(?:[\w$]+(?:\(\))?(?:\.|->|::)){0,3}"
    r"(?:assert\w*|Assert\w*|XCTAssert\w*|EXPECT_\w+|ASSERT_\w+|REQUIRE\w*|CHECK\w*|refute\w*"
    r"|(?:assert|require|Assert|chai\.assert|should|test|t|is|check|verify)\.(?!run|Run|skip|Skip|only|each"
    r"|describe|before|after|step|Log|Helper|Cleanup|Parallel|Setenv|TempDir|Name|Context)\w+"
    r"|(?:golden|goldie|snaps|approvals|cupaloy|approvaltests)\.\w+"
    r"|(?:check|verify|validate|ensure|expect)_?[A-Za-z]\w*)!?\()"
    r"|(?P<statement>^[ \t]*(?:assert|refute)(?:!)?[ \t]+(?=\S)"
    r"|@test[ \t]+(?!\"|'|(?:fun|func|void|static|public)\b)(?=\S))"
    r"|(?P<words>^[ \t]*(?:assert|refute|must|wont)_\w+[ \t]+(?=\S)|[ \t]should(?:Not)?[A-Z]\w*\b)"
    r"|(?P<orphan>^[ \t]*(?:\.(?:not\.|resolves\.|rejects\.)*(?:to[A-Z]\w*|is[A-Z]\w*|to\.\w+)\s*\("
    r"|(?:to|not_to|to_not)[ ](?=[a-z]\w*[?]?(?:[ (]|$))))",
    re.M,
)
"""Where an assertion begins; the group says by which reader it is read."""
