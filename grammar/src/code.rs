//! The codes of all messages: of the reader, of the compiler, of the printer and of projects. They are here because everybody knows this crate.
//!
//! A code is the name of its page in `docs/diagnostics/`. What a message takes for granted is told here too, so that nobody has to compare codes
//! to find out whether it only follows from another.

macro_rules! codes {
    ($($name:ident = $text:literal,)*) => {
        /// Which mistake a message is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($name,)*
        }

        impl Code {
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            /// The name of its page.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)*
                }
            }

            /// The code with this name.
            pub fn named(text: &str) -> Option<Code> {
                Some(match text {
                    $($text => Code::$name,)*
                    _ => return None,
                })
            }
        }
    };
}

codes! {
    AmbiguousName = "ambiguous-name",
    BadColour = "bad-colour",
    BadNumber = "bad-number",
    BadTemplate = "bad-template",
    CannotAssign = "cannot-assign",
    CannotBuild = "cannot-build",
    CannotCalculate = "cannot-calculate",
    CannotCompare = "cannot-compare",
    CannotModify = "cannot-modify",
    CardCycle = "card-cycle",
    CardTooFull = "card-too-full",
    ChainTooLong = "chain-too-long",
    ChangesNothing = "changes-nothing",
    ClosedEnum = "closed-enum",
    DiceAndOdds = "dice-and-odds",
    DivisionByZero = "division-by-zero",
    DoesNothing = "does-nothing",
    DuplicateArgument = "duplicate-argument",
    DuplicateEntry = "duplicate-entry",
    DuplicateField = "duplicate-field",
    DuplicateLabel = "duplicate-label",
    DuplicateName = "duplicate-name",
    EmptyRange = "empty-range",
    EndlessAction = "endless-action",
    EndlessRepeat = "endless-repeat",
    ExpectsNothing = "expects-nothing",
    ImpossibleDice = "impossible-dice",
    ImpossibleRoll = "impossible-roll",
    IncompletePicture = "incomplete-picture",
    IndentedItem = "indented-item",
    KindCycle = "kind-cycle",
    LimitBroken = "limit-broken",
    LimitUnclear = "limit-unclear",
    LimitsTooCostly = "limits-too-costly",
    ManifestBadVersion = "manifest-bad-version",
    ManifestMissingField = "manifest-missing-field",
    ManifestMissingFolder = "manifest-missing-folder",
    ManifestOutsideFolder = "manifest-outside-folder",
    ManifestSyntax = "manifest-syntax",
    ManifestUnknownField = "manifest-unknown-field",
    ManifestUnknownRules = "manifest-unknown-rules",
    ManifestWrongType = "manifest-wrong-type",
    MisplacedDuration = "misplaced-duration",
    MisplacedLine = "misplaced-line",
    MissingArgument = "missing-argument",
    MissingBrace = "missing-brace",
    MissingColon = "missing-colon",
    MissingDefault = "missing-default",
    MissingDuration = "missing-duration",
    MissingElse = "missing-else",
    MissingEvent = "missing-event",
    MissingField = "missing-field",
    MissingKind = "missing-kind",
    MissingName = "missing-name",
    MissingNumber = "missing-number",
    MissingPicture = "missing-picture",
    MissingResult = "missing-result",
    MissingRounding = "missing-rounding",
    MissingSpace = "missing-space",
    MissingType = "missing-type",
    MissingUse = "missing-use",
    MissingValue = "missing-value",
    MixedLengths = "mixed-lengths",
    MixedPatterns = "mixed-patterns",
    NestedSentence = "nested-sentence",
    NestingTooDeep = "nesting-too-deep",
    NeverHappens = "never-happens",
    NeverRead = "never-read",
    NeverTrue = "never-true",
    NoCard = "no-card",
    NoLengths = "no-lengths",
    NoMaximum = "no-maximum",
    NoPlace = "no-place",
    NoPlayers = "no-players",
    NoSources = "no-sources",
    NoThis = "no-this",
    NotAPart = "not-a-part",
    NotASet = "not-a-set",
    NotPure = "not-pure",
    NotUtf8 = "not-utf8",
    OpenRange = "open-range",
    OutOfRange = "out-of-range",
    PackageBroken = "package-broken",
    PackageChanged = "package-changed",
    PackageMissing = "package-missing",
    PackageVersion = "package-version",
    PrintedNowhere = "printed-nowhere",
    ChangeWithoutReason = "change-without-reason",
    IdleChange = "idle-change",
    ProjectLeft = "project-left",
    RecursiveTerm = "recursive-term",
    ReservedWord = "reserved-word",
    RowImpossible = "row-impossible",
    RowMissing = "row-missing",
    RowTwice = "row-twice",
    RuleWithoutOwner = "rule-without-owner",
    SharedPicture = "shared-picture",
    SmallPicture = "small-picture",
    StateOnCard = "state-on-card",
    StrayText = "stray-text",
    TestFailed = "test-failed",
    TooManyArguments = "too-many-arguments",
    TooManyFields = "too-many-fields",
    TwoCards = "two-cards",
    TwoGames = "two-games",
    TwoPlurals = "two-plurals",
    TypeNameTaken = "type-name-taken",
    UnclearWords = "unclear-words",
    UnclosedBrace = "unclosed-brace",
    UnclosedBracket = "unclosed-bracket",
    UnclosedString = "unclosed-string",
    UnexpectedLabel = "unexpected-label",
    UnexpectedName = "unexpected-name",
    UnexpectedNumber = "unexpected-number",
    UnexpectedOf = "unexpected-of",
    UnexpectedPreposition = "unexpected-preposition",
    UnexpectedRow = "unexpected-row",
    UnexpectedToken = "unexpected-token",
    UnknownField = "unknown-field",
    UnknownFunction = "unknown-function",
    UnknownItem = "unknown-item",
    UnknownKeyword = "unknown-keyword",
    UnknownKind = "unknown-kind",
    UnknownMember = "unknown-member",
    UnknownModule = "unknown-module",
    UnknownName = "unknown-name",
    UnknownOption = "unknown-option",
    UnknownPart = "unknown-part",
    UnknownPreposition = "unknown-preposition",
    UnknownRegion = "unknown-region",
    UnknownResource = "unknown-resource",
    UnknownRounding = "unknown-rounding",
    UnknownScope = "unknown-scope",
    UnknownType = "unknown-type",
    UnknownUnit = "unknown-unit",
    UnknownVerb = "unknown-verb",
    UnprintableLetter = "unprintable-letter",
    Unreachable = "unreachable",
    UnreadablePicture = "unreadable-picture",
    Unsaid = "unsaid",
    UnusedDefinition = "unused-definition",
    UnusedName = "unused-name",
    WordTooWide = "word-too-wide",
    WrongArgumentCount = "wrong-argument-count",
    WrongKeyword = "wrong-keyword",
    WrongOperator = "wrong-operator",
    WrongPart = "wrong-part",
    WrongPayer = "wrong-payer",
    WrongType = "wrong-type",
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// As people and tests write it.
impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

/// What the message takes for granted. Where that is missing, which is told there, the message follows from it and is not told as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presumes {
    /// That the line it stands in could be read.
    pub line: bool,
    /// That every line of the item could be read: it says that something is missing.
    pub all_lines: bool,
    /// That the block it stands in is the one it was written in.
    pub block: bool,
    /// That whatever could have given a name was read.
    pub names: Named,
}

