//! The instructions of the machine.
//!
//! A fragment is a list of instructions over its own registers. Parameters are the first registers. A register is written before it is read.
//! Fragments that are *pure* (terms, predicates, values of modifiers) hold no instruction marked (asks) or (acts); the verifier checks it.
//!
//! Calling conventions, by what a fragment is for:
//!
//! | fragment | parameters | result |
//! |---|---|---|
//! | a `define`, a `table` | as declared; an adjective has (it) | the value |
//! | an action or phase | none: parameters and names bound in the head are fields of the event (`EvGet`) | its result or None |
//! | guard of a handler, `cannot`, `while` | (this, part), event readable by `EvGet` | Bool |
//! | body of a handler | (this, part), event readable and writable | ignored |
//! | predicate of a continuous grant | (this, part, it) | Bool |
//! | value of a continuous modifier | (this, part, it) | the amount |
//! | stored effect | (this, part, the effect's parameters …) | ignored |
//! | stored choice | (this, part) | a list |
//! | default, lower or upper bound of a field | (this) | the value |
//! | limit | (this): the card | ignored; failures are told by `Blame` |
//! | test | none | ignored |
//!
//! In rules of a whole ruleset `this` and `part` are None. Fragments of rules, of `while` and of `until` of a timed grant get what it captured
//! after the parameters listed.

use serde::{Deserialize, Serialize};

use crate::ids::*;
use crate::pack::Notation;

/// How a modifier changes a value. Layers apply in this order; see `docs/reference/language.md`, section 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ModOp {
    Set,
    Add,
    Mul,
    Div,
    DivDown,
    DivUp,
    DivNearest,
    AtLeast,
    AtMost,
}

/// What is done with each element of a list. The fragment's parameters are the captured registers, then the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EachOp {
    /// Keep those for which it is true.
    Filter,
    Map,
    /// Sum of the values (Int, Ratio or Pair; 0 of nothing).
    Sum,
    /// Bool: is it true for one, for all?
    Any,
    All,
    /// The greatest and least value; None of nothing.
    MaxOf,
    MinOf,
    /// The element with the greatest or least value; None if empty or tied.
    Highest,
    Lowest,
    /// Sorted by value, rising; equal ones keep their order.
    SortBy,
    /// One element for each distinct value, the first.
    DistinctBy,
    /// Is the relation (parameters: captures, a, b) connected over the list?
    Connected,
}

