//! A slow, obvious interpreter of packs, to hold the machine against. It shares no code with it: fragments call each other as Rust functions do, nothing is
//! indexed or remembered, every question about rules in force looks at everything. It knows as much as the random programs use and panics at the rest.

mod events;
mod looking;
mod numbers;
mod steps;

use std::collections::BTreeMap;

use banneret_runtime::bytecode::ModOp;
use banneret_runtime::ids::*;
use banneret_runtime::pack::{FieldRole, Pack};
use banneret_runtime::value::Value;

/// An object of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    pub kind: KindId,
    pub card: Option<CardId>,
    pub controller: ObjId,
    pub in_play: bool,
    pub state: BTreeMap<FieldId, Value>,
}

/// A grant made by a statement, for the game.
#[derive(Clone, Debug)]
struct Given {
    targets: Vec<ObjId>,
    mods: Vec<(FieldId, ModOp, Value)>,
    keywords: Vec<(KeywordId, i64)>,
    rank: u32,
}

#[derive(Clone, Debug)]
struct Event {
    action: ActionId,
    values: Vec<Value>,
    you: ObjId,
    /// What `before` rules do to its values.
    mods: Vec<(u16, ModOp, u32, Value)>,
    /// `instead` rules that had their turn.
    replaced: Vec<Rulesake>,
    /// The body, as it stands behind the head.
    body: Option<Frame>,
    carried: bool,
    result: Value,
}

/// A rule and through whom it is in force.
type Rulesake = (BundleId, usize, ObjId);

/// A running fragment.
#[derive(Clone, Debug)]
struct Frame {
    frag: FragId,
    pc: usize,
    registers: Vec<Value>,
    event: Option<usize>,
    you: ObjId,
    this: ObjId,
    rank: u32,
}

/// How a fragment came to an end, or to a stop on the way.
enum End {
    Head,
    Value(Value),
    Illegal,
}

pub const NOBODY: ObjId = ObjId(0);

pub struct Plain<'p> {
    pack: &'p Pack,
    pub things: Vec<Thing>,
    players: Vec<ObjId>,
    given: Vec<Given>,
    events: Vec<Event>,
    checking: bool,
    dice: Box<dyn FnMut(u32) -> i64 + 'p>,
    pub rolled: u64,
    pub measured: Vec<Value>,
}

impl<'p> Plain<'p> {
    /// Two players, and nothing else.
    pub fn new(pack: &'p Pack, dice: impl FnMut(u32) -> i64 + 'p) -> Plain<'p> {
        let mut plain = Plain {
            pack,
            things: Vec::new(),
            players: Vec::new(),
            given: Vec::new(),
            events: Vec::new(),
            checking: false,
            dice: Box::new(dice),
            rolled: 0,
            measured: Vec::new(),
        };
        for _ in 0..2 {
            let id = plain.make(pack.player_kind.expect("players"), None, NOBODY);
            plain.thing_mut(id).controller = id;
            plain.players.push(id);
        }
        for id in plain.players.clone() {
            plain.initialise(id);
        }
        plain
    }

    /// Runs a test to its end.
    pub fn run(&mut self, body: FragId) {
        let frame = self.frame(body, &[], None, self.players[0], NOBODY, 0);
        match self.steps(frame).0 {
            End::Value(_) => {}
            _ => panic!("a test has no head"),
        }
    }

    fn make(&mut self, kind: KindId, card: Option<CardId>, controller: ObjId) -> ObjId {
        self.things.push(Thing { kind, card, controller, in_play: true, state: BTreeMap::new() });
        ObjId(self.things.len() as u32)
    }

    fn initialise(&mut self, id: ObjId) {
        let pack = self.pack;
        for field in &pack.kinds[self.thing(id).kind.index()].fields {
            if pack.fields[field.index()].role == FieldRole::State {
                let value = self.stored(&Value::Obj(id), *field);
                if value != Value::None {
                    self.thing_mut(id).state.insert(*field, value);
                }
            }
        }
    }

    fn thing(&self, id: ObjId) -> &Thing {
        &self.things[id.0 as usize - 1]
    }

    fn thing_mut(&mut self, id: ObjId) -> &mut Thing {
        &mut self.things[id.0 as usize - 1]
    }

    fn frame(&self, frag: FragId, args: &[Value], event: Option<usize>, you: ObjId, this: ObjId, rank: u32) -> Frame {
        let mut registers = args.to_vec();
        registers.resize(self.pack.fragments[frag.index()].registers as usize, Value::None);
        Frame { frag, pc: 0, registers, event, you, this, rank }
    }

    /// A fragment that only looks.
    fn term(&self, frag: FragId, args: &[Value], event: Option<usize>, you: ObjId) -> Value {
        let mut frame = self.frame(frag, args, event, you, NOBODY, 0);
        let code = &self.pack.fragments[frag.index()].code;
        loop {
            let instr = &code[frame.pc];
            match self.look(&mut frame, instr) {
                Some(looking::Next::On) => frame.pc += 1,
                Some(looking::Next::To(pc)) => frame.pc = pc,
                Some(looking::Next::Return(value)) => return value,
                None => panic!("{instr:?} in a term"),
            }
        }
    }
}

fn or_none(id: ObjId) -> Value {
    if id == NOBODY { Value::None } else { Value::Obj(id) }
}