/// Which word a message is about that nobody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Nothing,
    /// The one it stands at.
    Here,
    /// The verb of its line.
    Verb,
}

/// What cannot be known any more once a mistake in the syntax is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Nothing but the place itself.
    Nothing,
    /// Where anything behind it stands.
    AllBehind,
    /// In which block the line stands, and the next.
    TwoLines,
}

impl Code {
    pub fn presumes(self) -> Presumes {
        use Code::*;
        let names = match self {
            UnknownField | UnknownFunction | UnknownItem | UnknownKeyword | UnknownKind | UnknownMember | UnknownName | UnknownOption
            | UnknownPart | UnknownPreposition | UnknownRegion | UnknownResource | UnknownRounding | UnknownScope | UnknownType
            | UnknownUnit | UnknownVerb | NoLengths | NoPlayers => Named::Here,
            UnexpectedPreposition => Named::Verb,
            _ => Named::Nothing,
        };
        Presumes {
            // what is no item at all has no lines
            line: self != UnknownItem,
            all_lines: matches!(self, RowMissing | UnknownModule),
            block: self == MisplacedLine,
            names,
        }
    }

    /// Of a mistake in the syntax: what is lost by it.
    pub fn loses(self) -> Lost {
        match self {
            Code::UnclosedBrace => Lost::AllBehind,
            Code::UnclosedBracket => Lost::TwoLines,
            _ => Lost::Nothing,
        }
    }

    /// Whether a mistake in the syntax only shows because of this one: a `}` is left over where a `{` is missing, and what is no item at all cannot
    /// be read as one either.
    pub fn explains(self, syntax: Code) -> bool {
        match self {
            Code::MissingBrace => syntax == Code::StrayText,
            Code::UnknownItem => true,
            _ => false,
        }
    }

    /// Whether nobody needs what it is about: an editor shows that faintly.
    pub fn is_about_something_unnecessary(self) -> bool {
        matches!(self, Code::UnusedName | Code::UnusedDefinition | Code::Unreachable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_name() {
        for code in Code::ALL {
            assert_eq!(Code::named(code.as_str()), Some(*code));
        }
        assert_eq!(Code::named("no-such-code"), None);
    }
}
