//! What limits can tell of a card. Cards of which they can tell the same are judged alike, so it is enough to judge one of them.
//!
//! A limit reads few of a card's fields, and which ones can be read off its bytecode. What it reads of a card, written down byte for byte, is the
//! card's *look*: if one card of a look keeps all limits, all of them do. Only what surely says all is used; else a card is judged for itself.

use std::rc::Rc;

use banneret_runtime::bytecode::{Fun, Instr};
use banneret_runtime::ids::{FieldId, FragId};
use banneret_runtime::pack::Pack;
use banneret_runtime::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

use super::laws::Laws;
use super::plain::{PlainCard, PlainValue, Printed};
use crate::check::Analysis;
use crate::db::Universe;
use crate::hir::Key;
use crate::lower::{IdMut, Ids};
use crate::signature::kind_by_key;

/// What one limit can see of the cards it is about.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ReadSet {
    pub on: Key,
    /// What it may read; None if it may ask for more than fields, parts and keywords.
    pub seen: Option<Reads>,
}

/// What can be seen of a card besides its kind, its keywords and its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reads {
    /// Sorted.
    pub fields: Vec<Key>,
    /// What its parts are called.
    pub names_of_parts: bool,
}

/// What a limit, what it calls and what that reads may read: fields, and whether names of parts.
pub(super) fn read_by(pack: &Pack, body: FragId) -> Option<(Vec<FieldId>, bool)> {
    let mut names_of_parts = false;
    let mut met = FxHashSet::default();
    let mut fields = FxHashSet::default();
    let mut todo = vec![body];
    while let Some(frag) = todo.pop() {
        let fragment = pack.fragments.get(frag.index())?;
        if !met.insert(frag) {
            continue;
        }
        if !fragment.code.iter().all(looks_only) {
            return None;
        }
        names_of_parts |= fragment.code.iter().any(|instr| matches!(instr, Instr::PartNamed { .. }));
        let mut knows_cards = false;
        fragment.clone().each_id(&mut |id| match id {
            IdMut::Frag(id) => todo.push(*id),
            IdMut::Field(id) if fields.insert(*id) => {
                let field = pack.fields.get(id.index());
                todo.extend(field.into_iter().flat_map(|field| [field.default, field.low, field.high]).flatten());
            }
            IdMut::Const(id) => knows_cards |= !pack.consts.get(id.index()).is_some_and(is_no_card),
            IdMut::Card(_) => knows_cards = true,
            _ => {}
        });
        // whether a card is this very one is not part of its look
        if knows_cards {
            return None;
        }
    }
    Some((fields.into_iter().collect(), names_of_parts))
}

/// Whether an instruction learns nothing of a card but its kind, its keywords, its parts and the field it names.
fn looks_only(instr: &Instr) -> bool {
    use Instr::*;
    match instr {
        Const { .. } | Int { .. } | Bool { .. } | None { .. } | Move { .. } | Add { .. } | Sub { .. } | Mul { .. } | Div { .. } => true,
        DivDown { .. } | DivUp { .. } | DivNearest { .. } | Mod { .. } | Neg { .. } | Not { .. } | AddInt { .. } => true,
        Eq { .. } | Lt { .. } | Le { .. } | Jump { .. } | JumpIf { .. } | JumpIfNot { .. } | JumpIfNone { .. } => true,
        MakeList { .. } | Push { .. } | Len { .. } | Index { .. } | Contains { .. } | Each { .. } => true,
        Get { .. } | GetRaw { .. } | Parts { .. } | PartNamed { .. } | IsKind { .. } | HasKeyword { .. } | KeywordNumber { .. } => true,
        Option { .. } | Call { .. } | Return { .. } | Blame { .. } => true,
        Call1 { fun, .. } | CallN { fun, .. } => reckons_only(*fun),
        _ => false,
    }
}

fn reckons_only(fun: Fun) -> bool {
    use Fun::*;
    let with_numbers = matches!(fun, Min | Max | Abs | Clamp | Odd | Floor | Ceil | Round | PercentOf | MakePair | PairX | PairY);
    let with_dice_and_costs = matches!(fun, DiceMean | DiceTimes | DicePlus | CostTimes | CostPlus);
    let with_lists = matches!(fun, Total | First | Last | Only | Reversed | Union | Joined | Common | Subset | Distinct | Copies | Numbers);
    with_numbers || with_dice_and_costs || with_lists || matches!(fun, Holder | PrintedCard)
}

fn is_no_card(value: &Value) -> bool {
    match value {
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Ratio(_) | Value::Text(_) | Value::Dice(_) => true,
        Value::Sym(_) | Value::Keyword(_) | Value::Cost(_) => true,
        Value::List(list) => list.iter().all(is_no_card),
        Value::Pair(pair) => pair.iter().all(is_no_card),
        _ => false,
    }
}

/// Which limits are about a kind: a bit for each.
type Limits = u64;

/// Looks at many cards.
pub(super) struct Fingerprints<'a, 'db> {
    db: &'db dyn salsa::Database,
    universe: Universe,
    laws: &'a Laws<'db>,
    /// There are so few limits that each can have a bit.
    few: bool,
    about: FxHashMap<Key, Limits>,
    seen: FxHashMap<Limits, Option<Rc<Reads>>>,
}

/// How a card looks to the limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fingerprint {
    /// No limit is about it.
    NotJudged,
    /// As every card that these bytes are written of.
    Shared(Vec<u8>),
    /// As no other.
    Unique,
}

