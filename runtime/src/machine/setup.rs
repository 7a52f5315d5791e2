//! Making worlds and the objects in them, and starting to run something.

use std::fmt;
use std::sync::Arc;

use super::frame::Form;
use super::{Apart, Machine};
use crate::eval::Scratch;
use crate::fault::{Fault, Res, Stop, wrong};
use crate::ids::*;
use crate::limits::Limits;
use crate::loaded::Loaded;
use crate::pack::FieldRole;
use crate::script::Script;
use crate::value::Value;
use crate::world::{NOBODY, Object, World};

/// Why something could not be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub String);

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SetupError {}

fn failed<T>(result: Res<T>) -> Result<T, Fault> {
    match result {
        Ok(value) => Ok(value),
        Err(Stop::Fault(fault)) => Err(*fault),
        Err(Stop::Fact { .. }) => Err(Fault::new(crate::fault::FaultKind::BadPack, "setting up asks about the table")),
    }
}

impl Machine {
    /// A world with players and the objects of the game, and nothing running.
    pub fn new(pack: &Loaded, players: u32, limits: Limits) -> Result<Machine, Fault> {
        let options = pack.options.iter().map(|o| o.value.clone()).collect();
        let mut machine = Machine {
            world: World::new(options),
            script: Script::default(),
            limits,
            measured: Vec::new(),
            blamed: Vec::new(),
            stop_when_won: false,
            decided: None,
            stack: Vec::new(),
            events: Vec::new(),
            registers: Vec::new(),
            pending: None,
            result: Value::None,
            checking: false,
            acted: false,
            probing: None,
            apart: Apart::default(),
        };
        machine.refuel();
        if let Some(kind) = pack.player_kind {
            for _ in 0..players {
                let id = machine.world.add(Object { in_play: true, ..Object::new(kind, None) });
                if let Some(player) = machine.world.object_mut(id) {
                    player.owner = id;
                    player.controller = id;
                }
                Arc::make_mut(&mut machine.world.players).push(id);
            }
        }
        for (i, kind) in pack.kinds.iter().enumerate().filter(|(_, k)| k.role.game) {
            // A kind that others extend is there through them.
            let extended = pack.kinds.iter().enumerate().any(|(j, k)| j != i && k.role.game && k.is.contains(&KindId(i as u32)));
            if !extended && !kind.role.player {
                let id = machine.world.add(Object { in_play: true, ..Object::new(KindId(i as u32), None) });
                Arc::make_mut(&mut machine.world.games).push(id);
            }
        }
        let mut s = Scratch::new(Vec::new(), limits, limits.steps);
        for id in machine.world.ids() {
            failed(machine.initialise(pack, &mut s, id))?;
        }
        machine.acted = false;
        Ok(machine)
    }

    /// Runs a fragment by itself: a test, a limit, an experiment. `you` is the first player.
    pub fn start_fragment(&mut self, pack: &Loaded, frag: FragId, args: &[Value]) -> Result<(), Fault> {
        let you = self.world.players.first().copied().unwrap_or(NOBODY);
        self.refuel();
        failed(self.push_root(pack, frag, args, you))
    }

    /// Calls an action or phase.
    pub fn start_action(&mut self, pack: &Loaded, action: ActionId, args: &[Value]) -> Result<(), Fault> {
        self.refuel();
        let mut s = Scratch::new(std::mem::take(&mut self.registers), self.limits, self.limits.steps);
        let you = self.you_now();
        let started = match self.new_event(pack, action, args, you) {
            Ok(first) => self.start_event(pack, &mut s, first, Form::Root),
            Err(stop) => Err(stop),
        };
        self.registers = s.regs;
        failed(started).map(|_| ())
    }

    /// Plays the pack's game from its start phase, with a card of its scenario kind if it takes one.
    pub fn start_game(&mut self, pack: &Loaded, scenario: Option<CardId>) -> Result<(), SetupError> {
        let Some(start) = pack.start else {
            return Err(SetupError("this pack has no phase that starts a game".to_owned()));
        };
        self.stop_when_won = true;
        let args: Vec<Value> = scenario.map(Value::Card).into_iter().collect();
        self.start_action(pack, start, &args).map_err(|fault| SetupError(fault.words))
    }

