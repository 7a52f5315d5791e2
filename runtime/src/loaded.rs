//! A pack that passed the verifier, with the indexes that make it fast to run. The only way to get one is `Loaded::new`.

use std::ops::Deref;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::bytecode::Instr;
use crate::code::{self, Predicates, Term, Translation};
use crate::fault::{Res, bad_pack};
use crate::flow::{self, FragmentFacts, Private, Tried};
use crate::ids::*;
use crate::pack::*;
use crate::stable::{self, Stable};
use crate::value::Value;
use crate::verify::{self, Refused};

/// A rule by the bundle it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct RuleRef {
    pub bundle: BundleId,
    pub rule: u32,
}

/// Rules that speak of one action, in the order of their bundles.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActionRules {
    /// `before` and `at start of`.
    pub before: Vec<RuleRef>,
    pub instead: Vec<RuleRef>,
    pub at_end: Vec<RuleRef>,
    pub after: Vec<RuleRef>,
    pub cannot: Vec<RuleRef>,
}

#[derive(Debug)]
pub struct Loaded {
    pack: Pack,
    /// No other has the same, so that what was found out about one is not taken for another's.
    number: u64,
    action_rules: Vec<ActionRules>,
    /// `at end of any event`.
    pub(crate) state_checks: Vec<RuleRef>,
    pub(crate) cannot_choose: Vec<RuleRef>,
    pub(crate) must_choose: Vec<RuleRef>,
    /// For each field: grants with a modifier on it, and which modifier.
    pub(crate) field_grants: Vec<Vec<(RuleRef, u32)>>,
    /// For each field: some timed grant of the pack modifies it.
    pub(crate) timed_fields: Vec<bool>,
    /// For each keyword: grants that give it, and which entry.
    pub(crate) keyword_grants: Vec<Vec<(RuleRef, u32)>>,
    /// For each bundle: continuous grants that may put it in force.
    pub(crate) givers: Vec<Vec<RuleRef>>,
    /// Bundles that something could put in force in play.
    pub(crate) givable: Vec<bool>,
    pub(crate) global: Vec<bool>,
    /// Fields that list the keywords of a card.
    pub(crate) keyword_fields: Vec<FieldId>,
    /// For each bundle: the keyword whose rules it holds.
    pub(crate) keyword_of: Vec<Option<KeywordId>>,
    /// Some grant asks for a value that it changes.
    pub(crate) reads_itself: bool,
    /// For each card: the rules it carries as printed, through its kind, its text and its keywords.
    card_bundles: Vec<Vec<BundleId>>,
    /// For each card: printed values, sorted by field.
    card_values: Vec<Vec<(FieldId, Value)>>,
    pub(crate) facts_of: Vec<FragmentFacts>,
    /// The code of each fragment that is a term.
    code: Vec<Translation>,
    /// For each field: the value of whoever has no other, where it is the same for everybody.
    fixed_defaults: Vec<Option<Value>>,
    /// For each field: the range of its whole numbers, where it is the same for everybody.
    fixed_ranges: Vec<Option<(i64, i64)>>,
    fingerprint: OnceLock<u64>,
    /// Worked out when somebody first plays: most packs of a large project are only looked at.
    stable: OnceLock<Stable>,
    /// The same for exact odds.
    private: OnceLock<Private>,
    tried: OnceLock<Tried>,
    predicates: OnceLock<Predicates>,
    /// Scopes whose end makes entries of the history pointless.
    pub(crate) forgets: Vec<bool>,
}

/// 0 is nobody's.
static NEXT_NUMBER: AtomicU64 = AtomicU64::new(1);

impl Deref for Loaded {
    type Target = Pack;
    fn deref(&self) -> &Pack {
        &self.pack
    }
}