/// Functions over registers `start .. start + n`. `(acts)` ones change the world and may not stand in pure fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Fun {
    // numbers
    Min,
    Max,
    Abs,
    Clamp,
    Odd,
    Floor,
    Ceil,
    Round,
    /// Mean of dice, a Ratio.
    DiceMean,
    /// (count: Int, dice) → dice: count times as many.
    DiceTimes,
    /// (sides: Int) → one die with so many sides.
    DiceOf,
    /// (dice, Int) → dice with that added to `plus`.
    DicePlus,
    /// (a, b) → Pair
    MakePair,
    PairX,
    PairY,
    /// (percent, n) → Ratio
    PercentOf,
    // lists
    /// Sum of the numbers of a list: what a roll comes to.
    Total,
    First,
    Last,
    /// The one thing in it, or None if there is none or more than one.
    Only,
    Reversed,
    /// Each thing once.
    Union,
    /// One list after the other.
    Joined,
    Common,
    Subset,
    Distinct,
    /// (list, list) → the first without the things of the second: each takes away one that is the same
    Without,
    /// (list, x) → how many times x is in it
    Copies,
    /// (list, n) → the nth thing of it, counted from 1, or None
    Nth,
    /// (list, x) → where x stands in it first, counted from 1, or None
    Position,
    /// (low, high) → [low, …, high]; refused if longer than the world's limit
    Numbers,
    // limits
    /// (cards, Text) → Bool: whether the limit of that number or those words refuses one of them or of their parts
    Refused,
    // costs
    /// (amount, field as Const Cost of 1) → Cost
    CostTimes,
    /// (a, b) → Cost
    CostPlus,
    /// (who, cost) → Bool
    CanPay,
    // objects
    Controller,
    Owner,
    /// (part) → the object that holds it
    Holder,
    InPlay,
    /// (card object) → Pile or None
    PileOf,
    /// (pile) → list of its cards, top first
    PileCards,
    /// (card object) → Card; (Card) → Card
    PrintedCard,
    /// (part) → Bool: not yet used up by its own `once per`
    Usable,
    /// (object or card) → list of the rule bundles it carries (for limits that ask whether something has rules)
    RulesOf,
    /// (card with a table field, face) → Card of the row, or the part object if it is an object
    Row,
    /// (object) → Text: its printed name
    NameOf,
    // the table
    /// (a, b) → Int: between centres, rounded down to thousandths; pieces without a place are infinitely far (i64::MAX)
    Distance,
    /// (a, b) → Int: between edges, 0 if touching or overlapping
    Gap,
    Touching,
    /// (a, b, length) → Bool: distance(a, b) <= length, exactly
    Within,
    /// (piece, length) → list of Place: spots within that distance that the piece could stand on, a bounded, deterministic choice of candidates, its own first
    Spots,
    /// (from: Place, to: Place, length) → Place: from, moved towards to by at most that length; a negative length moves it away
    Toward,
    /// (piece) → Place or None
    PlaceOf,
    /// (x, y) → Place
    MakePlace,
    /// (from, degrees, length) → Place: straight ahead in a direction
    Ahead,
    /// (from, to) → Int: the direction in degrees, clockwise from up the table
    Bearing,
    /// (thing, from, degrees, width) → Bool: in the arc of that width that looks in that direction
    InArc,
    /// (thing, to, corner, corner, lists of pieces …) → Int: the shortest way inside the rectangle past all of them
    WayLength,
    /// (thing, from, to) → Int: from the centre of a thing to the straight way between two places, rounded down
    WayDistance,
    /// (thing, from, to) → Int: how much of the straight way lies on the thing's base
    WayInside,
    /// (from, to, list of pieces) → Place: as far as the straight way leads before it enters the base of one of them
    StopBefore,
    /// (from, to, corner, corner) → Place: as far as the straight way leads inside the rectangle
    StopAtEdge,
    /// (thing, corner, corner) → Bool: its whole base is inside the rectangle
    Inside,
    /// (from, target, lists of pieces …) → Int: how much of the target's width is seen from the centre of `from` past all of them together
    Shown,
    // acts
    /// (acts) (object, spot): spot is a Place, a Pile (put on top) or InPlay
    Relocate,
    /// (acts) (object, pile): put in at an unknown position
    ShuffleInto,
    /// (acts) (card, owner or None, spot or None) → Obj. Parts are made with it.
    Create,
    /// (acts) (object): out of the game for good
    Remove,
    /// (acts) (object, card, keep: Bool)
    Become,
    /// (acts) (pile)
    Shuffle,
    /// (acts) (player)
    Win,
    /// (acts)
    DrawGame,
    /// (acts) (object, player)
    TakeControl,
    /// (acts) (card or part, holder) → Obj: becomes a part of the holder, made anew from a card
    Attach,
    /// (acts) (keyword, object): the statements that granted it to the object are over
    EndKeyword,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Instr {
    // ---- values
    Const {
        dst: Reg,
        k: ConstId,
    },
    Int {
        dst: Reg,
        v: i32,
    },
    Bool {
        dst: Reg,
        v: bool,
    },
    None {
        dst: Reg,
    },
    Move {
        dst: Reg,
        src: Reg,
    },
    /// Int, Ratio, Pair (by halves), Dice + Int, Cost + Cost.
    Add {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Sub {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// Int, Ratio, Pair * Int, Dice * Int (that many times as many dice).
    Mul {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// Always exact: Ratio, or Int where it comes out even. By zero: fault.
    Div {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    DivDown {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    DivUp {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    DivNearest {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Mod {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Neg {
        dst: Reg,
        a: Reg,
    },
    Not {
        dst: Reg,
        a: Reg,
    },
    Eq {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Lt {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Le {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    AddInt {
        dst: Reg,
        a: Reg,
        v: i32,
    },
    // ---- jumps; a jump back costs fuel like any step
    Jump {
        to: Pc,
    },
    JumpIf {
        cond: Reg,
        to: Pc,
    },
    JumpIfNot {
        cond: Reg,
        to: Pc,
    },
    JumpIfNone {
        src: Reg,
        to: Pc,
    },
    // ---- lists
    MakeList {
        dst: Reg,
        start: Reg,
        n: u16,
    },
    Push {
        list: Reg,
        item: Reg,
    },
    Len {
        dst: Reg,
        list: Reg,
    },
    Index {
        dst: Reg,
        list: Reg,
        i: Reg,
    },
    Contains {
        dst: Reg,
        list: Reg,
        item: Reg,
    },
    Each {
        dst: Reg,
        op: EachOp,
        list: Reg,
        frag: FragId,
        caps: Reg,
        n: u16,
    },
    Call1 {
        dst: Reg,
        fun: Fun,
        a: Reg,
    },
    CallN {
        dst: Reg,
        fun: Fun,
        start: Reg,
        n: u16,
    },
    // ---- objects
    /// With modifiers. `obj` is an Obj or a Card.
    Get {
        dst: Reg,
        obj: Reg,
        field: FieldId,
    },
    /// As printed: base value without any grant. For state: as stored.
    GetRaw {
        dst: Reg,
        obj: Reg,
        field: FieldId,
    },
    /// (acts) Stores state, clamped to the field's range.
    Set {
        obj: Reg,
        field: FieldId,
        src: Reg,
    },
    /// All objects in play of this kind or one that extends it, oldest first. In a limit no game is under way: all cards that are no templates.
    AllOf {
        dst: Reg,
        kind: KindId,
    },
    /// Parts of an object of this kind, in the order written. Of a Card: its part cards.
    Parts {
        dst: Reg,
        obj: Reg,
        kind: KindId,
    },
    /// The part of that name (a card nested in the object's card), or None.
    PartNamed {
        dst: Reg,
        obj: Reg,
        name: StrId,
    },
    IsKind {
        dst: Reg,
        obj: Reg,
        kind: KindId,
    },
    HasKeyword {
        dst: Reg,
        obj: Reg,
        keyword: KeywordId,
    },
    KeywordNumber {
        dst: Reg,
        obj: Reg,
        keyword: KeywordId,
    },
    /// The only object of a kind that `is game`.
    Game {
        dst: Reg,
        kind: KindId,
    },
    /// The value of a switchable option in this game.
    Option {
        dst: Reg,
        option: OptId,
    },
    Players {
        dst: Reg,
    },
    You {
        dst: Reg,
    },
    Opponent {
        dst: Reg,
        of: Reg,
    },
    /// Who `you` is in the current frame from here on: the player whose turn it is in an `alternate`. Calls made from here inherit it as they inherit any
    /// `you`. Lowering puts the former one back when the `alternate` ends.
    SetYou {
        src: Reg,
    },
    // ---- facts (asks)
    /// Known facts are answered from the world; an unknown one stops the machine, which runs this instruction again when it is told.
    Fact {
        dst: Reg,
        fact: FactId,
        start: Reg,
        n: u16,
    },
    // ---- calls
    Call {
        dst: Reg,
        frag: FragId,
        start: Reg,
        n: u16,
    },
    /// Runs a stored effect or evaluates a stored choice (`Value::Code`); of None: nothing, the result is None.
    CallCode {
        dst: Reg,
        code: Reg,
        start: Reg,
        n: u16,
    },
    Return {
        src: Reg,
    },
    // ---- events
    EvGet {
        dst: Reg,
        field: u16,
    },
    EvSet {
        field: u16,
        src: Reg,
    },
    /// In a `before` handler: a modifier on a field of the event, applied by layer when all handlers have run.
    EvMod {
        field: u16,
        op: ModOp,
        src: Reg,
    },
    /// A field of the innermost running phase (or action) of that name; fault if none runs.
    ScopeGet {
        dst: Reg,
        action: ActionId,
        field: u16,
    },
    /// Calls an action (acts). Arguments are the event's parameters in order. `done` becomes false if it was illegal (then nothing happened).
    Emit {
        dst: Reg,
        done: Reg,
        action: ActionId,
        start: Reg,
        n: u16,
    },
    /// A phase written in place opens here and closes at its `ScopeEnd`, in the same fragment.
    ScopeBegin {
        action: ActionId,
        start: Reg,
        n: u16,
    },
    ScopeEnd {
        action: ActionId,
    },
    /// Carries out the event being replaced.
    Proceed,
    TogetherBegin,
    TogetherEnd,
    // ---- heads
    /// Between the declaring lines of a head: where `together` takes turns.
    HeadStep,
    /// The head of an action ends: `before` rules run now, then the body.
    HeadEnd,
    /// The head of a `may` block or a menu line ends.
    Mark,
    /// False: the event (or block) is illegal.
    Need {
        cond: Reg,
    },
    /// Unpayable: illegal.
    Pay {
        who: Reg,
        cost: Reg,
    },
    /// Cards as payment.
    PayCards {
        cards: Reg,
        pile: Reg,
    },
    // ---- questions (asks)
    /// Result: an Int for a single die without `plus`, else a List of faces (with `plus` as a last element if it is not 0).
    Roll {
        dst: Reg,
        dice: Reg,
    },
    /// The top card of a pile, as an Obj or None; asks which it is if the pile's order is unknown.
    Top {
        dst: Reg,
        pile: Reg,
    },
    /// `count` is read for Exactly and UpTo. Captures are the parameters of `such_that` before the chosen list.
    Choose {
        dst: Reg,
        spec: ChooseId,
        set: Reg,
        count: Reg,
        who: Reg,
        caps: Reg,
        n: u16,
    },
    /// Jumps to the chosen line. If none is legal: jumps to the menu's `none`.
    Menu {
        menu: MenuId,
        who: Reg,
    },
    /// Yes: goes on; no, or illegal: jumps.
    May {
        spec: MenuId,
        who: Reg,
        no: Pc,
    },
    // ---- modifiers (acts)
    /// A timed grant. Registers from `start`: the values of its modifiers in order, then what its duration needs (a count, or an object), then what it captures.
    Grant {
        spec: GrantId,
        targets: Reg,
        start: Reg,
    },
    // ---- history
    /// Events since the scope began, oldest first, as a list of `Value::Event`.
    Past {
        dst: Reg,
        spec: PastId,
    },
    LogGet {
        dst: Reg,
        event: Reg,
        field: u16,
    },
    // ---- limits and tests
    /// A limit's `need`: if the condition is false, the failure is noted with the values to blame. From `start`: the two sides of a comparison, and the
    /// words: None for those of the site, or a list of Text and of Pair(value, Text: `+`, `%` or the base length it is written with).
    Blame {
        cond: Reg,
        blame: Reg,
        start: Reg,
        site: SiteId,
        shows: Notation,
    },
    Expect {
        cond: Reg,
        site: SiteId,
        left: Reg,
        right: Reg,
        shows: Notation,
    },
    /// In a test: a statement begins. When the game is over, the running statement ends and the next one begins.
    Statement,
    /// Legality of the code that follows, up to the first `HeadEnd` or `Mark`; then goes on at `end`.
    Probe {
        dst: Reg,
        end: Pc,
    },
    /// Under exact odds: the value whose distribution is asked for.
    Measure {
        site: SiteId,
        src: Reg,
    },
    /// Scripted dice (a list of faces) and answers for this test.
    ScriptDice {
        src: Reg,
    },
    /// A fact that is true in this test, whatever moves. Registers from `start`: what it is about.
    ScriptFact {
        fact: FactId,
        start: Reg,
        n: u16,
        src: Reg,
    },
    ScriptAnswer {
        label: Option<StrId>,
        src: Reg,
    },
    /// Running what is not written yet.
    Todo {
        words: StrId,
    },
}
