//! The words of the language, in one place: the parser's reserved words are in `banneret_grammar::words`, everything else that is known by its name
//! is here. Elaboration, messages, completion, hover and the tests of the reference read these tables; none has a list of its own.
//!
//! Deliberately absent: what the words mean. That is the code that is run when one is met, and a test asks that it knows each of them.

pub use banneret_grammar::words::{RESERVED, WORDS};

/// A word that starts an item which is not a card.
#[derive(Debug)]
pub struct ItemWord {
    pub word: &'static str,
    /// Whether the item has a name that others may use.
    pub declares: bool,
    /// Words that may stand in its head, behind its name.
    pub head: &'static [&'static str],
}

const fn item(word: &'static str, declares: bool, head: &'static [&'static str]) -> ItemWord {
    ItemWord { word, declares, head }
}

pub const ITEMS: &[ItemWord] = &[
    item("use", false, &["with", "as"]),
    item("ruleset", true, &[]),
    item("enum", true, &["also", "open"]),
    item("kind", true, &["is", "rank"]),
    item("define", true, &["on", "="]),
    item("fact", true, &[]),
    item("table", true, &[]),
    item("action", true, &[]),
    item("phase", true, &[]),
    item("keyword", true, &["on"]),
    item("limit", false, &["on", "as warning", "covers"]),
    item("face", false, &["of"]),
    item("test", false, &["covers", "with"]),
    item("before", false, &[]),
    item("after", false, &[]),
    item("instead", false, &[]),
    item("at", false, &[]),
    item("grant", false, &[]),
    item("cannot", false, &[]),
    item("must", false, &["choose"]),
];

/// Whether a word starts an item which is not a card.
pub fn is_item_word(word: &str) -> bool {
    ITEMS.iter().any(|item| item.word == word)
}

/// What a kind can be, besides another kind.
pub const ROLES: &[&str] = &["card", "piece", "part", "player", "game"];

/// The types that are called by one word.
pub const TYPES: &[&str] = &[
    "Int", "Bool", "Text", "Percent", "Fraction", "Length", "Target", "Dice", "Rolled", "Player", "Place", "Spot", "Thing", "Rules",
    "Cost", "Picture", "Keyword", "Effect", "Pile", "Size",
];

/// Fields that every card has, whatever its kind.
pub const CARD_FIELDS: &[&str] = &["flavour", "flavor"];

/// A setting of a face: `margin: 3mm`.
#[derive(Debug)]
pub struct FaceSetting {
    pub word: &'static str,
    /// The words of the printer that it understands.
    pub choices: &'static [&'static str],
    /// How it is written, for instance.
    pub sample: &'static str,
    pub doc: &'static str,
}

const fn setting(word: &'static str, choices: &'static [&'static str], sample: &'static str, doc: &'static str) -> FaceSetting {
    FaceSetting { word, choices, sample, doc }
}

pub const FACE_SETTINGS: &[FaceSetting] = &[
    setting("size", &["poker", "tarot"], "63mm by 88mm", "How large the card is."),
    setting("margin", &[], "3mm", "What stays free along the edges."),
    setting("bleed", &[], "3mm", "How far colour and pictures reach over the edge, for the cut."),
    setting("type", &[], "8pt", "How large the letters are."),
    setting("smallest", &[], "6pt", "How small they may become so that all fits."),
    setting("overflow", &["error", "warning"], "error", "Whether a card that does not fit is an error or a warning."),
    setting("side", &["front", "back"], "back", "Which side of the card this is."),
    setting("colour", &[], "\"#7a1f1f\"", "The colour of the bands."),
];

/// A region of a face: `title "{name}"`.
#[derive(Debug)]
pub struct Region {
    pub word: &'static str,
    /// What is written behind it, as an editor offers it: `$1` is the first place to fill in.
    pub snippet: &'static str,
    /// Words that may stand behind its texts, besides those of every region.
    pub options: &'static [&'static str],
    pub doc: &'static str,
}

/// Words that may stand behind the texts of every region.
pub const REGION_OPTIONS: &[&str] = &["optional", "if", "unless"];

const fn region(word: &'static str, snippet: &'static str, options: &'static [&'static str], doc: &'static str) -> Region {
    Region { word, snippet, options, doc }
}

