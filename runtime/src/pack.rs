//! A pack: everything a game needs, as plain tables. Made by the compiler's linker, checked by the verifier, read by the machine.

use serde::{Deserialize, Serialize};

use crate::bytecode::{Instr, ModOp};
use crate::ids::*;
use crate::value::Value;

/// Raised whenever a pack of an older version could be misread.
pub const FORMAT: u32 = 6;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pack {
    pub format: u32,
    pub name: String,
    pub version: String,
    /// Rule systems and their versions.
    pub rulesets: Vec<(String, String)>,
    pub strings: Vec<String>,
    pub consts: Vec<Value>,
    pub symbols: Vec<Symbol>,
    pub kinds: Vec<Kind>,
    pub fields: Vec<Field>,
    pub cards: Vec<Card>,
    pub keywords: Vec<Keyword>,
    pub bundles: Vec<Bundle>,
    pub actions: Vec<Action>,
    pub fragments: Vec<Fragment>,
    pub facts: Vec<Fact>,
    pub options: Vec<GameOption>,
    pub chooses: Vec<Choose>,
    pub menus: Vec<Menu>,
    pub grants: Vec<Grant>,
    pub pasts: Vec<Past>,
    pub sites: Vec<Site>,
    /// Base lengths and their signs.
    pub lengths: Vec<(StrId, StrId)>,
    pub limits: Vec<Limit>,
    pub tests: Vec<Test>,
    /// Rules of whole rulesets: bundles that are always in force, without a holder.
    pub global_rules: Vec<BundleId>,
    /// The kind the host makes players of.
    pub player_kind: Option<KindId>,
    /// The phase that plays a game; its `with` parameter takes a card of `scenario_kind`.
    pub start: Option<ActionId>,
    pub scenario_kind: Option<KindId>,
    /// How many players sit at the table.
    pub players: u32,
    /// The code of the board that the project's rules measure on (`Board`), for those who draw it.
    pub board: i64,
    /// How well a player stands, as the rules say it: terms of `you`, which are added up.
    pub goals: Vec<FragId>,
    /// What only its player sees: piles, and states of things, for hosts and for those who look ahead for somebody else.
    pub hidden: Vec<Hidden>,
}

/// A pile or a state that only the player sees who has the pile or controls the thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hidden {
    pub field: FieldId,
    /// What the state may be, each as likely for who does not see it. Empty: a pile, or a state whose values cannot be listed.
    pub values: Vec<Value>,
}

/// More players than this sit at no table: a world makes each of them before anything is limited.
pub const MOST_PLAYERS: u32 = 8;

impl Pack {
    /// How many players a game has; two where nothing is said.
    pub fn seats(&self) -> u32 {
        if self.players == 0 { 2 } else { self.players }
    }
}