    /// Makes a card and its parts, belonging to `owner`, nowhere yet.
    pub(super) fn create(&mut self, pack: &Loaded, s: &Scratch, card: CardId, owner: ObjId) -> Res<ObjId> {
        self.check_objects(s)?;
        let id = self.world.add(Object { owner, controller: owner, ..Object::new(pack.card(card)?.kind, Some(card)) });
        self.create_parts(pack, s, id, card, owner)?;
        Ok(id)
    }

    fn create_parts(&mut self, pack: &Loaded, s: &Scratch, holder: ObjId, card: CardId, owner: ObjId) -> Res<()> {
        let mut todo = vec![(holder, card)];
        while let Some((holder, card)) = todo.pop() {
            let card = pack.card(card)?;
            let rows = card.rows.iter().map(|(_, _, row)| row).filter(|row| !card.parts.contains(row));
            for (i, part_card) in card.parts.iter().chain(rows).enumerate() {
                self.check_objects(s)?;
                let kind = pack.card(*part_card)?.kind;
                let part = self.world.add(Object { owner, controller: owner, holder, ..Object::new(kind, Some(*part_card)) });
                // Rows of a table belong to the card but are not its parts: their rules hold only when something says so.
                if i < card.parts.len()
                    && let Some(object) = self.world.object_mut(holder)
                {
                    object.parts.push(part);
                }
                todo.push((part, *part_card));
            }
        }
        Ok(())
    }

    /// Gives every state its first value. A first value that depends on the table is worked out when it is read.
    pub(super) fn initialise(&mut self, pack: &Loaded, s: &mut Scratch, id: ObjId) -> Res<()> {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            let object = self.world.object(id)?;
            todo.extend(object.parts.iter().copied());
            let fields = &pack.kind(object.kind)?.fields;
            if let Some(object) = self.world.object_mut(id) {
                object.state.clear();
            }
            for field in fields {
                let described = pack.field(*field)?;
                if !matches!(described.role, FieldRole::State | FieldRole::Resource) {
                    continue;
                }
                let of = Value::Obj(id);
                let you = self.controller(id).unwrap_or(NOBODY);
                let value = match self.view(pack, None, you).base_value(s, &of, *field) {
                    Ok(value) => value,
                    Err(Stop::Fact { .. }) => continue,
                    Err(stop) => return Err(stop),
                };
                if value != Value::None
                    && let Some(object) = self.world.object_mut(id)
                {
                    object.set_state(*field, value);
                }
            }
        }
        Ok(())
    }

    /// Turns into another card: new printed values and parts; its state is kept or starts afresh.
    pub(super) fn become_card(&mut self, pack: &Loaded, s: &mut Scratch, id: ObjId, card: CardId, keep: bool) -> Res<()> {
        let object = self.world.object(id)?;
        if object.holder != NOBODY {
            return wrong("a part of a card cannot become another card");
        }
        let (old_parts, old_state, owner, in_play) = (object.parts.clone(), object.state.clone(), object.controller, object.in_play);
        let kind = pack.card(card)?.kind;
        for part in old_parts {
            self.world.remove(part);
        }
        if let Some(object) = self.world.object_mut(id) {
            object.parts.clear();
            object.card = Some(card);
            object.kind = kind;
        }
        self.create_parts(pack, s, id, card, owner)?;
        if in_play {
            let place = self.world.object(id)?.place;
            self.world.set_in_play(id, true);
            if let (Some(place), Some(object)) = (place, self.world.object_mut(id)) {
                object.place = Some(place);
            }
        }
        if !keep {
            self.world.drop_grants_on(id);
        }
        self.initialise(pack, s, id)?;
        if keep && let Some(object) = self.world.object_mut(id) {
            for (field, value) in old_state {
                object.set_state(field, value);
            }
        }
        Ok(())
    }
}
