//! Typed views of the tree: what the compiler reads.
//!
//! Every node carries its span. Nothing here is resolved: a run of words is a run of words, and whether `units` is a noun or a variable is
//! the compiler's business. A broken line is present as [`Line::Broken`], so that everything around it can still be checked.

use crate::span::Span;

/// A word at a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    pub text: Box<str>,
    pub span: Span,
}

/// A string literal; `text` has its escapes resolved, `span` includes the quotes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Str {
    pub text: Box<str>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The first word of the item (`unit`, `action`, …).
    pub word: Word,
    pub kind: ItemKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    Use(Use),
    Ruleset(Ruleset),
    Enum(Enum),
    Kind(Kind),
    Define(Define),
    Fact(Fact),
    Table(TableItem),
    /// `action` and `phase`
    Action(Action),
    Keyword(Keyword),
    Limit(Limit),
    Face(Face),
    Test(Test),
    /// A rule of the whole ruleset.
    Rule(Line),
    /// A card of a declared kind.
    Card(Card),
    /// What could not be read at all (the errors say why).
    Broken,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    pub path: Vec<Word>,
    pub alias: Option<Word>,
    pub with: Vec<Setting>,
}

/// `option = value` after `with`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub name: Word,
    pub value: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruleset {
    pub name: Word,
    pub title: Option<Str>,
    pub lengths: Vec<LengthDecl>,
    pub options: Vec<OptionDecl>,
    pub covers: Vec<Covered>,
    /// `version:`, `start:` and whatever else was written.
    pub lines: Vec<Line>,
}

