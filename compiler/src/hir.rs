//! What an item means, once names and types are settled.
//!
//! Everything is symbolic: other items are named by [`Key`], never by position, so that the meaning of one item is equal before and after an edit
//! elsewhere. Lowering turns this into fragments, the text generator into words.

pub use banneret_grammar::span::Span;
pub use banneret_runtime::bytecode::{EachOp, Fun, ModOp};
pub use banneret_runtime::pack::{ChooseMode, When};
use smol_str::SmolStr;

use crate::ty::Ty;

pub(crate) mod places;
mod template;

pub use template::{Template, TextPart};

/// The identity of a named thing in a project: `module/Name`, fields and parts `module/Name.part`. The prelude's module is `prelude`.
pub type Key = SmolStr;
pub type Name = SmolStr;

/// A local variable of one item, numbered in order of declaration. Each is declared once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Local(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Ty,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    // ---- constants
    None,
    Bool(bool),
    /// Also target numbers, percents, and lengths in thousandths.
    Int(i64),
    Ratio(i64, i64),
    Text(SmolStr),
    Dice {
        count: i64,
        sides: i64,
        plus: i64,
    },
    /// Key of the enum, name of the member.
    Member(Key, Name),
    Keyword(Key),
    /// A card as printed.
    Card(Key),
    InPlay,
    // ---- names
    Local(Local),
    /// A parameter of the running action, or a name bound in its head; in a handler, of the event it answers.
    EventField(Name),
    This,
    Part,
    You,
    Players,
    Opponent(Box<Expr>),
    /// The one object of a kind that `is game`.
    Game(Key),
    Option(Key),
    /// A field of a running phase: key of the phase, name of the field.
    ScopeField(Key, Name),
    // ---- reading objects
    /// `raw`: as printed or as stored, without modifiers. The field's key is `module/Kind.field` of the kind that declares it.
    Field {
        base: Box<Expr>,
        field: Key,
        raw: bool,
    },
    Parts {
        base: Box<Expr>,
        kind: Key,
    },
    PartNamed {
        base: Box<Expr>,
        name: Name,
    },
    AllOf(Key),
    IsKind {
        base: Box<Expr>,
        kind: Key,
    },
    HasKeyword {
        base: Box<Expr>,
        keyword: Key,
    },
    KeywordNumber {
        base: Box<Expr>,
        keyword: Key,
    },
    // ---- operators
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// The first if it is set, else the second.
    OrElse(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Neg(Box<Expr>),
    Add(Box<Expr>, Box<Expr>),
    Sub(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
    Div(Box<Expr>, Box<Expr>, Rounding),
    Mod(Box<Expr>, Box<Expr>),
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// list, item
    Contains(Box<Expr>, Box<Expr>),
    If {
        arms: Vec<(Expr, Expr)>,
        otherwise: Box<Expr>,
    },
    /// The subject, if any, is put in the local; each row has a test over it.
    Table {
        subject: Option<(Local, Box<Expr>)>,
        rows: Vec<(Expr, Expr)>,
        otherwise: Option<Box<Expr>>,
    },
    // ---- lists
    List(Vec<Expr>),
    Each {
        op: EachOp,
        list: Box<Expr>,
        lambda: Lambda,
    },
    Fun(Fun, Vec<Expr>),
    /// An amount of a resource: key of the resource field.
    Cost {
        amount: Box<Expr>,
        resource: Key,
    },
    /// A pair made of two values.
    Pair(Box<Expr>, Box<Expr>),
    // ---- calls
    /// A `define`, adjective or `table` item.
    Call {
        define: Key,
        args: Vec<Expr>,
    },
    Fact {
        fact: Key,
        args: Vec<Expr>,
    },
    /// A sentence. Arguments in the order of the action's parameters; a left-out one is None and takes its default. If `each` is Some(i), argument i is a
    /// list and the action happens for each of it, together.
    Emit {
        action: Key,
        args: Vec<Option<Expr>>,
        each: Option<usize>,
    },
    /// Runs a stored effect, or evaluates a stored choice.
    Code {
        code: Box<Expr>,
        args: Vec<Expr>,
    },
    Roll(Box<Expr>),
    /// The top card of a pile.
    Top(Box<Expr>),
    // ---- history
    /// The filter is over an event.
    Past {
        actions: Vec<Key>,
        scope: Option<Key>,
        filter: Option<Box<Lambda>>,
    },
    /// A field of an event of the past: the action's key and the field's name.
    LogField {
        event: Box<Expr>,
        action: Key,
        field: Name,
    },
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    Exact,
    Down,
    Up,
    Nearest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// A small function over elements; the body may read locals, event fields and `this` of where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lambda {
    /// One element, or two for relations.
    pub params: Vec<Local>,
    pub body: Box<Expr>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Block {
    pub stmts: Vec<Stmt>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// A term as it is called from somewhere: what its parameters are there, and its body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Through {
    pub params: Vec<(Local, Expr)>,
    pub body: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    Local(Local),
    EventField(Name),
    Field { base: Expr, field: Key },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StmtKind {
    Let(Local, Expr),
    /// A `let` in the head of an action.
    LetField(Name, Expr),
    /// The value is complete: for `x += 1` it holds the sum (reading state raw).
    Assign {
        target: Target,
        value: Expr,
    },
    If {
        arms: Vec<(Expr, Block)>,
        otherwise: Option<Block>,
    },
    For {
        local: Local,
        set: Expr,
        body: Block,
    },
    RepeatTimes {
        count: Expr,
        body: Block,
    },
    RepeatUntil {
        cond: Expr,
        body: Block,
    },
    /// Until `pass`.
    Repeat {
        body: Block,
    },
    Need(Expr),
    Choose(Box<Choose>),
    Menu {
        by: Option<Expr>,
        lines: Vec<MenuLine>,
    },
    May {
        label: Option<SmolStr>,
        by: Option<Expr>,
        head: usize,
        body: Block,
    },
    Pay {
        who: Expr,
        cost: Expr,
    },
    PayCards {
        cards: Expr,
        pile: Expr,
    },
    /// A sentence whose result is not used, or, as the last statement of an action, the result.
    Expr(Expr),
    Alternate {
        local: Local,
        starting: Option<Expr>,
        until_all_pass: bool,
        body: Block,
    },
    /// Leaves the innermost repeat or alternate of the same item.
    Pass,
    Proceed,
    Together(Block),
    Todo(SmolStr),
    /// A phase written in place: its key, its arguments, its body.
    Scope {
        action: Key,
        args: Vec<Expr>,
        body: Block,
    },
    Grant(Box<Grant>),
    /// A modifier line on a field of the event, in a `before` rule.
    EventMod {
        field: Name,
        op: ModOp,
        value: Expr,
    },
    Table {
        subject: Option<(Local, Expr)>,
        rows: Vec<(Expr, Block)>,
        otherwise: Option<Block>,
    },
    // ---- limits
    Blame {
        cond: Expr,
        /// If the condition is a term: the terms it leads through, down to the comparison in the last of them. Filled in where limits are judged.
        through: Vec<Through>,
        blame: Option<Expr>,
        message: Option<Box<Template>>,
    },
    // ---- tests
    Given {
        local: Local,
        card: Expr,
        owner: Option<Expr>,
        place: Option<Box<(Expr, Expr)>>,
    },
    Dice(Expr),
    /// What is true of the table in this test, whatever moves.
    GivenFact {
        fact: Key,
        args: Vec<Expr>,
        value: Expr,
    },
    /// Label and value of each answer; a menu label is a Text.
    Answers(Vec<(Option<Name>, Expr)>),
    /// `sides` are the two halves of a comparison, for the message.
    Expect {
        cond: Expr,
        sides: Option<Box<(Expr, Expr)>>,
        words: SmolStr,
    },
    ExpectIllegal {
        sentence: Expr,
        words: SmolStr,
    },
    /// Cards that exist for this line alone, one of which a limit refuses; `by` is its number or its words.
    Refused {
        by: SmolStr,
        cards: Vec<Card>,
        words: SmolStr,
    },
    Measure {
        of: Expr,
        expected: Expected,
        words: SmolStr,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expected {
    Odds(Expr),
    Mean(Expr),
    Spread(Vec<(Expr, Expr)>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Choose {
    pub name: Name,
    pub into: Target,
    pub mode: ChooseMode,
    /// For Exactly and UpTo.
    pub count: Option<Expr>,
    /// A list, or a stored choice already evaluated (`Code`), which may be None.
    pub from: Expr,
    pub by: Option<Expr>,
    pub each_once: Option<Key>,
    /// Over the chosen list.
    pub such_that: Option<Lambda>,
    pub secret: bool,
    pub in_head: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MenuLine {
    pub label: SmolStr,
    /// How many of the body's statements are its head.
    pub head: usize,
    pub body: Block,
    pub span: Span,
}

/// A timed grant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grant {
    pub targets: Expr,
    /// In these, `it` is not bound: the values are fixed now.
    pub gives: Gives,
    /// It ends with the first of these; none: it lasts for the game.
    pub lasts: Vec<Lasts>,
    /// Fields of the running event that its rules, its `while` or its `until` read, each as a local that takes its value along.
    pub captures: Vec<(Local, Expr)>,
}

/// What a grant gives. In a continuous one the values may read the local `it`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gives {
    pub mods: Vec<Modifier>,
    /// Key of the keyword and its number, if it has one.
    pub keywords: Vec<(Key, Option<Expr>)>,
    /// Values of type Rules.
    pub rules: Vec<Expr>,
    /// Rules written in the grant itself.
    pub own: Vec<Rule>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Modifier {
    pub field: Key,
    pub op: ModOp,
    pub value: Expr,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Lasts {
    Until {
        at_end: bool,
        next: bool,
        scope: Key,
        of: Option<Expr>,
    },
    Scopes {
        count: Expr,
        scope: Key,
    },
    Event {
        action: Key,
        guard: Option<Expr>,
    },
    /// The lambda is over `it`.
    While(Lambda),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    pub kind: RuleKind,
    pub span: Span,
    /// The card it was written in, if it came to this one by `from`: its spans are there.
    pub of: Option<Key>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RuleKind {
    Handler {
        when: When,
        /// Empty: any event.
        actions: Vec<Key>,
        /// Pattern and `where` together; event fields are readable. With several actions, the fields they share.
        guard: Option<Expr>,
        once: Option<Key>,
        body: Block,
        /// The pattern's arguments as written, for the words: (parameter name, what it must match).
        matches: Vec<(Name, Expr)>,
    },
    Grant {
        /// None: `this` itself. Else a predicate over `it`.
        who: Option<Lambda>,
        /// As written, for the words.
        set: Box<Expr>,
        kind: Key,
        /// `it` in the values (may be unused).
        it: Local,
        /// The name under which its own rules know the card or the part the grant stands in, and what that is here; None: they do not name it.
        giver: Option<(Local, Box<Expr>)>,
        gives: Gives,
        cond: Option<Expr>,
    },
    Cannot {
        actions: Vec<Key>,
        /// `cannot choose …`: the lambda is over (it, chooser).
        choose: Option<Lambda>,
        /// `must choose …`: it is chosen before anything else.
        must: bool,
        guard: Option<Expr>,
        matches: Vec<(Name, Expr)>,
    },
}

/// What a line needs to happen so that it means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// A rule answers it.
    Answer,
    /// Something lasts until then.
    Until,
    /// It is forbidden.
    Forbid,
    /// Something happens once in its time.
    Once,
}

// ---- items

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    Define(Define),
    Fact(Fact),
    Action(Action),
    /// `keyword`
    Keyword(Keyword),
    Kind(Kind),
    Card(Card),
    Limit(Limit),
    Test(Test),
    /// Rules of the whole ruleset.
    Rules(Vec<Rule>),
    Ruleset(Ruleset),
    Enum(Enum),
    Face(Face),
    /// `use`, and what is too broken to mean anything.
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    pub key: Key,
    pub params: Vec<Local>,
    pub body: Expr,
    pub says: Option<Template>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub key: Key,
    pub params: Vec<Local>,
    pub default: Option<Expr>,
    pub says: Option<Template>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    pub key: Key,
    pub name: Name,
    pub params: Vec<ActionParam>,
    /// Names bound in the head, after the parameters.
    pub bound: Vec<Name>,
    pub by: Option<usize>,
    pub once: Option<Key>,
    pub is_phase: bool,
    /// How many statements of the body are the head.
    pub head: usize,
    /// None for the phases written in place, whose body stands where they are written.
    pub body: Option<Block>,
    pub says: Option<Template>,
    /// What is told of it once it is over: `says afterwards "…"`.
    pub told: Option<Template>,
    /// Words for its parameters and for what its head binds.
    pub words: Vec<(Name, Template)>,
    /// Phases written in place inside this one.
    pub inner: Vec<Action>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionParam {
    pub prep: Option<Name>,
    pub name: Name,
    pub ty: Ty,
    pub default: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyword {
    pub key: Key,
    pub name: Name,
    pub numbered: bool,
    pub on: Option<Key>,
    /// Those who have it are parts: in its rules `this` is the part.
    pub on_part: bool,
    pub rules: Vec<Rule>,
    /// `state` lines: kept on the holder.
    pub state: Vec<Field>,
    pub says: Option<Template>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    pub key: Key,
    pub name: Name,
    /// Every kind it extends, itself first (roles not included).
    pub is: Vec<Key>,
    pub roles: banneret_runtime::pack::Roles,
    pub rank: u32,
    /// Its own fields.
    pub fields: Vec<Field>,
    pub rules: Vec<Rule>,
    /// `need` lines.
    pub limits: Vec<Limit>,
    /// Words for its fields: of yes and no what is then said of the thing, "is pinned".
    pub words: Vec<(Name, SmolStr)>,
    /// What one of them is called on cards, and several, if not by the words of the source.
    pub says: Option<(SmolStr, SmolStr)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub key: Key,
    pub name: Name,
    pub role: banneret_runtime::pack::FieldRole,
    pub ty: Ty,
    pub default: Option<Expr>,
    pub low: Option<Expr>,
    pub high: Option<Expr>,
    pub starts_full: bool,
    /// Where its name stands.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Card {
    pub key: Key,
    pub name: Name,
    pub title: SmolStr,
    pub kind: Key,
    /// With what was inherited by `from`.
    pub values: Vec<(Key, CardValue)>,
    /// Fields whose value was written in another card, and that card.
    pub values_of: Vec<(Key, Key)>,
    /// The card this part or row was written in, if it came by `from`.
    pub of: Option<Key>,
    pub keywords: Vec<(Key, i64)>,
    pub rules: Vec<Rule>,
    pub parts: Vec<Card>,
    pub once: Option<Key>,
    pub rows: Vec<(i64, i64, Card)>,
    pub template: bool,
    /// `says` of the author's own.
    pub says: Option<SmolStr>,
    pub flavour: Option<SmolStr>,
    pub todos: Vec<SmolStr>,
    pub span: Span,
    /// Name of the file-relative item this text stands in is the item's own; spans of inherited values are not kept.
    pub name_span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CardValue {
    /// A constant expression.
    Value(Expr),
    /// A stored effect; parameters as the kind's `Effect(…)` lists them.
    Effect {
        params: Vec<Local>,
        body: Block,
    },
    /// A stored choice: a set expression over `this`.
    Choice {
        binds: Option<Name>,
        set: Expr,
    },
    Rules(Vec<Rule>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    pub words: SmolStr,
    pub covers: Vec<SmolStr>,
    pub on: Key,
    pub body: Block,
    /// Told, but no error.
    pub warn: bool,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    pub words: SmolStr,
    pub covers: Vec<SmolStr>,
    pub with: Vec<(Key, Expr)>,
    pub body: Block,
    /// No scripted dice: the exact host runs it.
    pub exact: bool,
    /// Phases written in place in it.
    pub inner: Vec<Action>,
}

/// Which numbered rules the settings of a ruleset or a face keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Covers(pub Vec<(Name, Vec<SmolStr>)>);

impl Covers {
    pub fn of(&self, setting: &str) -> &[SmolStr] {
        self.0.iter().find(|(name, _)| name == setting).map(|(_, ids)| ids.as_slice()).unwrap_or_default()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruleset {
    pub key: Key,
    pub title: SmolStr,
    pub version: SmolStr,
    /// Key and value (the default, unless the project sets it).
    pub options: Vec<(Key, Expr)>,
    pub start: Option<Key>,
    /// How many play; two if nothing is said.
    pub players: Option<u32>,
    /// How well `you` stand, for players who look ahead.
    pub goal: Option<Expr>,
    /// Piles of players and states of things that nobody else sees, with what a state may be if that can be listed.
    pub hidden: Vec<(Key, Vec<Expr>)>,
    /// Kinds whose cards each have one front, one back and a name of their own.
    pub single_card: Vec<Key>,
    /// Kinds whose cards may hold rules; empty: all of them.
    pub rules_only_on: Vec<Key>,
    /// Actions that say what using a part or a card means when its odds are asked for.
    pub odds: Vec<Key>,
    /// Actions that the rules do and no card: who writes cards is offered them last.
    pub own_use: Vec<Key>,
    pub covers: Covers,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    pub key: Key,
    /// Name and label.
    pub members: Vec<(Name, SmolStr)>,
}

/// One printed side of the cards of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    pub key: Key,
    pub name: Name,
    pub name_span: Span,
    pub of: Key,
    /// `size` has its second length in `size by`. Words of the printer (`error`, `back`, `poker`) are texts.
    pub settings: Vec<(Name, Expr)>,
    pub covers: Covers,
    pub regions: Vec<Region>,
}

/// A strip of a face, from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    pub kind: RegionKind,
    /// Left out if there is no room.
    pub optional: bool,
    /// Stands there only if this has something to show (`if`), or only if it has nothing (`unless`).
    pub only: Option<Only>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Only {
    pub of: Expr,
    pub shown: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegionKind {
    Title(Sides),
    Subtitle(Sides),
    Footer(Sides),
    Row(Vec<Template>),
    /// The words before the first gap are the label.
    Stats(Vec<Template>),
    /// A line for each thing of a list; with several texts a table whose labels stand above.
    Each {
        list: Expr,
        /// The plural, for the head of the table.
        plural: Name,
        texts: Vec<Template>,
        /// The rules of each thing stand below it.
        rules: bool,
    },
    Rules,
    Reminders,
    Flavour,
    /// The rows of the card's table, or of the card that a field names.
    Table(Option<Expr>),
    Line,
    Picture {
        field: Expr,
        /// In thousandths of a millimetre; without one, all the room there is.
        height: Option<i64>,
        /// Over the whole card, behind everything.
        full: bool,
        /// No two cards have the same one.
        own: bool,
    },
}

/// What stands at the left and at the right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    pub left: Template,
    pub right: Option<Template>,
}
