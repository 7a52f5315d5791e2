//! What may be remembered between two changes of the world: values of fields with their modifiers, and who carries which rules. That depends on the
//! terms of grants. A term that looks only at cards, at what is in play and at state can be remembered until one of these changes; one that looks at
//! the running event or at the past cannot.

use crate::bytecode::{Fun, Instr};
use crate::ids::*;
use crate::loaded::{Loaded, RuleRef};
use crate::pack::{Lasts, Rule};
use crate::world::Marks;

#[derive(Debug)]
pub(crate) struct Stable {
    terms: Vec<bool>,
    fields: Vec<bool>,
    bundles: Vec<bool>,
    /// State that the terms of grants look at.
    looked_at: Vec<bool>,
    /// For each term: the groups of fields whose state it looks at.
    groups: Vec<u64>,
    /// The same of all rules `at end of any event`, if they look at nothing but the world.
    checks: Option<u64>,
    /// The groups of fields whose state says which spots there are. None: that hangs on more than the world.
    spots: Option<u64>,
}

impl Stable {
    /// Does what is remembered depend on this state?
    #[inline]
    pub fn depends_on(&self, field: FieldId) -> bool {
        self.looked_at.get(field.index()).is_none_or(|l| *l)
    }

    /// Does this term look at nothing but its parameters and the world?
    #[inline]
    pub fn term(&self, frag: FragId) -> bool {
        self.terms.get(frag.index()).is_some_and(|s| *s)
    }

    /// The groups of fields whose state a term looks at.
    #[inline]
    pub fn groups(&self, frag: FragId) -> u64 {
        self.groups.get(frag.index()).copied().unwrap_or(u64::MAX)
    }

    /// The groups of fields whose state decides whether a rule `at end of any event` is due. None: that hangs on more than the world.
    #[inline]
    pub fn checks(&self) -> Option<u64> {
        self.checks
    }

    /// The groups of fields whose state says which spots there are for a piece.
    #[inline]
    pub fn spots(&self) -> Option<u64> {
        self.spots
    }

    /// May its value with modifiers be remembered?
    #[inline]
    pub fn field(&self, field: FieldId) -> bool {
        self.fields.get(field.index()).is_some_and(|s| *s)
    }

    /// May it be remembered who carries these rules?
    #[inline]
    pub fn bundle(&self, bundle: BundleId) -> bool {
        self.bundles.get(bundle.index()).is_some_and(|s| *s)
    }
}

/// What something depends on.
#[derive(Clone, Default)]
struct Needs {
    fragments: Vec<FragId>,
    fields: Vec<FieldId>,
    bundles: Vec<BundleId>,
    keywords: Vec<KeywordId>,
    /// It looks at something that changes without a mark.
    fleeting: bool,
    /// Groups of fields whose state it looks at.
    groups: u64,
}

pub(crate) fn stable(pack: &Loaded) -> Stable {
    let fragments: Vec<Needs> = pack.fragments.iter().map(|f| of_code(pack, &f.code)).collect();
    let fields: Vec<Needs> = (0..pack.fields.len()).map(|f| of_field(pack, FieldId(f as u32))).collect();
    let bundles: Vec<Needs> = (0..pack.bundles.len()).map(|b| of_bundle(pack, BundleId(b as u32))).collect();
    let keywords: Vec<Needs> = (0..pack.keywords.len()).map(|k| of_keyword(pack, KeywordId(k as u32))).collect();
    let mut all = [fragments, fields, bundles, keywords];
    // What depends on something fleeting is fleeting, over as many steps as it takes.
    loop {
        let fleeting: Vec<Vec<bool>> = all.iter().map(|part| part.iter().map(|n| n.fleeting).collect()).collect();
        let is = |part: usize, i: usize| fleeting[part].get(i).is_none_or(|f| *f);
        let mut changed = false;
        for needs in all.iter_mut().flatten().filter(|n| !n.fleeting) {
            needs.fleeting = needs.fragments.iter().any(|f| is(0, f.index()))
                || needs.fields.iter().any(|f| is(1, f.index()))
                || needs.bundles.iter().any(|b| is(2, b.index()))
                || needs.keywords.iter().any(|k| is(3, k.index()));
            changed |= needs.fleeting;
        }
        if !changed {
            break;
        }
    }
    add_up(&mut all);
    let looked_at = looked_at(pack, &all);
    let groups = all[0].iter().map(|n| n.groups).collect();
    let checks = checks(pack, &all);
    let spots = shapes_of(pack).try_fold(Marks::places(), |groups, field| {
        let needs = all[1].get(field.index())?;
        (!needs.fleeting).then_some(groups | needs.groups)
    });
    let lasting = |part: &[Needs]| part.iter().map(|n| !n.fleeting).collect();
    Stable { terms: lasting(&all[0]), fields: lasting(&all[1]), bundles: lasting(&all[2]), looked_at, groups, checks, spots }
}