impl Loaded {
    pub fn new(pack: Pack) -> Result<Loaded, Refused> {
        verify::verify(&pack)?;
        let facts_of: Vec<FragmentFacts> = pack.fragments.iter().map(|f| flow::fragment_facts(&pack, f)).collect();
        let mut loaded = Loaded {
            action_rules: vec![ActionRules::default(); pack.actions.len()],
            state_checks: Vec::new(),
            cannot_choose: Vec::new(),
            must_choose: Vec::new(),
            field_grants: vec![Vec::new(); pack.fields.len()],
            timed_fields: vec![false; pack.fields.len()],
            keyword_grants: vec![Vec::new(); pack.keywords.len()],
            givers: vec![Vec::new(); pack.bundles.len()],
            givable: vec![false; pack.bundles.len()],
            global: vec![false; pack.bundles.len()],
            keyword_fields: fields_of(&pack, FieldRole::Keywords),
            keyword_of: vec![None; pack.bundles.len()],
            reads_itself: crate::circles::any(&pack),
            card_bundles: Vec::new(),
            card_values: Vec::new(),
            facts_of,
            fixed_defaults: pack.fields.iter().map(|f| fixed_default(&pack, f)).collect(),
            fixed_ranges: pack.fields.iter().map(|f| fixed_range(&pack, f)).collect(),
            code: pack.fragments.iter().map(|_| Translation::default()).collect(),
            fingerprint: OnceLock::new(),
            stable: OnceLock::new(),
            private: OnceLock::new(),
            tried: OnceLock::new(),
            predicates: OnceLock::new(),
            forgets: vec![false; pack.actions.len()],
            number: NEXT_NUMBER.fetch_add(1, Ordering::Relaxed),
            pack,
        };
        loaded.index_rules();
        loaded.index_cards();
        Ok(loaded)
    }

