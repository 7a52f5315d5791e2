//! `alternate`: players in turn. Who passes, or can do nothing, is out; with `until all pass` nobody is out, and it ends when all have passed in a row.

use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::Reg;

use super::body::{Body, Loop, Open};
use crate::hir::{Block, ChooseMode, Expr, Local, StmtKind, Target};

impl Body<'_> {
    pub fn alternate(&mut self, local: Local, starting: Option<&Expr>, until_all_pass: bool, body: &Block) {
        let (before, all, count, turn) = (self.reg(), self.reg(), self.reg(), self.reg());
        // `quiet`: players who are out, or who have passed in a row.
        let (out, quiet, test, acted) = (self.reg(), self.reg(), self.reg(), self.reg());
        let player = self.local(local);
        self.read_you(before);
        self.emit(Instr::Players { dst: all });
        self.emit(Instr::Len { dst: count, list: all });
        self.emit(Instr::Int { dst: turn, v: 0 });
        if let Some(starting) = starting {
            let first = self.value(starting);
            self.seat(first, all, count, turn, test, player);
        }
        self.emit(Instr::MakeList { dst: out, start: out, n: 0 });
        self.emit(Instr::Int { dst: quiet, v: 0 });

        let top = self.here();
        self.emit(Instr::Le { dst: test, a: count, b: quiet });
        let end = self.jump_if(test);
        self.emit(Instr::Index { dst: player, list: all, i: turn });
        let mut nexts = Vec::new();
        if !until_all_pass {
            self.emit(Instr::Contains { dst: test, list: out, item: player });
            nexts.push(self.jump_if(test));
        }
        self.emit(Instr::SetYou { src: player });
        self.emit(Instr::Bool { dst: acted, v: false });

        let outer = self.acted.replace(acted);
        self.open.push(Open::Loop(Loop { alternate: true, ..Loop::default() }));
        self.turn(body);
        let passes = self.close_loop();
        self.acted = outer;

        let idle = self.jump_if_not(acted);
        if until_all_pass {
            self.emit(Instr::Int { dst: quiet, v: 0 });
        }
        nexts.push(self.jump());
        self.land_all(passes);
        self.land(idle);
        if !until_all_pass {
            self.emit(Instr::Push { list: out, item: player });
        }
        self.emit(Instr::AddInt { dst: quiet, a: quiet, v: 1 });
        self.land_all(nexts);
        self.next_seat(turn, count, test);
        self.jump_back(top);
        self.land(end);
        self.emit(Instr::SetYou { src: before });
        self.has_acted();
    }

    /// The body of one turn. Its leading `choose` lines are like a head: with nothing to choose the player can do nothing.
    fn turn(&mut self, body: &Block) {
        let mark = self.mark();
        let leading = body.stmts.iter().take_while(|stmt| is_declaring(&stmt.kind)).count();
        for (n, stmt) in body.stmts.iter().enumerate() {
            self.stmt(stmt);
            if let StmtKind::Choose(choose) = &stmt.kind
                && n < leading
                && matches!(choose.mode, ChooseMode::One | ChooseMode::Exactly)
                // A stored choice that is absent asks nothing and forbids nothing.
                && crate::elaborate::stored_choice(&choose.from).is_none()
                && let Target::Local(local) = &choose.into
            {
                let src = self.local(*local);
                let nothing = self.emit(Instr::JumpIfNone { src, to: 0 });
                self.exits_with(nothing);
            }
        }
        self.release(mark);
    }

    /// Puts the seat of `first` in `turn`; the first seat if it is nobody's.
    fn seat(&mut self, first: Reg, all: Reg, count: Reg, turn: Reg, test: Reg, player: Reg) {
        let top = self.here();
        self.emit(Instr::Lt { dst: test, a: turn, b: count });
        let nobody = self.jump_if_not(test);
        self.emit(Instr::Index { dst: player, list: all, i: turn });
        self.emit(Instr::Eq { dst: test, a: player, b: first });
        let found = self.jump_if(test);
        self.emit(Instr::AddInt { dst: turn, a: turn, v: 1 });
        self.jump_back(top);
        self.land(nobody);
        self.emit(Instr::Int { dst: turn, v: 0 });
        self.land(found);
    }

    fn next_seat(&mut self, turn: Reg, count: Reg, test: Reg) {
        self.emit(Instr::AddInt { dst: turn, a: turn, v: 1 });
        self.emit(Instr::Lt { dst: test, a: turn, b: count });
        let seated = self.jump_if(test);
        self.emit(Instr::Int { dst: turn, v: 0 });
        self.land(seated);
    }
}

fn is_declaring(stmt: &StmtKind) -> bool {
    matches!(
        stmt,
        StmtKind::Need(_)
            | StmtKind::Let(..)
            | StmtKind::LetField(..)
            | StmtKind::Choose(_)
            | StmtKind::Pay { .. }
            | StmtKind::PayCards { .. }
    )
}