/// Groups of what something depends on are its own, over as many steps as it takes.
fn add_up(all: &mut [Vec<Needs>; 4]) {
    loop {
        let now: Vec<Vec<u64>> = all.iter().map(|part| part.iter().map(|n| n.groups).collect()).collect();
        let mut changed = false;
        for needs in all.iter_mut().flatten() {
            let fragments = needs.fragments.iter().map(|f| (0, f.index()));
            let fields = needs.fields.iter().map(|f| (1, f.index()));
            let bundles = needs.bundles.iter().map(|b| (2, b.index()));
            let keywords = needs.keywords.iter().map(|k| (3, k.index()));
            let of = |(part, i): (usize, usize)| now[part].get(i).copied().unwrap_or(u64::MAX);
            let groups = fragments.chain(fields).chain(bundles).chain(keywords).map(of).fold(needs.groups, |all, more| all | more);
            changed |= groups != needs.groups;
            needs.groups = groups;
        }
        if !changed {
            return;
        }
    }
}

/// What rules `at end of any event` look at, their holders included.
fn checks(pack: &Loaded, all: &[Vec<Needs>; 4]) -> Option<u64> {
    pack.state_checks.iter().try_fold(0, |groups, at| {
        let bundle = all[2].get(at.bundle.index())?;
        let (_, Rule::Handler { guard, once: None, .. }) = pack.rule(*at).ok()? else { return None };
        let guard = match guard {
            Some(guard) => all[0].get(guard.index())?,
            None => return None,
        };
        (!bundle.fleeting && !guard.fleeting).then_some(groups | bundle.groups | guard.groups)
    })
}

/// All state that somebody's modifiers or rules may hang on.
fn looked_at(pack: &Loaded, all: &[Vec<Needs>; 4]) -> Vec<bool> {
    let mut looked_at = vec![false; pack.fields.len()];
    let mut seen: [Vec<bool>; 4] = [0, 1, 2, 3].map(|part| vec![false; all[part].len()]);
    let mut todo: Vec<(usize, usize)> = Vec::new();
    for field in 0..pack.fields.len() {
        if !pack.field_grants[field].is_empty() {
            todo.push((1, field));
        }
    }
    for grant in &pack.grants {
        todo.extend(grant.mods.iter().map(|(field, _)| (1, field.index())));
        todo.extend(whiles(grant).map(|cond| (0, cond.index())));
    }
    todo.extend((0..pack.bundles.len()).map(|b| (2, b)));
    todo.extend((0..pack.keywords.len()).map(|k| (3, k)));
    while let Some((part, i)) = todo.pop() {
        let Some(needs) = all[part].get(i).filter(|_| !seen[part][i]) else { continue };
        seen[part][i] = true;
        if part == 1 {
            looked_at[i] = true;
        }
        todo.extend(needs.fragments.iter().map(|f| (0, f.index())));
        todo.extend(needs.fields.iter().map(|f| (1, f.index())));
        todo.extend(needs.bundles.iter().map(|b| (2, b.index())));
        todo.extend(needs.keywords.iter().map(|k| (3, k.index())));
    }
    looked_at
}

/// Reading a field: its first value and range, and every grant on it.
fn of_field(pack: &Loaded, id: FieldId) -> Needs {
    let mut needs = Needs { groups: Marks::of(id), ..Needs::default() };
    if let Some(field) = pack.fields.get(id.index()) {
        needs.fragments.extend([field.default, field.low, field.high].into_iter().flatten());
    }
    for (at, m) in &pack.field_grants[id.index()] {
        add_grant(pack, *at, &mut needs, |mods, _| mods.get(*m as usize).copied());
    }
    add_timed(pack, &mut needs, |grant| grant.mods.iter().any(|(f, _)| *f == id));
    needs
}

fn of_keyword(pack: &Loaded, id: KeywordId) -> Needs {
    let mut needs = Needs::default();
    for (at, k) in &pack.keyword_grants[id.index()] {
        add_grant(pack, *at, &mut needs, |_, keywords| keywords.get(*k as usize).copied().flatten());
    }
    add_timed(pack, &mut needs, |grant| grant.keywords.iter().any(|(k, _)| *k == id));
    needs
}

/// Who carries rules: as printed, and by every grant that may give them.
fn of_bundle(pack: &Loaded, id: BundleId) -> Needs {
    let mut needs = Needs::default();
    for at in &pack.givers[id.index()] {
        add_grant(pack, *at, &mut needs, |_, _| None);
        if let Ok((_, Rule::Grant { rules, .. })) = pack.rule(*at) {
            needs.fragments.extend(rules);
        }
    }
    if pack.givable[id.index()] {
        // Which stored rules a timed grant puts in force is known only when it is made: all of them count.
        add_timed(pack, &mut needs, |_| true);
    }
    needs
}