pub const REGIONS: &[Region] = &[
    region("title", " \"$1\"", &["right"], "The band with the name of the card."),
    region("subtitle", " \"$1\"", &["right"], "A smaller line on the band."),
    region("row", " \"$1\"", &[], "Texts side by side."),
    region("stats", " \"$1\"", &[], "Values in boxes, each under its label."),
    region("each", " ${1:part} \"${2:{name\\}}\"", &["rules"], "A line for each part or each card of a list."),
    region("rules", "", &[], "The rules of the card, in words."),
    region("reminders", "", &[], "What the keywords of the card mean."),
    region("flavour", "", &[], "The flavour of the card, if there is room."),
    region("picture", " ${1:portrait}", &["full", "own"], "A picture."),
    region("footer", " \"$1\"", &["right"], "The line at the foot of the card."),
    region("table", "", &[], "The rows of a table that is rolled on."),
    region("line", "", &[], "A line across the card."),
];

pub fn region_called(word: &str) -> Option<&'static Region> {
    REGIONS.iter().find(|region| region.word == word)
}

pub fn face_setting(word: &str) -> Option<&'static FaceSetting> {
    FACE_SETTINGS.iter().find(|setting| setting.word == word)
}

/// Functions of the language, with how their arguments are called in messages.
pub const FUNCTIONS: &[(&str, &str)] = &[
    ("count", "count(SET)"),
    ("sum", "sum(SET, VALUE)"),
    ("min", "min(A, B)"),
    ("max", "max(A, B)"),
    ("lowest", "lowest(SET, VALUE)"),
    ("highest", "highest(SET, VALUE)"),
    ("first", "first(LIST)"),
    ("last", "last(LIST)"),
    ("top", "top(PILE)"),
    ("distinct", "distinct(SET, VALUE)"),
    ("ordered", "ordered(SET, VALUE)"),
    ("reversed", "reversed(LIST)"),
    ("union", "union(A, B)"),
    ("common", "common(A, B)"),
    ("subset", "subset(A, B)"),
    ("copies", "copies(LIST, CARD)"),
    ("nth", "nth(LIST, NUMBER)"),
    ("position", "position(LIST, THING)"),
    ("random", "random(SET)"),
    ("die", "die(SIDES)"),
    ("clamp", "clamp(N, LOW, HIGH)"),
    ("abs", "abs(N)"),
    ("odd", "odd(N)"),
    ("floor", "floor(FRACTION)"),
    ("ceil", "ceil(FRACTION)"),
    ("round", "round(FRACTION)"),
    ("printed", "printed(CARD)"),
    ("row", "row(CARD, FACE)"),
    ("distance", "distance(A, B)"),
    ("gap", "gap(A, B)"),
    ("touching", "touching(A, B)"),
    ("connected", "connected(SET, RELATION)"),
    ("controller", "controller(THING)"),
    ("owner", "owner(THING)"),
    ("holder", "holder(PART)"),
    ("in_play", "in_play(THING)"),
    ("pile_of", "pile_of(CARD)"),
    ("rules", "rules(CARD)"),
    ("toward", "toward(PLACE, PLACE, LENGTH)"),
    ("away", "away(PLACE, PLACE, LENGTH)"),
    ("mean", "mean(DICE)"),
    ("usable", "usable(PART)"),
    ("numbers", "numbers(LOW, HIGH)"),
    ("can_pay", "can_pay(WHO, COST)"),
    ("map", "map(SET, VALUE)"),
    ("every", "every(SET, CONDITION)"),
    ("number", "number(TARGET)"),
    ("target", "target(NUMBER)"),
    ("target_number", "target_number(NUMBER)"),
    ("opponent_of", "opponent_of(PLAYER)"),
    ("place_at", "place_at(X, Y)"),
    ("ahead", "ahead(FROM, DEGREES, LENGTH)"),
    ("bearing", "bearing(FROM, TO)"),
    ("in_arc", "in_arc(THING, FROM, DEGREES, WIDTH)"),
    ("way_length", "way_length(THING, TO, CORNER, CORNER, SET, …)"),
    ("way_distance", "way_distance(THING, FROM, TO)"),
    ("way_inside", "way_inside(THING, FROM, TO)"),
    ("stop_before", "stop_before(FROM, TO, SET)"),
    ("stop_at_edge", "stop_at_edge(FROM, TO, CORNER, CORNER)"),
    ("inside", "inside(THING, CORNER, CORNER)"),
    ("shown", "shown(FROM, TARGET, SET, …)"),
];
