//! Branches and loops, by jumps.

use banneret_runtime::bytecode::Instr;

use super::body::{Body, Loop, Open};
use crate::hir::{Block, Expr, Local};

impl Body<'_> {
    pub fn branch(&mut self, arms: &[(Expr, Block)], otherwise: Option<&Block>) {
        let mut ends = Vec::new();
        for (cond, block) in arms {
            let mark = self.mark();
            let cond = self.value(cond);
            let next = self.jump_if_not(cond);
            self.release(mark);
            self.block(block);
            ends.push(self.jump());
            self.land(next);
        }
        if let Some(block) = otherwise {
            self.block(block);
        }
        self.land_all(ends);
    }

    /// Runs a block as the body of a loop; gives the jumps of its `pass` lines.
    fn loop_body(&mut self, body: &Block) -> Vec<usize> {
        self.open.push(Open::Loop(Loop::default()));
        self.block(body);
        self.close_loop()
    }

    pub fn close_loop(&mut self) -> Vec<usize> {
        match self.open.pop() {
            Some(Open::Loop(inner)) => inner.exits,
            _ => Vec::new(),
        }
    }

    /// One after another, over the set as it is now. `pass` does not leave a `for`.
    pub fn for_in(&mut self, local: Local, set: &Expr, body: &Block) {
        let list = self.value(set);
        let (len, i, more) = (self.reg(), self.reg(), self.reg());
        self.emit(Instr::Len { dst: len, list });
        self.emit(Instr::Int { dst: i, v: 0 });
        let top = self.here();
        self.emit(Instr::Lt { dst: more, a: i, b: len });
        let end = self.jump_if_not(more);
        let one = self.local(local);
        self.emit(Instr::Index { dst: one, list, i });
        self.block(body);
        self.emit(Instr::AddInt { dst: i, a: i, v: 1 });
        self.jump_back(top);
        self.land(end);
    }

    pub fn repeat_times(&mut self, count: &Expr, body: &Block) {
        // The count is read once, whatever the body does to what it was read from.
        let times = self.reg();
        self.eval(count, times);
        let (i, more) = (self.reg(), self.reg());
        self.emit(Instr::Int { dst: i, v: 0 });
        let top = self.here();
        self.emit(Instr::Lt { dst: more, a: i, b: times });
        let end = self.jump_if_not(more);
        let exits = self.loop_body(body);
        self.emit(Instr::AddInt { dst: i, a: i, v: 1 });
        self.jump_back(top);
        self.land(end);
        self.land_all(exits);
    }

    /// `repeat until C` looks before each time; a bare `repeat` goes on until `pass`.
    pub fn repeat(&mut self, until: Option<&Expr>, body: &Block) {
        let top = self.here();
        let done = until.map(|cond| {
            let mark = self.mark();
            let cond = self.value(cond);
            let done = self.jump_if(cond);
            self.release(mark);
            done
        });
        let exits = self.loop_body(body);
        self.jump_back(top);
        if let Some(done) = done {
            self.land(done);
        }
        self.land_all(exits);
    }

    /// Leaves the innermost repeat or alternate, closing what was opened in it; without one, the fragment.
    pub fn pass(&mut self) {
        let mut closing = Vec::new();
        let mut target = None;
        for (at, open) in self.open.iter().enumerate().rev() {
            match open {
                Open::Scope(action) => closing.push(Instr::ScopeEnd { action: *action }),
                Open::Together => closing.push(Instr::TogetherEnd),
                Open::Headed => {}
                Open::Loop(_) => {
                    target = Some(at);
                    break;
                }
            }
        }
        for instr in closing {
            self.emit(instr);
        }
        match target {
            Some(at) => {
                let jump = self.jump();
                if let Some(Open::Loop(inner)) = self.open.get_mut(at) {
                    inner.exits.push(jump);
                }
            }
            None => {
                let src = self.none();
                self.emit(Instr::Return { src });
            }
        }
    }

    /// In a head or a block: illegal if untrue. Directly in an `alternate` the player then has nothing to do this turn.
    pub fn need(&mut self, cond: &Expr) {
        let cond = self.value(cond);
        if self.in_alternate() {
            let jump = self.jump_if_not(cond);
            self.exits_with(jump);
        } else {
            self.emit(Instr::Need { cond });
        }
    }

    /// Directly in the body of an `alternate`: what cannot be done there ends the player's turn.
    pub fn in_alternate(&self) -> bool {
        matches!(self.open.last(), Some(Open::Loop(Loop { alternate: true, .. })))
    }

    pub fn exits_with(&mut self, jump: usize) {
        if let Some(Open::Loop(inner)) = self.open.last_mut() {
            inner.exits.push(jump);
        }
    }
}