    /// Tells packs apart: saves belong to one of them. FNV-1a over its bytes, the same on every machine.
    pub fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| {
            let bytes = self.pack.to_bytes().unwrap_or_default();
            bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ *byte as u64).wrapping_mul(0x100_0000_01B3))
        })
    }

    /// What may be remembered about a world.
    #[inline]
    pub(crate) fn stable(&self) -> &Stable {
        self.stable.get_or_init(|| stable::stable(self))
    }

    /// What events keep for themselves.
    pub(crate) fn private(&self) -> &Private {
        self.private.get_or_init(|| flow::private(&self.pack))
    }

    /// Which heads can be tried where they stand.
    pub(crate) fn tried(&self) -> &Tried {
        let has_head = |frag: FragId| self.facts_of.get(frag.index()).is_some_and(|f| f.head_end.is_some());
        self.tried.get_or_init(|| flow::tried(&self.pack, has_head))
    }

    /// Heads that are terms.
    pub(crate) fn predicates(&self) -> &Predicates {
        self.predicates.get_or_init(|| code::predicates(self))
    }

    /// Tells it from everything else that was loaded since the program was started.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub fn pack(&self) -> &Pack {
        &self.pack
    }

    fn index_rules(&mut self) {
        let pack = &self.pack;
        for (k, keyword) in pack.keywords.iter().enumerate() {
            self.keyword_of[keyword.bundle.index()] = Some(KeywordId(k as u32));
        }
        for bundle in &pack.global_rules {
            self.global[bundle.index()] = true;
        }
        for (b, bundle) in pack.bundles.iter().enumerate() {
            for (r, rule) in bundle.rules.iter().enumerate() {
                let at = RuleRef { bundle: BundleId(b as u32), rule: r as u32 };
                match rule {
                    Rule::Handler { when: When::AtEnd, actions, .. } if actions.is_empty() => self.state_checks.push(at),
                    Rule::Handler { when, actions, .. } => {
                        for (i, rules) in self.action_rules.iter_mut().enumerate() {
                            if actions.is_empty() || actions.contains(&ActionId(i as u32)) {
                                match when {
                                    When::Before | When::AtStart => rules.before.push(at),
                                    When::Instead => rules.instead.push(at),
                                    When::After => rules.after.push(at),
                                    When::AtEnd => rules.at_end.push(at),
                                }
                            }
                        }
                    }
                    Rule::Cannot { actions, choose, must, .. } => {
                        match (choose, must) {
                            (true, true) => self.must_choose.push(at),
                            (true, false) => self.cannot_choose.push(at),
                            (false, _) => {}
                        }
                        for action in actions {
                            self.action_rules[action.index()].cannot.push(at);
                        }
                    }
                    Rule::Grant { mods, keywords, bundles, rules, .. } => {
                        for (m, modifier) in mods.iter().enumerate() {
                            self.field_grants[modifier.field.index()].push((at, m as u32));
                        }
                        for (k, (keyword, _)) in keywords.iter().enumerate() {
                            self.keyword_grants[keyword.index()].push((at, k as u32));
                            let given = pack.keywords[keyword.index()].bundle.index();
                            self.givers[given].push(at);
                            self.givable[given] = true;
                        }
                        for given in bundles {
                            self.givers[given.index()].push(at);
                            self.givable[given.index()] = true;
                        }
                        if !rules.is_empty() {
                            // Which rules a value holds is known only in play.
                            self.givers.iter_mut().for_each(|g| g.push(at));
                        }
                    }
                }
            }
        }
        for grant in &pack.grants {
            for (field, _) in &grant.mods {
                self.timed_fields[field.index()] = true;
            }
            for (keyword, _) in &grant.keywords {
                self.givable[pack.keywords[keyword.index()].bundle.index()] = true;
            }
            for bundle in &grant.bundles {
                self.givable[bundle.index()] = true;
            }
        }
        let printed = pack.cards.iter().flat_map(|c| c.values.iter().map(|(_, v)| v));
        for value in pack.consts.iter().chain(printed) {
            value.each(&mut |part| {
                if let Value::Rules(bundle, ..) = part {
                    self.givable[bundle.index()] = true;
                }
            });
        }
        for log in pack.actions.iter().filter_map(|a| a.log.as_ref()) {
            for scope in log.scopes.iter().flatten() {
                self.forgets[scope.index()] = true;
            }
        }
    }

    fn index_cards(&mut self) {
        for card in &self.pack.cards {
            let mut bundles = self.pack.kinds[card.kind.index()].bundles.clone();
            bundles.extend(card.bundles.iter().copied());
            bundles.extend(card.keywords.iter().map(|(k, _)| self.pack.keywords[k.index()].bundle));
            let mut unique: Vec<BundleId> = Vec::with_capacity(bundles.len());
            for bundle in bundles {
                if !unique.contains(&bundle) {
                    unique.push(bundle);
                }
            }
            self.card_bundles.push(unique);
            let mut values = card.values.clone();
            values.sort_by_key(|(f, _)| *f);
            self.card_values.push(values);
        }
    }

    /// Rules an object carries as printed.
    pub(crate) fn printed_bundles(&self, kind: KindId, card: Option<CardId>) -> &[BundleId] {
        let of_card = card.and_then(|c| self.card_bundles.get(c.index()));
        match of_card {
            Some(bundles) => bundles,
            None => self.pack.kinds.get(kind.index()).map_or(&[], |k| &k.bundles),
        }
    }

    pub(crate) fn printed_value(&self, card: CardId, field: FieldId) -> Option<&Value> {
        let values = self.card_values.get(card.index())?;
        let i = values.binary_search_by_key(&field, |(f, _)| *f).ok()?;
        values.get(i).map(|(_, v)| v)
    }

    pub(crate) fn rules_of_action(&self, action: ActionId) -> &ActionRules {
        static NO_RULES: ActionRules =
            ActionRules { before: Vec::new(), instead: Vec::new(), at_end: Vec::new(), after: Vec::new(), cannot: Vec::new() };
        self.action_rules.get(action.index()).unwrap_or(&NO_RULES)
    }

    pub(crate) fn rule(&self, at: RuleRef) -> Res<(&Bundle, &Rule)> {
        let found = self.pack.bundles.get(at.bundle.index()).and_then(|b| Some((b, b.rules.get(at.rule as usize)?)));
        or_bad(found, "rule")
    }

    pub(crate) fn is_kind(&self, kind: KindId, wanted: KindId) -> bool {
        kind == wanted || self.pack.kinds.get(kind.index()).is_some_and(|k| k.is.contains(&wanted))
    }

    pub(crate) fn fragment(&self, id: FragId) -> Res<&Fragment> {
        or_bad(self.pack.fragments.get(id.index()), "fragment")
    }

    #[inline]
    pub(crate) fn term(&self, id: FragId) -> Res<&Term> {
        let found = self.code.get(id.index()).zip(self.pack.fragments.get(id.index()));
        or_bad(found.map(|(code, fragment)| code.term(&self.pack, fragment)), "fragment")
    }

    /// The code of what is asked of each element of a list, its last parameter. None: it is asked like any other term.
    #[inline]
    pub(crate) fn term_of_each(&self, id: FragId) -> Option<&Term> {
        match self.code.get(id.index()) {
            Some(code) => code.of_each(&self.pack, self.pack.fragments.get(id.index())?),
            None => self.predicates.get()?.inner(id.index().checked_sub(self.pack.fragments.len())?),
        }
    }

    #[inline]
    pub(crate) fn fixed_default(&self, field: FieldId) -> Option<&Value> {
        self.fixed_defaults.get(field.index())?.as_ref()
    }

    #[inline]
    pub(crate) fn fixed_range(&self, field: FieldId) -> Option<(i64, i64)> {
        self.fixed_ranges.get(field.index()).copied().flatten()
    }

    pub(crate) fn card(&self, id: CardId) -> Res<&Card> {
        or_bad(self.pack.cards.get(id.index()), "card")
    }

    pub(crate) fn action(&self, id: ActionId) -> Res<&Action> {
        or_bad(self.pack.actions.get(id.index()), "action")
    }

    pub(crate) fn field(&self, id: FieldId) -> Res<&Field> {
        or_bad(self.pack.fields.get(id.index()), "field")
    }

    pub(crate) fn kind(&self, id: KindId) -> Res<&Kind> {
        or_bad(self.pack.kinds.get(id.index()), "kind")
    }
}