fn add_grant(pack: &Loaded, at: RuleRef, needs: &mut Needs, value: impl Fn(&[FragId], &[Option<FragId>]) -> Option<FragId>) {
    if let Ok((_, Rule::Grant { who, cond, mods, keywords, .. })) = pack.rule(at) {
        let mods: Vec<FragId> = mods.iter().map(|m| m.value).collect();
        let keywords: Vec<Option<FragId>> = keywords.iter().map(|(_, value)| *value).collect();
        needs.fragments.extend([*who, *cond, value(&mods, &keywords)].into_iter().flatten());
        needs.bundles.push(at.bundle);
    }
}

fn add_timed(pack: &Loaded, needs: &mut Needs, concerns: impl Fn(&crate::pack::Grant) -> bool) {
    for grant in pack.grants.iter().filter(|g| concerns(g)) {
        needs.fragments.extend(whiles(grant));
    }
}

/// What a timed grant asks all the time whether it still counts.
fn whiles(grant: &crate::pack::Grant) -> impl Iterator<Item = FragId> + '_ {
    grant.lasts.iter().filter_map(|lasts| if let Lasts::While { cond } = lasts { Some(*cond) } else { None })
}

fn of_code(pack: &Loaded, code: &[Instr]) -> Needs {
    use Instr as I;
    let mut needs = Needs::default();
    for instr in code {
        match *instr {
            I::Const { .. } | I::Int { .. } | I::Bool { .. } | I::None { .. } | I::Move { .. } | I::AddInt { .. } => {}
            I::Add { .. } | I::Sub { .. } | I::Mul { .. } | I::Div { .. } | I::DivDown { .. } | I::DivUp { .. } => {}
            I::DivNearest { .. } | I::Mod { .. } | I::Neg { .. } | I::Not { .. } | I::Eq { .. } | I::Lt { .. } | I::Le { .. } => {}
            I::Jump { .. } | I::JumpIf { .. } | I::JumpIfNot { .. } | I::JumpIfNone { .. } | I::Return { .. } => {}
            I::MakeList { .. } | I::Push { .. } | I::Len { .. } | I::Index { .. } | I::Contains { .. } => {}
            I::AllOf { .. } | I::Parts { .. } | I::PartNamed { .. } | I::IsKind { .. } | I::Game { .. } => {}
            I::Option { .. } | I::Players { .. } | I::You { .. } | I::Opponent { .. } => {}
            I::Each { frag, .. } | I::Call { frag, .. } => needs.fragments.push(frag),
            I::Get { field, .. } | I::GetRaw { field, .. } => needs.fields.push(field),
            I::HasKeyword { keyword, .. } | I::KeywordNumber { keyword, .. } => needs.keywords.push(keyword),
            // Facts that are told leave a mark; nobody tells those that are answered blindly. A move makes all of them open again.
            I::Fact { fact, .. } => {
                needs.groups |= Marks::places();
                needs.fragments.extend(pack.facts.get(fact.index()).and_then(|f| f.default));
            }
            I::Call1 { fun, .. } | I::CallN { fun, .. } => {
                needs.fleeting |= matches!(fun, Fun::Usable | Fun::CanPay);
                if !is_apart_from_places(fun) {
                    needs.groups |= Marks::places();
                    // How large things are that stand there, which way they face, and what leads where.
                    needs.fields.extend(shapes_of(pack));
                }
            }
            // The running event, the past, stored effects, and everything that acts.
            _ => needs.fleeting = true,
        }
    }
    needs
}

/// Fields that say how large things are, which way they face, and what leads where.
fn shapes_of(pack: &Loaded) -> impl Iterator<Item = FieldId> + '_ {
    pack.kinds.iter().flat_map(|k| [k.base, k.corners, k.facing, k.links]).flatten()
}

/// It looks at nothing that hangs on where things stand.
fn is_apart_from_places(fun: Fun) -> bool {
    use Fun as F;
    let numbers = matches!(fun, F::Min | F::Max | F::Abs | F::Clamp | F::Odd | F::Floor | F::Ceil | F::Round | F::PercentOf | F::Numbers);
    let dice = matches!(fun, F::DiceMean | F::DiceOf | F::DiceTimes | F::DicePlus | F::MakePair | F::PairX | F::PairY | F::Total);
    let lists = matches!(fun, F::First | F::Last | F::Only | F::Reversed | F::Union | F::Joined | F::Common | F::Subset | F::Distinct);
    let more = matches!(fun, F::Without | F::Copies | F::Nth | F::Position | F::CostTimes | F::CostPlus | F::CanPay | F::MakePlace);
    let objects = matches!(fun, F::Controller | F::Owner | F::Holder | F::InPlay | F::PileOf | F::PileCards | F::PrintedCard);
    numbers || dice || lists || more || objects || matches!(fun, F::Usable | F::RulesOf | F::Row | F::NameOf)
}
