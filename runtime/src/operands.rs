//! Which registers an instruction reads and writes, where it may go, and whether it may stand in a pure fragment. One list, read by the
//! verifier and by the liveness analysis.

use crate::bytecode::{Fun, Instr};
use crate::ids::{Pc, Reg};
use crate::pack::Pack;

#[derive(Default)]
pub(crate) struct Operands {
    pub reads: Vec<Reg>,
    /// Runs of registers: start and number.
    pub ranges: Vec<(Reg, u16)>,
    pub writes: Vec<Reg>,
}

impl Operands {
    pub fn all_reads(&self) -> impl Iterator<Item = u32> + '_ {
        let runs = self.ranges.iter().flat_map(|(start, n)| (0..*n as u32).map(move |i| *start as u32 + i));
        self.reads.iter().map(|r| *r as u32).chain(runs)
    }
}

pub(crate) fn operands(pack: &Pack, instr: &Instr) -> Operands {
    use Instr as I;
    let of = |reads: &[Reg], writes: &[Reg]| Operands { reads: reads.to_vec(), ranges: Vec::new(), writes: writes.to_vec() };
    let with =
        |reads: &[Reg], range: (Reg, u16), writes: &[Reg]| Operands { reads: reads.to_vec(), ranges: vec![range], writes: writes.to_vec() };
    match *instr {
        I::Const { dst, .. } | I::Int { dst, .. } | I::Bool { dst, .. } | I::None { dst } => of(&[], &[dst]),
        I::Move { dst, src } => of(&[src], &[dst]),
        I::Add { dst, a, b }
        | I::Sub { dst, a, b }
        | I::Mul { dst, a, b }
        | I::Div { dst, a, b }
        | I::DivDown { dst, a, b }
        | I::DivUp { dst, a, b }
        | I::DivNearest { dst, a, b }
        | I::Mod { dst, a, b }
        | I::Eq { dst, a, b }
        | I::Lt { dst, a, b }
        | I::Le { dst, a, b } => of(&[a, b], &[dst]),
        I::Neg { dst, a } | I::Not { dst, a } | I::AddInt { dst, a, .. } | I::Call1 { dst, a, .. } => of(&[a], &[dst]),
        I::Jump { .. } => of(&[], &[]),
        I::JumpIf { cond, .. } | I::JumpIfNot { cond, .. } | I::Need { cond } => of(&[cond], &[]),
        I::JumpIfNone { src, .. } | I::Return { src } => of(&[src], &[]),
        I::MakeList { dst, start, n } => with(&[], (start, n), &[dst]),
        I::Push { list, item } => of(&[list, item], &[list]),
        I::Len { dst, list } => of(&[list], &[dst]),
        I::Index { dst, list, i } => of(&[list, i], &[dst]),
        I::Contains { dst, list, item } => of(&[list, item], &[dst]),
        I::Each { dst, list, caps, n, .. } => with(&[list], (caps, n), &[dst]),
        I::CallN { dst, start, n, .. } => with(&[], (start, n), &[dst]),
        I::Get { dst, obj, .. }
        | I::GetRaw { dst, obj, .. }
        | I::Parts { dst, obj, .. }
        | I::PartNamed { dst, obj, .. }
        | I::IsKind { dst, obj, .. }
        | I::HasKeyword { dst, obj, .. }
        | I::KeywordNumber { dst, obj, .. } => of(&[obj], &[dst]),
        I::Set { obj, src, .. } => of(&[obj, src], &[]),
        I::AllOf { dst, .. }
        | I::Game { dst, .. }
        | I::Option { dst, .. }
        | I::Players { dst }
        | I::You { dst }
        | I::EvGet { dst, .. }
        | I::ScopeGet { dst, .. }
        | I::Past { dst, .. }
        | I::Probe { dst, .. } => of(&[], &[dst]),
        I::Opponent { dst, of: whose } => of(&[whose], &[dst]),
        I::Fact { dst, start, n, .. } | I::Call { dst, start, n, .. } => with(&[], (start, n), &[dst]),
        I::CallCode { dst, code, start, n } => with(&[code], (start, n), &[dst]),
        I::EvSet { src, .. } | I::EvMod { src, .. } | I::SetYou { src } => of(&[src], &[]),
        I::Emit { dst, done, start, n, .. } => with(&[], (start, n), &[dst, done]),
        I::ScopeBegin { start, n, .. } => with(&[], (start, n), &[]),
        I::ScopeEnd { .. } | I::Proceed | I::TogetherBegin | I::TogetherEnd | I::HeadStep | I::HeadEnd | I::Mark | I::Statement => {
            of(&[], &[])
        }
        I::Pay { who, cost } => of(&[who, cost], &[]),
        I::PayCards { cards, pile } => of(&[cards, pile], &[]),
        I::Roll { dst, dice } => of(&[dice], &[dst]),
        I::Top { dst, pile } => of(&[pile], &[dst]),
        I::Choose { dst, spec, set, count, who, caps, n } => {
            use crate::pack::ChooseMode::{Exactly, UpTo};
            let counted = pack.chooses.get(spec.index()).is_some_and(|c| matches!(c.mode, Exactly | UpTo));
            match counted {
                true => with(&[set, who, count], (caps, n), &[dst]),
                false => with(&[set, who], (caps, n), &[dst]),
            }
        }
        I::Menu { who, .. } | I::May { who, .. } => of(&[who], &[]),
        I::Grant { spec, targets, start } => with(&[targets], (start, grant_registers(pack, spec.index())), &[]),
        I::LogGet { dst, event, .. } => of(&[event], &[dst]),
        I::Blame { cond, blame, start, .. } => with(&[cond, blame], (start, 3), &[]),
        I::Expect { cond, left, right, .. } => of(&[cond, left, right], &[]),
        I::Measure { src, .. } | I::ScriptDice { src } | I::ScriptAnswer { src, .. } => of(&[src], &[]),
        I::ScriptFact { start, n, src, .. } => with(&[src], (start, n), &[]),
        I::Todo { .. } => of(&[], &[]),
    }
}

