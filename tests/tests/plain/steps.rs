//! Running a fragment that acts.

use banneret_runtime::bytecode::{Fun, Instr};
use banneret_runtime::ids::*;
use banneret_runtime::value::{Dice, Value};

use super::looking::Next;
use super::numbers::{int, items, list, truth};
use super::{End, Frame, Given, Plain};

impl Plain<'_> {
    /// Runs a fragment to its end, or to the end of its head; gives it back as it stands then.
    pub(super) fn steps(&mut self, mut f: Frame) -> (End, Frame) {
        let pack = self.pack;
        let code = &pack.fragments[f.frag.index()].code;
        loop {
            let Some(instr) = code.get(f.pc) else { return (End::Value(Value::None), f) };
            match self.look(&mut f, instr) {
                Some(Next::On) => {
                    f.pc += 1;
                    continue;
                }
                Some(Next::To(pc)) => {
                    f.pc = pc;
                    continue;
                }
                Some(Next::Return(value)) => return (End::Value(value), f),
                None => {}
            }
            f.pc += 1;
            match *instr {
                Instr::HeadEnd => return (End::Head, f),
                Instr::Need { cond } if !truth(&f.registers[cond as usize]) => return (End::Illegal, f),
                _ => self.act(&mut f, instr),
            }
        }
    }

    fn act(&mut self, f: &mut Frame, instr: &Instr) {
        use Instr as I;
        let run = |f: &Frame, start: Reg, n: u16| f.registers[start as usize..(start + n) as usize].to_vec();
        match *instr {
            I::HeadStep | I::Statement | I::Need { .. } => {}
            I::Set { obj, field, src } => {
                let Value::Obj(id) = f.registers[obj as usize] else { panic!("nothing to set") };
                let value = self.in_range(id, field, f.registers[src as usize].clone());
                self.thing_mut(id).state.insert(field, value);
            }
            I::CallN { dst, fun: Fun::Create, start, n } => {
                let [Value::Card(card), Value::Obj(owner), _] = run(f, start, n)[..] else { panic!("creating something odd") };
                let id = self.make(self.pack.cards[card.index()].kind, Some(card), owner);
                self.initialise(id);
                f.registers[dst as usize] = Value::Obj(id);
            }
            I::EvSet { field, src } => {
                self.events[f.event.expect("an event")].values[field as usize] = f.registers[src as usize].clone();
            }
            I::EvMod { field, op, src } => {
                let (rank, value) = (f.rank, f.registers[src as usize].clone());
                self.events[f.event.expect("an event")].mods.push((field, op, rank, value));
            }
            I::Roll { dst, dice } => {
                let dice = match &f.registers[dice as usize] {
                    Value::Dice(dice) => *dice,
                    fixed => Dice { count: 0, sides: 1, plus: int(fixed) as i32 },
                };
                let faces: Vec<i64> = (0..dice.count).map(|_| (self.dice)(dice.sides)).collect();
                self.rolled += faces.len() as u64;
                let plus = if dice.plus == 0 { None } else { Some(dice.plus.into()) };
                f.registers[dst as usize] = match (&faces[..], plus) {
                    ([face], None) => Value::Int(*face),
                    (faces, plus) => list(faces.iter().copied().chain(plus).map(Value::Int)),
                };
            }
            I::Emit { dst, done, action, start, n } => {
                let result = self.emit(action, run(f, start, n), f.you);
                f.registers[done as usize] = Value::Bool(result.is_some());
                f.registers[dst as usize] = result.unwrap_or(Value::None);
            }
            I::Proceed => self.resolve(f.event.expect("an event")),
            I::Measure { src, .. } => self.measured.push(f.registers[src as usize].clone()),
            I::Grant { spec, targets, start } => {
                let spec = &self.pack.grants[spec.index()];
                assert!(spec.lasts.is_empty() && spec.bundles.is_empty() && spec.rules == 0, "{spec:?} is not known here");
                let mut next = f.registers[start as usize..].iter();
                let mut value = || next.next().expect("a value").clone();
                let mods = spec.mods.iter().map(|(field, op)| (*field, *op, value())).collect();
                let keywords = spec.keywords.iter().map(|(k, numbered)| (*k, if *numbered { int(&value()) } else { 1 })).collect();
                let targets = items(&f.registers[targets as usize]).into_iter().map(|v| match v {
                    Value::Obj(id) => id,
                    other => panic!("a grant to {other:?}"),
                });
                let given = Given { targets: targets.collect(), mods, keywords, rank: f.rank };
                self.given.push(given);
            }
            _ => panic!("{instr:?} is not known here, of {:?}", f.this),
        }
    }
}
