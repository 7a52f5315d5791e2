//! A fragment in the making: its code, its registers, and what names mean in it.
//!
//! Registers are a stack: a local keeps its register to the end of its block, a temporary to the end of its expression.

use banneret_grammar::span::Span;
use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::*;
use banneret_runtime::pack;
use rustc_hash::FxHashMap;

use super::calls::acts_or_asks;
use super::unit::Unit;
use crate::hir::{Key, Local, Name};

/// Where the names of a fragment are found.
#[derive(Clone, Debug, Default)]
pub(super) struct Env {
    pub this: Option<Reg>,
    pub part: Option<Reg>,
    /// Captured; elsewhere `you` is asked of the frame.
    pub you: Option<Reg>,
    pub locals: FxHashMap<Local, Reg>,
    /// Captured event fields.
    pub fields: FxHashMap<Name, Reg>,
    /// Whose event can be read.
    pub event: Event,
    /// Phases written in place around here, innermost last.
    pub scopes: Vec<(Key, Vec<Name>)>,
}

/// The event a fragment can read.
#[derive(Clone, Debug, Default)]
pub(super) enum Event {
    #[default]
    None,
    /// The running action: its key and all its fields.
    Own(Key, Vec<Name>),
    /// In a handler: one of these.
    Answered(Vec<Key>),
}

impl Env {
    /// Registers 0 and 1 are `this` and `part`: rules, guards and stored code.
    pub fn held(event: Event) -> Self {
        Self { this: Some(0), part: Some(1), event, ..Self::default() }
    }
}

/// Something that is open where we are and must be closed on the way out.
pub(super) enum Open {
    Scope(ActionId),
    Together,
    /// A line of a menu or a `may`: has a head of its own, needs no closing.
    Headed,
    Loop(Loop),
}

#[derive(Default)]
pub(super) struct Loop {
    /// Jumps to the place after the loop (in an `alternate`: to where the player is counted out).
    pub exits: Vec<usize>,
    pub alternate: bool,
}

pub(super) struct Body<'a> {
    pub unit: &'a mut Unit,
    pub env: Env,
    pub open: Vec<Open>,
    /// In an `alternate`: the register that says whether the player has done anything.
    pub acted: Option<Reg>,
    /// Keys of the phases written in place in this item, with the names of their fields.
    pub inner: Vec<(Key, Vec<Name>)>,
    /// What a limit says if a `need` says nothing itself.
    pub words: Option<smol_str::SmolStr>,
    pub measures: Vec<pack::Measure>,
    /// These are the lines of a test.
    pub in_test: bool,
    pub span: Span,
    /// What is lowered was written in another item: its places are none of this one.
    pub foreign: bool,
    code: Vec<Instr>,
    sites: Vec<SiteId>,
    params: u16,
    next: u32,
    most: u32,
}

impl<'a> Body<'a> {
    pub fn new(unit: &'a mut Unit, params: u16, env: Env, span: Span) -> Self {
        let next = u32::from(params);
        Self {
            unit,
            env,
            open: Vec::new(),
            acted: None,
            inner: Vec::new(),
            words: None,
            measures: Vec::new(),
            in_test: false,
            span,
            foreign: false,
            code: Vec::new(),
            sites: Vec::new(),
            params,
            next,
            most: next,
        }
    }

    // ---- registers

    pub fn reg(&mut self) -> Reg {
        self.regs(1)
    }

    /// `n` registers in a row.
    pub fn regs(&mut self, n: usize) -> Reg {
        let start = self.next;
        self.next += n as u32;
        self.most = self.most.max(self.next);
        if self.next > u32::from(u16::MAX) {
            self.unit.problem(self.span, "this needs more registers than the machine has");
            self.next = start;
            return 0;
        }
        start as Reg
    }

    pub fn mark(&self) -> u32 {
        self.next
    }