/// A looking instruction with other registers: those that `Operands` lists, in the same order, the start of its run and where it writes. None: it is none
/// of those.
pub(crate) fn with_registers(instr: &Instr, reads: &[Reg], start: Reg, dst: Reg) -> Option<Instr> {
    use Instr as I;
    let read = |i: usize| reads.get(i).copied();
    let mut new = *instr;
    match &mut new {
        I::Const { dst: d, .. } | I::Int { dst: d, .. } | I::Bool { dst: d, .. } | I::None { dst: d } => *d = dst,
        I::AllOf { dst: d, .. } | I::Game { dst: d, .. } | I::Option { dst: d, .. } | I::Players { dst: d } => *d = dst,
        I::You { dst: d } | I::EvGet { dst: d, .. } | I::ScopeGet { dst: d, .. } | I::Past { dst: d, .. } => *d = dst,
        I::Add { dst: d, a, b }
        | I::Sub { dst: d, a, b }
        | I::Mul { dst: d, a, b }
        | I::Div { dst: d, a, b }
        | I::DivDown { dst: d, a, b }
        | I::DivUp { dst: d, a, b }
        | I::DivNearest { dst: d, a, b }
        | I::Mod { dst: d, a, b }
        | I::Eq { dst: d, a, b }
        | I::Lt { dst: d, a, b }
        | I::Le { dst: d, a, b }
        | I::Index { dst: d, list: a, i: b }
        | I::Contains { dst: d, list: a, item: b } => (*d, *a, *b) = (dst, read(0)?, read(1)?),
        I::Move { dst: d, src: a }
        | I::Neg { dst: d, a }
        | I::Not { dst: d, a }
        | I::AddInt { dst: d, a, .. }
        | I::Call1 { dst: d, a, .. }
        | I::Len { dst: d, list: a }
        | I::Get { dst: d, obj: a, .. }
        | I::GetRaw { dst: d, obj: a, .. }
        | I::Parts { dst: d, obj: a, .. }
        | I::PartNamed { dst: d, obj: a, .. }
        | I::IsKind { dst: d, obj: a, .. }
        | I::HasKeyword { dst: d, obj: a, .. }
        | I::KeywordNumber { dst: d, obj: a, .. }
        | I::Opponent { dst: d, of: a }
        | I::LogGet { dst: d, event: a, .. } => (*d, *a) = (dst, read(0)?),
        I::MakeList { dst: d, start: s, .. } | I::CallN { dst: d, start: s, .. } => (*d, *s) = (dst, start),
        I::Fact { dst: d, start: s, .. } | I::Call { dst: d, start: s, .. } => (*d, *s) = (dst, start),
        I::Each { dst: d, list: a, caps: s, .. } | I::CallCode { dst: d, code: a, start: s, .. } => (*d, *a, *s) = (dst, read(0)?, start),
        I::Jump { .. } | I::Todo { .. } => {}
        I::JumpIf { cond: a, .. } | I::JumpIfNot { cond: a, .. } | I::JumpIfNone { src: a, .. } | I::Return { src: a } => *a = read(0)?,
        _ => return None,
    }
    Some(new)
}