fn fields_of(pack: &Pack, role: FieldRole) -> Vec<FieldId> {
    let found = pack.fields.iter().enumerate().filter(|(_, f)| f.role == role);
    found.map(|(i, _)| FieldId(i as u32)).collect()
}

pub(crate) fn or_bad<T>(found: Option<T>, what: &str) -> Res<T> {
    match found {
        Some(found) => Ok(found),
        None => bad_pack(format!("the pack speaks of a {what} it does not hold")),
    }
}

fn fixed_range(pack: &Pack, field: &Field) -> Option<(i64, i64)> {
    let end = |frag: Option<FragId>, without: i64| match frag {
        Some(frag) => fixed_number(pack, frag),
        None => Some(without),
    };
    Some((end(field.low, i64::MIN)?, end(field.high, i64::MAX)?))
}

fn fixed_default(pack: &Pack, field: &Field) -> Option<Value> {
    let given = if field.starts_full { field.high } else { field.default };
    match given {
        Some(frag) => fixed_value(pack, frag),
        None => Some(Value::None),
    }
    .filter(|_| field.role != FieldRole::Pile)
}

/// The value that a term always is.
fn fixed_value(pack: &Pack, frag: FragId) -> Option<Value> {
    match pack.fragments.get(frag.index())?.code[..] {
        [Instr::Int { dst, v }, Instr::Return { src }] if dst == src => Some(Value::Int(v as i64)),
        [Instr::Bool { dst, v }, Instr::Return { src }] if dst == src => Some(Value::Bool(v)),
        [Instr::None { dst }, Instr::Return { src }] if dst == src => Some(Value::None),
        [Instr::Const { dst, k }, Instr::Return { src }] if dst == src => pack.consts.get(k.index()).cloned(),
        _ => None,
    }
}

/// The number that a term always is.
fn fixed_number(pack: &Pack, frag: FragId) -> Option<i64> {
    match fixed_value(pack, frag)? {
        Value::Int(n) => Some(n),
        _ => None,
    }
}