/// How a number is written for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Notation {
    #[default]
    Plain,
    /// `4+`
    Target,
    /// `50%`
    Percent,
    /// Thousandths of the base length of that name; its sign is in `Pack::lengths`.
    Length(StrId),
}

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    pub file: StrId,
    /// Byte offsets in the file, and the line (from 1).
    pub start: u32,
    pub end: u32,
    pub line: u32,
    /// Words that go with it: the message of a limit, the text of an `expect`, the name of a question.
    pub words: StrId,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    pub name: StrId,
    pub label: StrId,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    pub name: StrId,
    /// Every kind it extends, itself first.
    pub is: Vec<KindId>,
    pub role: Roles,
    pub rank: u32,
    /// Own and inherited.
    pub fields: Vec<FieldId>,
    /// Rules every object of this kind carries (own and inherited).
    pub bundles: Vec<BundleId>,
    /// The length that is the diameter of a piece's base, if the kind has such a field (`base`).
    pub base: Option<FieldId>,
    /// The list of places that are the corners of a piece, around its own place (`corners`), and how far it has turned, in degrees (`facing`).
    pub corners: Option<FieldId>,
    pub facing: Option<FieldId>,
    /// The list of areas that an area leads to (`links`).
    pub links: Option<FieldId>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roles {
    pub card: bool,
    pub piece: bool,
    pub part: bool,
    pub player: bool,
    pub game: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldRole {
    Plain,
    State,
    Resource,
    Pile,
    /// The keywords a card lists.
    Keywords,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    pub name: StrId,
    pub role: FieldRole,
    pub default: Option<FragId>,
    pub low: Option<FragId>,
    pub high: Option<FragId>,
    /// `= max`: starts at the upper bound.
    pub starts_full: bool,
    /// How its value is written for people.
    pub shows: Notation,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    pub name: StrId,
    pub title: StrId,
    pub kind: KindId,
    /// Printed values. Stored code appears as `Value::Code(frag, ObjId(0), ObjId(0))`; the machine puts the holder in when it is read.
    pub values: Vec<(FieldId, Value)>,
    /// Keywords with their numbers.
    pub keywords: Vec<(KeywordId, i64)>,
    /// Rules of its own.
    pub bundles: Vec<BundleId>,
    /// Cards nested in it.
    pub parts: Vec<CardId>,
    pub holder: Option<CardId>,
    /// `once per S` on a part.
    pub once: Option<ActionId>,
    /// Rows of a table field: first face, last face, the row.
    pub rows: Vec<(i64, i64, CardId)>,
    pub template: bool,
    pub site: SiteId,
    /// The generated or overridden rules text.
    pub text: StrId,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keyword {
    pub name: StrId,
    pub bundle: BundleId,
    pub numbered: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bundle {
    pub name: StrId,
    pub rank: u32,
    pub rules: Vec<Rule>,
    /// How many values its fragments get after their other parameters: what was captured by the timed grant that puts it in force.
    pub captures: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum When {
    Before,
    Instead,
    After,
    AtStart,
    AtEnd,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rule {
    Handler {
        when: When,
        /// Empty: any event.
        actions: Vec<ActionId>,
        guard: Option<FragId>,
        body: FragId,
        once: Option<ActionId>,
        site: SiteId,
    },
    Grant {
        /// Who: predicate (this, part, it). None: `this` itself.
        who: Option<FragId>,
        /// Only objects of this kind are asked about.
        kind: KindId,
        cond: Option<FragId>,
        mods: Vec<Mod>,
        /// Keywords given, with the fragment of the number (none: 1 or unnumbered).
        keywords: Vec<(KeywordId, Option<FragId>)>,
        bundles: Vec<BundleId>,
        /// Values of type Rules to put in force: fragments (this, part, it) giving `Value::Rules` or None.
        rules: Vec<FragId>,
        site: SiteId,
    },
    Cannot {
        /// Empty with `choose` true: cannot be chosen.
        actions: Vec<ActionId>,
        choose: bool,
        /// With `choose`: must be chosen before others.
        must: bool,
        /// For actions: (this, part) with the event; for choose: (this, part, it, chooser).
        guard: Option<FragId>,
        site: SiteId,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mod {
    pub field: FieldId,
    pub op: ModOp,
    /// (this, part, it); in a timed grant unused: the value comes in a register
    pub value: FragId,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    pub name: StrId,
    /// Fields of its event: parameters first, then the names bound in the head.
    pub fields: Vec<StrId>,
    /// How the parameters are written in traces; the rest is plain.
    pub shows: Vec<Notation>,
    /// Its own words (`says`), for what is told about it. Empty: only its name is known.
    pub says: Vec<Phrase>,
    /// What is told of it once it is over, with the values it has then. Empty: its own words, and what came of it.
    pub told: Vec<Phrase>,
    pub params: u16,
    /// Which parameter is `by`.
    pub by: Option<u16>,
    pub once: Option<ActionId>,
    pub is_phase: bool,
    /// None for a phase written in place.
    pub body: Option<FragId>,
    /// Events of it are kept for `past`: which fields, and the outermost scope asked about (None: the whole game).
    pub log: Option<LogSpec>,
    pub site: SiteId,
}

/// A piece of the words of an action; numbers are fields of its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phrase {
    Text(StrId),
    Field(u16),
    /// One word if the field is 1 or true, the other otherwise.
    Plural(u16, StrId, StrId),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogSpec {
    pub fields: Vec<u16>,
    pub scopes: Vec<Option<ActionId>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fragment {
    pub name: StrId,
    pub params: u16,
    pub registers: u16,
    pub pure: bool,
    pub code: Vec<Instr>,
    /// Where each instruction comes from; as long as `code`, or empty.
    pub sites: Vec<SiteId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    pub name: StrId,
    pub params: u16,
    /// The answer of a host that cannot see the table.
    pub default: Option<FragId>,
}

/// A switchable ruling and how this project sets it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameOption {
    pub name: StrId,
    pub value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ChooseMode {
    One,
    Exactly,
    UpTo,
    Any,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choose {
    pub name: StrId,
    pub mode: ChooseMode,
    /// Of a choice of one: an option that this does not hold for is none. Captures are its parameters before the option.
    pub keep: Option<FragId>,
    pub such_that: Option<FragId>,
    /// Of a choice of places, without `such_that`: any place this accepts (and `keep`) may be chosen, listed or not. Captures are its parameters before the place.
    pub any_place: Option<FragId>,
    pub each_once: Option<ActionId>,
    /// In a head: offer only what lets the head be completed; nothing to choose is illegal. In a body: skipped.
    pub in_head: bool,
    /// Only who chooses may see the choice and what was chosen.
    pub secret: bool,
    pub site: SiteId,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Menu {
    pub labels: Vec<StrId>,
    /// Where each line starts.
    pub lines: Vec<Pc>,
    /// Where to go if no line is legal.
    pub none: Pc,
    pub site: SiteId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lasts {
    /// Until the given scope starts or ends the `count`-th time from now (1: the running one, or the next if none runs).
    Until { at_end: bool, scope: ActionId, skip_running: bool, of: bool },
    /// For a number of ends of the scope; the count is a register.
    Scopes { scope: ActionId },
    /// Until the next event that the guard accepts; `this` and `part` of the statement and what was captured are its parameters.
    Event { action: ActionId, guard: Option<FragId> },
    /// While the predicate (this, part, it, captures …) holds.
    While { cond: FragId },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Field and operation; values come in registers, in this order.
    pub mods: Vec<(FieldId, ModOp)>,
    /// Keywords given; a numbered one takes a register after the modifiers' values.
    pub keywords: Vec<(KeywordId, bool)>,
    pub bundles: Vec<BundleId>,
    /// How many further registers hold `Value::Rules` to put in force.
    pub rules: u16,
    /// How many registers come last, whose values the fragments of `bundles` and of `lasts` get after their other parameters.
    pub captures: u16,
    /// It ends with the first of these; none: never.
    pub lasts: Vec<Lasts>,
    pub site: SiteId,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Past {
    pub actions: Vec<ActionId>,
    pub scope: Option<ActionId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    pub words: StrId,
    pub covers: Vec<StrId>,
    pub kind: KindId,
    pub body: FragId,
    pub warn: bool,
    pub site: SiteId,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    pub words: StrId,
    pub covers: Vec<StrId>,
    pub body: FragId,
    /// No scripted dice: run by the exact host.
    pub exact: bool,
    pub measures: Vec<Measure>,
    /// Options this test sets otherwise.
    pub with: Vec<(OptId, Value)>,
    pub site: SiteId,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    pub site: SiteId,
    pub expect: Expected,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expected {
    Odds(Value),
    Mean(Value),
    Spread(Vec<(Value, Value)>),
}