/// How many registers a timed grant reads.
pub(crate) fn grant_registers(pack: &Pack, spec: usize) -> u16 {
    use crate::pack::Lasts;
    let Some(grant) = pack.grants.get(spec) else {
        return 0;
    };
    let numbers = grant.keywords.iter().filter(|(_, numbered)| *numbered).count();
    let needed = |lasts: &Lasts| match lasts {
        Lasts::Until { of, .. } => *of as usize,
        Lasts::Scopes { .. } => 1,
        Lasts::Event { .. } | Lasts::While { .. } => 0,
    };
    let lasting: usize = grant.lasts.iter().map(needed).sum();
    (grant.mods.len() + numbers + grant.rules as usize + lasting + grant.captures as usize).min(u16::MAX as usize) as u16
}

/// Where control may go from here.
pub(crate) fn targets(pack: &Pack, pc: usize, instr: &Instr) -> Vec<Pc> {
    use Instr as I;
    let next = pc as Pc + 1;
    match *instr {
        I::Jump { to } => vec![to],
        I::JumpIf { to, .. } | I::JumpIfNot { to, .. } | I::JumpIfNone { to, .. } => vec![next, to],
        I::May { no, .. } => vec![next, no],
        I::Probe { end, .. } => vec![next, end],
        I::Menu { menu, .. } => match pack.menus.get(menu.index()) {
            Some(menu) => menu.lines.iter().copied().chain([menu.none]).collect(),
            None => Vec::new(),
        },
        I::Return { .. } | I::Todo { .. } => Vec::new(),
        _ => vec![next],
    }
}

/// May not stand in a pure fragment. A fact may: it only looks.
pub(crate) fn acts_or_asks(instr: &Instr) -> bool {
    use Instr as I;
    match instr {
        I::Call1 { fun, .. } | I::CallN { fun, .. } => fun_acts(*fun),
        I::Set { .. }
        | I::EvSet { .. }
        | I::EvMod { .. }
        | I::SetYou { .. }
        | I::Emit { .. }
        | I::ScopeBegin { .. }
        | I::ScopeEnd { .. }
        | I::Proceed
        | I::TogetherBegin
        | I::TogetherEnd
        | I::HeadStep
        | I::HeadEnd
        | I::Mark
        | I::Statement
        | I::Need { .. }
        | I::Pay { .. }
        | I::PayCards { .. }
        | I::Roll { .. }
        | I::Top { .. }
        | I::Choose { .. }
        | I::Menu { .. }
        | I::May { .. }
        | I::Grant { .. }
        | I::Probe { .. }
        | I::ScriptDice { .. }
        | I::ScriptFact { .. }
        | I::ScriptAnswer { .. } => true,
        _ => false,
    }
}

/// Changes the world, so that a head with it needs a way back.
pub(crate) fn acts(pack: &Pack, instr: &Instr) -> bool {
    use Instr as I;
    match instr {
        I::Call1 { fun, .. } | I::CallN { fun, .. } => fun_acts(*fun),
        // A term only looks.
        I::Call { frag, .. } => pack.fragments.get(frag.index()).is_none_or(|f| !f.pure),
        I::Set { .. } | I::Emit { .. } | I::CallCode { .. } | I::Pay { .. } | I::PayCards { .. } | I::Grant { .. } | I::TogetherEnd => true,
        _ => false,
    }
}

pub(crate) fn fun_acts(fun: Fun) -> bool {
    use Fun as F;
    matches!(
        fun,
        F::Relocate
            | F::ShuffleInto
            | F::Create
            | F::Remove
            | F::Become
            | F::Shuffle
            | F::Win
            | F::DrawGame
            | F::TakeControl
            | F::Attach
            | F::EndKeyword
    )
}
