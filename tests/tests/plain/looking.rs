//! Instructions that change nothing, and what they look at: fields with their modifiers, keywords, rules in force.

use banneret_runtime::bytecode::{EachOp, Fun, Instr, ModOp};
use banneret_runtime::ids::*;
use banneret_runtime::pack::Rule;
use banneret_runtime::value::Value;

use super::numbers::{divided, int, items, list, modified, same, times, truth};
use super::{Frame, NOBODY, Plain, or_none};

pub enum Next {
    On,
    To(usize),
    Return(Value),
}

impl Plain<'_> {
    /// None: the instruction does more than look.
    pub(super) fn look(&self, f: &mut Frame, instr: &Instr) -> Option<Next> {
        use Instr as I;
        let r = |r: Reg| f.registers[r as usize].clone();
        let run = |start: Reg, n: u16| f.registers[start as usize..(start + n) as usize].to_vec();
        let n = |reg: Reg| int(&r(reg));
        let event = |i: Option<usize>| &self.events[i.expect("an event")];
        let (dst, value) = match *instr {
            I::Const { dst, k } => (dst, self.pack.consts[k.index()].clone()),
            I::Int { dst, v } => (dst, Value::Int(v.into())),
            I::Bool { dst, v } => (dst, Value::Bool(v)),
            I::None { dst } => (dst, Value::None),
            I::Move { dst, src } => (dst, r(src)),
            I::Add { dst, a, b } => (dst, Value::Int(n(a) + n(b))),
            I::Sub { dst, a, b } => (dst, Value::Int(n(a) - n(b))),
            I::Mul { dst, a, b } => (dst, times(&r(a), &r(b))),
            I::DivDown { dst, a, b } => (dst, Value::Int(divided(n(a), n(b), ModOp::DivDown))),
            I::DivUp { dst, a, b } => (dst, Value::Int(divided(n(a), n(b), ModOp::DivUp))),
            I::DivNearest { dst, a, b } => (dst, Value::Int(divided(n(a), n(b), ModOp::DivNearest))),
            I::Mod { dst, a, b } => (dst, Value::Int(n(a).rem_euclid(n(b)))),
            I::Neg { dst, a } => (dst, Value::Int(-n(a))),
            I::AddInt { dst, a, v } => (dst, Value::Int(n(a) + i64::from(v))),
            I::Not { dst, a } => (dst, Value::Bool(!truth(&r(a)))),
            I::Eq { dst, a, b } => (dst, Value::Bool(same(&r(a), &r(b)))),
            I::Lt { dst, a, b } => (dst, Value::Bool(n(a) < n(b))),
            I::Le { dst, a, b } => (dst, Value::Bool(n(a) <= n(b))),
            I::Jump { to } => return Some(Next::To(to as usize)),
            I::JumpIf { cond, to } => return Some(if truth(&r(cond)) { Next::To(to as usize) } else { Next::On }),
            I::JumpIfNot { cond, to } => return Some(if truth(&r(cond)) { Next::On } else { Next::To(to as usize) }),
            I::JumpIfNone { src, to } => return Some(if r(src) == Value::None { Next::To(to as usize) } else { Next::On }),
            I::Return { src } => return Some(Next::Return(r(src))),
            I::MakeList { dst, start, n } => (dst, list(run(start, n))),
            I::Push { list: to, item } => (to, list(items(&r(to)).into_iter().chain([r(item)]))),
            I::Len { dst, list } => (dst, Value::Int(items(&r(list)).len() as i64)),
            I::Index { dst, list, i } => (dst, items(&r(list))[n(i) as usize].clone()),
            I::Contains { dst, list, item } => (dst, Value::Bool(items(&r(list)).iter().any(|v| same(v, &r(item))))),
            I::Each { dst, op, list, frag, caps, n } => (dst, self.each(f, op, items(&r(list)), frag, &run(caps, n))),
            I::Call1 { dst, fun, a } => (dst, self.fun(fun, &[r(a)])?),
            I::CallN { dst, fun, start, n } => (dst, self.fun(fun, &run(start, n))?),
            I::Get { dst, obj, field } => (dst, self.field(&r(obj), field)),
            I::GetRaw { dst, obj, field } => (dst, self.stored(&r(obj), field)),
            I::AllOf { dst, kind } => (dst, list(self.in_play().filter(|id| self.is(*id, kind)).map(Value::Obj))),
            I::IsKind { dst, obj, kind } => (dst, Value::Bool(matches!(r(obj), Value::Obj(id) if self.is(id, kind)))),
            I::HasKeyword { dst, obj, keyword } => (dst, Value::Bool(!self.keyword(&r(obj), keyword).is_empty())),
            I::KeywordNumber { dst, obj, keyword } => (dst, Value::Int(self.keyword(&r(obj), keyword).iter().sum())),
            I::Players { dst } => (dst, list(self.players.iter().map(|p| Value::Obj(*p)))),
            I::You { dst } => (dst, or_none(f.you)),
            I::Opponent { dst, of } => {
                let of = if let Value::Obj(id) = r(of) { self.thing(id).controller } else { f.you };
                (dst, Value::Obj(if of == self.players[0] { self.players[1] } else { self.players[0] }))
            }
            I::Call { dst, frag, start, n } if self.pack.fragments[frag.index()].pure => {
                (dst, self.term(frag, &run(start, n), f.event, f.you))
            }
            I::EvGet { dst, field } => (dst, event(f.event).values[field as usize].clone()),
            _ => return None,
        };
        f.registers[dst as usize] = value;
        Some(Next::On)
    }

    fn each(&self, f: &Frame, op: EachOp, all: Vec<Value>, frag: FragId, caps: &[Value]) -> Value {
        let of = |item: &Value| self.term(frag, &[caps, std::slice::from_ref(item)].concat(), f.event, f.you);
        let most = |sign: i64| all.iter().map(|v| int(&of(v))).max_by_key(|n| sign * n).map_or(Value::None, Value::Int);
        let only = |sign: i64| {
            let best = all.iter().map(|v| sign * int(&of(v))).max();
            let those: Vec<&Value> = all.iter().filter(|v| Some(sign * int(&of(v))) == best).collect();
            if let [one] = those[..] { one.clone() } else { Value::None }
        };
        match op {
            EachOp::Filter => list(all.iter().filter(|v| truth(&of(v))).cloned()),
            EachOp::Map => list(all.iter().map(of)),
            EachOp::Sum => Value::Int(all.iter().map(|v| int(&of(v))).sum()),
            EachOp::Any => Value::Bool(all.iter().any(|v| truth(&of(v)))),
            EachOp::All => Value::Bool(all.iter().all(|v| truth(&of(v)))),
            EachOp::MaxOf => most(1),
            EachOp::MinOf => most(-1),
            EachOp::Highest => only(1),
            EachOp::Lowest => only(-1),
            EachOp::SortBy => {
                let mut all = all.clone();
                all.sort_by_key(|v| int(&of(v)));
                list(all)
            }
            EachOp::DistinctBy | EachOp::Connected => panic!("{op:?} is not known here"),
        }
    }

    fn fun(&self, fun: Fun, args: &[Value]) -> Option<Value> {
        let numbers = || if let [one] = args { items(one).iter().map(int).collect::<Vec<_>>() } else { args.iter().map(int).collect() };
        Some(match fun {
            Fun::Min => numbers().into_iter().min().map_or(Value::None, Value::Int),
            Fun::Max => numbers().into_iter().max().map_or(Value::None, Value::Int),
            Fun::Abs => Value::Int(int(&args[0]).abs()),
            Fun::Odd => Value::Bool(int(&args[0]) % 2 != 0),
            Fun::Clamp => Value::Int(int(&args[0]).max(int(&args[1])).min(int(&args[2]))),
            Fun::Total => Value::Int(int(&args[0])),
            Fun::First => items(&args[0]).first().cloned().unwrap_or(Value::None),
            Fun::Last => items(&args[0]).last().cloned().unwrap_or(Value::None),
            Fun::Only => match &items(&args[0])[..] {
                [one] => one.clone(),
                _ => Value::None,
            },
            Fun::Reversed => list(items(&args[0]).into_iter().rev()),
            Fun::Copies => Value::Int(items(&args[0]).iter().filter(|v| same(v, &args[1])).count() as i64),
            Fun::Numbers => list((int(&args[0])..=int(&args[1])).map(Value::Int)),
            Fun::Controller => match args[0] {
                Value::Obj(id) => or_none(self.thing(id).controller),
                _ => Value::None,
            },
            Fun::InPlay => Value::Bool(matches!(args[0], Value::Obj(id) if self.thing(id).in_play)),
            Fun::Create => return None,
            other => panic!("{other:?} is not known here"),
        })
    }

    fn in_play(&self) -> impl Iterator<Item = ObjId> + '_ {
        (1..=self.things.len() as u32).map(ObjId).filter(|id| self.thing(*id).in_play)
    }

    fn is(&self, id: ObjId, kind: KindId) -> bool {
        self.pack.kinds[self.thing(id).kind.index()].is.contains(&kind)
    }

    /// Without modifiers.
    pub(super) fn stored(&self, of: &Value, field: FieldId) -> Value {
        let Value::Obj(id) = *of else { panic!("a field of {of:?}") };
        let printed = |card: CardId| self.pack.cards[card.index()].values.iter().find(|(f, _)| *f == field).map(|(_, v)| v.clone());
        let known = self.thing(id).state.get(&field).cloned();
        let described = &self.pack.fields[field.index()];
        let first = if described.starts_full { described.high } else { described.default };
        known
            .or_else(|| self.thing(id).card.and_then(printed))
            .unwrap_or_else(|| first.map_or(Value::None, |frag| self.term(frag, std::slice::from_ref(of), None, self.thing(id).controller)))
    }

    pub(super) fn field(&self, of: &Value, field: FieldId) -> Value {
        let Value::Obj(it) = *of else { panic!("a field of {of:?}") };
        let mut mods: Vec<(ModOp, u32, Value)> = Vec::new();
        let speaks = |rule: &Rule| matches!(rule, Rule::Grant { mods, .. } if mods.iter().any(|m| m.field == field));
        self.each_grant(it, &speaks, &mut |rule, rank, this, you| {
            let Rule::Grant { mods: given, .. } = rule else { return };
            for m in given.iter().filter(|m| m.field == field) {
                mods.push((m.op, rank, self.term(m.value, &[or_none(this), Value::None, Value::Obj(it)], None, you)));
            }
        });
        for given in self.given.iter().filter(|g| g.targets.contains(&it)) {
            mods.extend(given.mods.iter().filter(|(f, ..)| *f == field).map(|(_, op, v)| (*op, given.rank, v.clone())));
        }
        let base = self.stored(of, field);
        if mods.is_empty() { base } else { self.in_range(it, field, modified(base, &mods)) }
    }

    /// Kept within the range of the field.
    pub(super) fn in_range(&self, of: ObjId, field: FieldId, value: Value) -> Value {
        let Value::Int(mut n) = value else { return value };
        let described = &self.pack.fields[field.index()];
        let you = self.thing(of).controller;
        if let Some(low) = described.low {
            n = n.max(int(&self.term(low, &[Value::Obj(of)], None, you)));
        }
        if let Some(high) = described.high {
            n = n.min(int(&self.term(high, &[Value::Obj(of)], None, you)));
        }
        Value::Int(n)
    }

    /// The numbers of a keyword, one for each time it is there.
    pub(super) fn keyword(&self, of: &Value, keyword: KeywordId) -> Vec<i64> {
        let Value::Obj(it) = *of else { return Vec::new() };
        let printed = self.thing(it).card.map_or(&[][..], |c| &self.pack.cards[c.index()].keywords);
        let mut numbers: Vec<i64> = printed.iter().filter(|(k, _)| *k == keyword).map(|(_, n)| *n).collect();
        for given in self.given.iter().filter(|g| g.targets.contains(&it)) {
            numbers.extend(given.keywords.iter().filter(|(k, _)| *k == keyword).map(|(_, n)| *n));
        }
        let speaks = |rule: &Rule| matches!(rule, Rule::Grant { keywords, .. } if keywords.iter().any(|(k, _)| *k == keyword));
        self.each_grant(it, &speaks, &mut |rule, _, this, you| {
            let Rule::Grant { keywords, .. } = rule else { return };
            for (_, number) in keywords.iter().filter(|(k, _)| *k == keyword) {
                let args = [or_none(this), Value::None, Value::Obj(it)];
                numbers.push(number.map_or(1, |frag| int(&self.term(frag, &args, None, you))));
            }
        });
        numbers
    }

    /// Continuous grants that speak of what is asked and hold for `it`: the rule, its rank, its holder and who that belongs to.
    fn each_grant(&self, it: ObjId, speaks: &dyn Fn(&Rule) -> bool, then: &mut dyn FnMut(&Rule, u32, ObjId, ObjId)) {
        for (b, bundle) in self.pack.bundles.iter().enumerate() {
            for rule in &bundle.rules {
                if let Rule::Grant { kind, .. } = rule
                    && speaks(rule)
                    && self.is(it, *kind)
                {
                    for this in self.holders(BundleId(b as u32), &mut Vec::new()) {
                        if self.grant_holds(rule, this, it) {
                            then(rule, bundle.rank, this, self.side(this, NOBODY));
                        }
                    }
                }
            }
        }
    }

    fn grant_holds(&self, rule: &Rule, this: ObjId, it: ObjId) -> bool {
        let Rule::Grant { who, cond, .. } = rule else { return false };
        let holds = |frag: FragId| truth(&self.term(frag, &[or_none(this), Value::None, Value::Obj(it)], None, self.side(this, NOBODY)));
        who.map_or(this == it, holds) && cond.is_none_or(holds)
    }

    /// Who a rule belongs to, or somebody else if to nobody.
    pub(super) fn side(&self, this: ObjId, other: ObjId) -> ObjId {
        match this {
            NOBODY => other,
            id => self.thing(id).controller,
        }
    }

    /// Everybody in play through whom the rules of a bundle are in force, oldest first; nobody for rules of the whole game.
    pub(super) fn holders(&self, bundle: BundleId, asked: &mut Vec<BundleId>) -> Vec<ObjId> {
        let mut found = Vec::new();
        if self.pack.global_rules.contains(&bundle) {
            found.push(NOBODY);
        }
        let gives = |keyword: KeywordId| self.pack.keywords[keyword.index()].bundle == bundle;
        for id in self.in_play() {
            let thing = self.thing(id);
            let mut carries = self.pack.kinds[thing.kind.index()].bundles.contains(&bundle);
            if let Some(card) = thing.card.map(|c| &self.pack.cards[c.index()]) {
                carries |= card.bundles.contains(&bundle) || card.keywords.iter().any(|(k, _)| gives(*k));
            }
            carries |= self.given.iter().any(|g| g.targets.contains(&id) && g.keywords.iter().any(|(k, _)| gives(*k)));
            carries |= self.granted(bundle, id, asked);
            if carries {
                found.push(id);
            }
        }
        found
    }

    /// Does a continuous grant give somebody the rules of a bundle?
    fn granted(&self, bundle: BundleId, it: ObjId, asked: &mut Vec<BundleId>) -> bool {
        if asked.contains(&bundle) {
            return false;
        }
        asked.push(bundle);
        let mut found = false;
        for (b, giver) in self.pack.bundles.iter().enumerate() {
            for rule in &giver.rules {
                let Rule::Grant { kind, keywords, bundles, .. } = rule else { continue };
                let gives = bundles.contains(&bundle) || keywords.iter().any(|(k, _)| self.pack.keywords[k.index()].bundle == bundle);
                if gives && self.is(it, *kind) {
                    let holders = self.holders(BundleId(b as u32), asked);
                    found |= holders.into_iter().any(|this| self.grant_holds(rule, this, it));
                }
            }
        }
        asked.pop();
        found
    }
}