/// `single_card: [Mini] covers OC-001`: the rules that a setting keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covered {
    pub setting: Word,
    pub ids: Vec<Word>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LengthDecl {
    pub name: Word,
    /// The signs it is written with: `"`, `s`, `run`, `runs`.
    pub signs: Vec<Word>,
    pub value: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDecl {
    pub doc: Option<Box<str>>,
    pub name: Word,
    pub ty: Type,
    pub default: Option<Expr>,
    pub covers: Vec<Word>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    pub name: Word,
    pub open: bool,
    /// `enum X also { … }`
    pub also: bool,
    pub members: Vec<EnumMember>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumMember {
    pub doc: Option<Box<str>>,
    pub name: Word,
    pub label: Option<Str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    pub name: Word,
    pub plural: Option<Word>,
    pub is: Vec<Word>,
    pub rank: Option<Expr>,
    pub fields: Vec<FieldDecl>,
    /// `need …`, rules, `says`, `parts: [...]` and broken lines, in order.
    pub lines: Vec<Line>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldRole {
    /// Printed on the card.
    Plain,
    /// `of faction: Faction`
    Of,
    State,
    Resource,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDecl {
    /// The `///` lines above it, joined by spaces.
    pub doc: Option<Box<str>>,
    pub role: FieldRole,
    pub name: Word,
    pub ty: Type,
    pub default: Option<Expr>,
    pub covers: Vec<Word>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    pub kind: TypeKind,
    /// `T?`
    pub optional: bool,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `Int 1..`, `Unit`; a bare range (`0..10`) is `Int` with that range and an empty name.
    Named {
        name: Word,
        range: Option<Expr>,
    },
    /// `set of T`, `list of T`, `pair of T`, `pile of T`, `Choice of T`; `head` is the first word.
    Of {
        head: Word,
        of: Box<Type>,
    },
    /// `Effect(target: Unit, …)`; a parameter without a type has none.
    Effect {
        params: Vec<Param>,
    },
    /// `table by d6 of Entry`
    Table {
        by: Box<Expr>,
        of: Box<Type>,
    },
    /// `attacker | both`
    OneOf(Vec<Word>),
    Broken,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    pub name: Word,
    pub ty: Option<Type>,
    pub default: Option<Expr>,
    pub span: Span,
}

/// A parameter with the preposition that introduces it (none for the first, in parentheses).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrepParam {
    pub prep: Option<Word>,
    pub param: Param,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    pub name: Word,
    pub params: Vec<Param>,
    pub on: Option<Word>,
    pub result: Option<Type>,
    pub value: Expr,
    /// `says "…"` after the value: the words for an adjective
    pub says: Option<Str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub name: Word,
    pub params: Vec<Param>,
    pub result: Option<Type>,
    pub value: Option<Expr>,
    /// `says "…"`: the words for it on cards
    pub says: Option<Str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableItem {
    pub name: Word,
    pub params: Vec<Param>,
    pub result: Option<Type>,
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    pub is_phase: bool,
    pub name: Word,
    pub params: Vec<PrepParam>,
    pub once_per: Option<Word>,
    /// `says "…"` stands among the lines.
    pub block: Block,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyword {
    pub name: Word,
    pub param: Option<Param>,
    pub on: Option<Word>,
    pub block: Block,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    pub words: Str,
    pub on: Option<Word>,
    /// `as warning`: told, but no error
    pub warning: bool,
    pub covers: Vec<Word>,
    pub block: Block,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    pub name: Word,
    pub of: Option<Word>,
    pub covers: Vec<Covered>,
    pub block: Block,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    pub words: Str,
    pub covers: Vec<Word>,
    pub with: Vec<Setting>,
    pub block: Block,
}

/// `unit Reaver "Title" of CrimsonVow from Base template { … }`, and parts nested in cards. `word` is the item word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    pub word: Word,
    pub name: Option<Word>,
    pub title: Option<Str>,
    pub of: Option<Word>,
    pub from: Option<Word>,
    pub template: Option<Word>,
    pub block: Option<Block>,
    pub span: Span,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub lines: Vec<Line>,
    /// From `{` to `}`.
    pub span: Span,
}

/// What follows the name of a region of a face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegionBit {
    Word(Word),
    Text(Str),
    Number(Number, Span),
}

/// One line of any block. Which lines make sense where is the compiler's business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// `health: 14`; `binds` is the second word of `target foe: …`
    Field {
        name: Word,
        binds: Option<Word>,
        value: Expr,
        span: Span,
    },
    /// `weapon Axe { … }`, `effect { … }`, also `marker North` with a title or clause but no block
    Part(Card),
    /// Of a face: `title "{name}" right "{points}"`
    Region {
        name: Word,
        bits: Vec<RegionBit>,
        span: Span,
    },
    /// A row of a `table by` field: `2..5 StillAir "Still Air" { … }`
    Entry {
        key: Expr,
        card: Card,
        span: Span,
    },
    Let {
        names: Vec<(Word, Expr)>,
        span: Span,
    },
    Assign {
        target: Expr,
        op: AssignOp,
        value: Expr,
        span: Span,
    },
    /// `attacks +1`: signed value after a path; `value` includes the sign as unary minus if negative
    Modifier {
        target: Expr,
        negative: bool,
        value: Expr,
        span: Span,
    },
    /// `amount at least 1`
    Bound {
        target: Expr,
        least: bool,
        value: Expr,
        span: Span,
    },
    If {
        arms: Vec<(Expr, Block)>,
        otherwise: Option<Block>,
        span: Span,
    },
    For {
        name: Word,
        set: Expr,
        block: Block,
        span: Span,
    },
    Repeat {
        times: RepeatKind,
        block: Block,
        span: Span,
    },
    Need {
        cond: Expr,
        blame: Option<Expr>,
        covers: Vec<Word>,
        message: Option<Str>,
        span: Span,
    },
    Choose(Choose),
    /// `choose [by P] { lines }`
    Menu {
        by: Option<Expr>,
        lines: Vec<MenuLine>,
        span: Span,
    },
    May {
        label: Option<Str>,
        by: Option<Expr>,
        block: Block,
        span: Span,
    },
    /// `do round by p`, `do t.effect with x`
    Do {
        what: Expr,
        span: Span,
    },
    Alternate {
        name: Word,
        starting: Option<Expr>,
        until_all_pass: bool,
        block: Block,
        span: Span,
    },
    Pass {
        span: Span,
    },
    Proceed {
        span: Span,
    },
    Together {
        block: Block,
        span: Span,
    },
    Todo {
        words: Str,
        span: Span,
    },
    /// A phase written in place.
    Phase {
        action: Action,
        span: Span,
    },
    /// A table whose rows are blocks.
    Table {
        subject: Option<Expr>,
        rows: Vec<Row>,
        span: Span,
    },
    Grant {
        set: Expr,
        block: Block,
        /// It ends with the first of these.
        durations: Vec<Duration>,
        span: Span,
    },
    /// `before`, `after`, `instead of`, `at start of`, `at end of`
    Handler(Handler),
    /// `cannot strike this`, `must choose this by opponent`
    Cannot {
        must: bool,
        patterns: Vec<Pattern>,
        cond: Option<Expr>,
        span: Span,
    },
    /// `state left: 0..x = x` outside a kind: a keyword or a part that remembers something
    State(FieldDecl),
    /// `once per S` alone on a line
    Once {
        scope: Word,
        span: Span,
    },
    /// `says "…"`, or `says NAME "…"` for one name of an action or a kind
    Says {
        of: Option<Word>,
        template: Str,
        span: Span,
    },
    Given {
        things: Vec<Given>,
        span: Span,
    },
    Expect {
        what: Expect,
        span: Span,
    },
    /// A sentence or an expression.
    Expr(Expr),
    Broken {
        span: Span,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignOp {
    Set,
    Add,
    Sub,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RepeatKind {
    Times(Expr),
    Until(Expr),
    UntilPass,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choose {
    pub count: ChooseCount,
    pub name: Word,
    pub from: Expr,
    pub by: Option<Expr>,
    pub each_once_per: Option<Word>,
    pub such_that: Option<Expr>,
    /// `in secret`: only who chooses may see it.
    pub secret: bool,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChooseCount {
    /// `choose x from S`
    One,
    /// `choose 2 xs from S`
    Exactly(Expr),
    /// `choose up to 3 xs from S`
    UpTo(Expr),
    /// `choose any xs from S`
    Any,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)] // nearly all lines of a menu are the large one
pub enum MenuLine {
    /// A sentence, `do …`, or `pass`.
    Line(Line),
    Labelled {
        label: Str,
        block: Block,
        span: Span,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    pub when: When,
    /// Empty for `at end of any event`.
    pub patterns: Vec<Pattern>,
    pub cond: Option<Expr>,
    pub once_per: Option<Word>,
    pub block: Block,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    Before,
    After,
    Instead,
    AtStart,
    AtEnd,
}

/// A sentence to match: `destroy enemy units by this`. For `at start of your turn` the verb is `turn` and `first` is `your`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub verb: Word,
    pub first: Option<Expr>,
    pub preps: Vec<(Word, Expr)>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Duration {
    /// `until start of S`, `until end of next S of X`
    Until {
        at_end: bool,
        next: bool,
        scope: Word,
        of: Option<Expr>,
        span: Span,
    },
    UntilEvent {
        pattern: Pattern,
        span: Span,
    },
    /// `for 2 rounds`
    Scopes {
        count: Expr,
        scope: Word,
        span: Span,
    },
    Game {
        span: Span,
    },
    While {
        cond: Expr,
        span: Span,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub key: RowKey,
    pub value: RowValue,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowKey {
    Expr(Expr),
    Else(Span),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowValue {
    Expr(Expr),
    Block(Block),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    pub what: Expr,
    pub name: Option<Word>,
    pub by: Option<Expr>,
    /// `at (x, y)`
    pub at: Option<(Expr, Expr)>,
    /// `given FACT = VALUE`: the value.
    pub is: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Cards that a limit refuses: its number or its words.
    Refused {
        by: Word,
        cards: Block,
    },
    Cond(Expr),
    Illegal(Expr),
    /// `odds of C == 1/2`
    Odds {
        of: Expr,
        is: Expr,
    },
    Mean {
        of: Expr,
        is: Expr,
    },
    /// `spread of E == [0: 1/8, …]`
    Spread {
        of: Expr,
        is: Expr,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    Number(Number),
    Str(Str),
    /// A bare word; also `this` and `you`.
    Name(Box<str>),
    /// `x.f`
    Field {
        base: Box<Expr>,
        name: Word,
    },
    /// `f(a, b)`
    Call {
        name: Word,
        args: Vec<Expr>,
    },
    /// A run of words: the head and what follows it (`roll` `d6 + 1`).
    Run {
        head: Box<Expr>,
        arg: Box<Expr>,
    },
    /// Something with prepositions: `deal 3 to x by y` is `Sentence { of: Run(deal, 3), … }`.
    Sentence {
        of: Box<Expr>,
        preps: Vec<(Word, Expr)>,
    },
    /// `A of B`
    Of {
        what: Box<Expr>,
        of: Box<Expr>,
    },
    /// `A within L of X`
    Within {
        what: Box<Expr>,
        length: Box<Expr>,
        of: Box<Expr>,
    },
    /// `A where C`
    Where {
        what: Box<Expr>,
        cond: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
        op_span: Span,
    },
    /// `A / B rounded down`: the rounding is the word after `rounded`
    Rounded {
        of: Box<Expr>,
        how: Word,
    },
    Not(Box<Expr>),
    Neg(Box<Expr>),
    Range {
        low: Option<Box<Expr>>,
        high: Option<Box<Expr>>,
    },
    /// `[a, b]`; `[x: 1]` has labels
    List(Vec<ListEntry>),
    /// `(a)`; `(a, b)` is a place in tests
    Paren(Vec<Expr>),
    If {
        arms: Vec<(Expr, Expr)>,
        otherwise: Option<Box<Expr>>,
    },
    Table {
        subject: Option<Box<Expr>>,
        rows: Vec<Row>,
    },
    /// `past(PATTERN) this S`
    Past {
        patterns: Vec<Pattern>,
        cond: Option<Box<Expr>>,
        scope: Option<Word>,
    },
    Broken,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListEntry {
    pub label: Option<Expr>,
    pub value: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
    NotIn,
    Is,
    IsNot,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
}

/// A number token, taken apart. `6"` has sign `"`, `8s` has sign `s`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    Int(i64),
    /// `2.5` in thousandths, only meaningful with a sign
    Decimal {
        thousandths: i64,
    },
    Target(i64),
    Dice(DiceLit),
    /// `6/4`, `3d3/3`: each half is an integer, a target or dice
    Pair(Box<Number>, Box<Number>),
    Length {
        thousandths: i64,
        sign: Box<str>,
    },
    Percent(i64),
    /// Does not fit, or is not a number we know.
    Bad,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiceLit {
    pub count: i64,
    pub sides: i64,
    pub plus: i64,
}