impl<'a, 'db> Fingerprints<'a, 'db> {
    pub fn new(db: &'db dyn salsa::Database, universe: Universe, laws: &'a Laws<'db>) -> Self {
        Self {
            db,
            universe,
            laws,
            few: laws.read_sets.len() <= Limits::BITS as usize,
            about: FxHashMap::default(),
            seen: FxHashMap::default(),
        }
    }

    pub fn of(&mut self, item: &Analysis) -> Fingerprint {
        let card = match &item.printed {
            Some(Printed::Plain(card)) if self.few && !card.template => card,
            Some(_) => return Fingerprint::Unique,
            None => return Fingerprint::NotJudged,
        };
        let limits = self.limits(card);
        if limits == 0 {
            return Fingerprint::NotJudged;
        }
        self.written(card, limits).map_or(Fingerprint::Unique, Fingerprint::Shared)
    }

    fn written(&mut self, card: &PlainCard, limits: Limits) -> Option<Vec<u8>> {
        let seen = self.seen(limits)?;
        let mut look = Vec::with_capacity(256);
        write_card(&mut look, card, &seen)?;
        Some(look)
    }

    /// The limits that are about a card or one of its parts.
    fn limits(&mut self, card: &PlainCard) -> Limits {
        let own = match self.about.get(&card.kind) {
            Some(limits) => *limits,
            None => {
                let limits = self.about_kind(&card.kind);
                self.about.insert(card.kind.clone(), limits);
                limits
            }
        };
        card.parts.iter().fold(own, |limits, part| limits | self.limits(part))
    }

    fn about_kind(&self, kind: &Key) -> Limits {
        // of a kind that nobody knows nothing is known
        let Some(info) = kind_by_key(self.db, self.universe, kind) else { return Limits::MAX };
        let read_sets = self.laws.read_sets.iter().enumerate();
        let about = read_sets.filter(|(limit, sight)| !self.laws.is_wide(*limit) && info.is_a(&sight.on));
        about.fold(0, |limits, (limit, _)| limits | 1 << limit)
    }

    /// What these limits together may read.
    fn seen(&mut self, limits: Limits) -> Option<Rc<Reads>> {
        let mut read_sets = self.laws.read_sets.iter().enumerate().filter(|(limit, _)| limits & 1 << limit != 0);
        let all = || {
            let all = read_sets.try_fold(Reads::default(), |mut all, (_, sight)| {
                let seen = sight.seen.as_ref()?;
                all.fields.extend(seen.fields.iter().cloned());
                all.names_of_parts |= seen.names_of_parts;
                Some(all)
            });
            all.map(Rc::new)
        };
        self.seen.entry(limits).or_insert_with(all).clone()
    }
}

fn write_card(out: &mut Vec<u8>, card: &PlainCard, seen: &Reads) -> Option<()> {
    write_text(out, &card.kind);
    write_number(out, card.keywords.len() as i64);
    for (keyword, number) in &card.keywords {
        write_text(out, keyword);
        write_number(out, *number);
    }
    card.values.iter().try_for_each(|(field, value)| write_field(out, field, value, seen))?;
    card.parts.iter().try_for_each(|part| write_part(out, part, seen))
}

fn write_field(out: &mut Vec<u8>, field: &Key, value: &PlainValue, seen: &Reads) -> Option<()> {
    if seen.fields.contains(field) {
        out.push(b'.');
        write_text(out, field);
        write_value(out, value)?;
    }
    Some(())
}

fn write_part(out: &mut Vec<u8>, part: &PlainCard, seen: &Reads) -> Option<()> {
    out.push(b'{');
    if seen.names_of_parts {
        write_text(out, &part.name);
    }
    write_card(out, part, seen)?;
    out.push(b'}');
    Some(())
}

/// None for cards: what a limit reads of those, and whether they lead back here, is not in the look.
fn write_value(out: &mut Vec<u8>, value: &PlainValue) -> Option<()> {
    match value {
        PlainValue::None => out.push(b'n'),
        PlainValue::Bool(is) => out.extend([b'b', u8::from(*is)]),
        PlainValue::Int(number) => {
            out.push(b'i');
            write_number(out, *number);
        }
        PlainValue::Dice(dice) => {
            out.push(b'd');
            dice.iter().for_each(|number| write_number(out, *number));
        }
        PlainValue::Text(text) => {
            out.push(b't');
            write_text(out, text);
        }
        PlainValue::Member(member) => {
            out.push(b'm');
            write_text(out, &member.0);
            write_text(out, &member.1);
        }
        PlainValue::Keyword(key) => {
            out.push(b'k');
            write_text(out, key);
        }
        PlainValue::List(list) => {
            out.push(b'l');
            write_number(out, list.len() as i64);
            list.iter().try_for_each(|one| write_value(out, one))?;
        }
        PlainValue::Pair(halves) => {
            out.push(b'p');
            halves.iter().try_for_each(|half| write_value(out, half))?;
        }
        PlainValue::Cost(cost) => {
            out.push(b'c');
            write_number(out, cost.0);
            write_text(out, &cost.1);
        }
        PlainValue::Code => out.push(b'e'),
        PlainValue::Rules(_) => out.push(b'r'),
        PlainValue::Card(_) => return None,
    }
    Some(())
}

fn write_number(out: &mut Vec<u8>, number: i64) {
    out.extend(number.to_le_bytes());
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    write_number(out, text.len() as i64);
    out.extend(text.as_bytes());
}