    /// Gives back every register taken since the mark.
    pub fn release(&mut self, mark: u32) {
        self.next = mark;
    }

    /// Binds a local to a register of its own, or finds the one it has.
    pub fn local(&mut self, local: Local) -> Reg {
        if let Some(&reg) = self.env.locals.get(&local) {
            return reg;
        }
        let reg = self.reg();
        self.env.locals.insert(local, reg);
        reg
    }

    // ---- code

    pub fn emit(&mut self, instr: Instr) -> usize {
        let site = self.unit.site(self.span, "");
        self.code.push(instr);
        self.sites.push(site);
        self.code.len() - 1
    }

    pub fn here(&self) -> Pc {
        self.code.len() as Pc
    }

    /// Makes an earlier jump go to the next instruction.
    pub fn land(&mut self, at: usize) {
        let here = self.here();
        self.aim(at, here);
    }

    pub fn land_all(&mut self, jumps: Vec<usize>) {
        jumps.into_iter().for_each(|at| self.land(at));
    }

    pub fn aim(&mut self, at: usize, target: Pc) {
        match self.code.get_mut(at) {
            Some(
                Instr::Jump { to }
                | Instr::JumpIf { to, .. }
                | Instr::JumpIfNot { to, .. }
                | Instr::JumpIfNone { to, .. }
                | Instr::May { no: to, .. }
                | Instr::Probe { end: to, .. },
            ) => *to = target,
            _ => self.unit.problem(self.span, "a jump was lost while lowering"),
        }
    }

    pub fn jump(&mut self) -> usize {
        self.emit(Instr::Jump { to: 0 })
    }

    pub fn jump_back(&mut self, to: Pc) {
        self.emit(Instr::Jump { to });
    }

    pub fn jump_if(&mut self, cond: Reg) -> usize {
        self.emit(Instr::JumpIf { cond, to: 0 })
    }

    pub fn jump_if_not(&mut self, cond: Reg) -> usize {
        self.emit(Instr::JumpIfNot { cond, to: 0 })
    }

    pub fn none(&mut self) -> Reg {
        let dst = self.reg();
        self.emit(Instr::None { dst });
        dst
    }

    pub fn problem(&mut self, span: Span, words: impl Into<String>) {
        self.unit.problem(span, words);
    }

    // ---- the end

    /// Returns None unless the code has returned already, and hands the fragment in.
    pub fn finish(self, name: &str) -> FragId {
        self.hand_in(name, false)
    }

    /// A term: its result is in a register, and it only looks unless something in it acts or asks.
    pub fn finish_with(mut self, name: &str, src: Reg) -> FragId {
        self.emit(Instr::Return { src });
        let pure = !self.code.iter().any(acts_or_asks);
        self.hand_in(name, pure)
    }

    fn hand_in(mut self, name: &str, pure: bool) -> FragId {
        // A jump may lead here even after a Return.
        let ends = matches!(self.code.last(), Some(Instr::Return { .. })) && !self.is_target(self.here());
        if !ends {
            let src = self.none();
            self.emit(Instr::Return { src });
        }
        let name = self.unit.str(name);
        self.unit.fragment(pack::Fragment {
            name,
            params: self.params,
            registers: u16::try_from(self.most).unwrap_or(u16::MAX),
            pure,
            code: self.code,
            sites: self.sites,
        })
    }

    fn is_target(&self, pc: Pc) -> bool {
        self.code.iter().any(|instr| match instr {
            Instr::Jump { to }
            | Instr::JumpIf { to, .. }
            | Instr::JumpIfNot { to, .. }
            | Instr::JumpIfNone { to, .. }
            | Instr::May { no: to, .. }
            | Instr::Probe { end: to, .. } => *to == pc,
            Instr::Menu { menu, .. } => self.unit.menus.get(menu.index()).is_some_and(|menu| menu.none == pc || menu.lines.contains(&pc)),
            _ => false,
        })
    }
}
