//! Questions to players: choices, menus, `may`.

use banneret_runtime::bytecode::{Fun, Instr};
use banneret_runtime::ids::*;
use banneret_runtime::pack;

use super::body::{Body, Open};
use super::calls::{is_effect, probes_into};
use crate::elaborate::stored_choice;
use crate::hir::{Block, Choose, EachOp, Expr, ExprKind, Lambda, Local, MenuLine, Target};
use crate::ty::Ty;

/// `places within L of x where …` as a condition over a place: the list itself is only a selection.
fn accepts_place(from: &Expr) -> Option<Lambda> {
    // No item has so many names that this one would be taken.
    let it = Local(u32::MAX);
    let make = |kind, ty| Expr { kind, ty, span: from.span };
    let place = || make(ExprKind::Local(it), Ty::Place);
    let body = match &from.kind {
        ExprKind::Fun(Fun::Spots, args) => match args.as_slice() {
            [of, length] => make(ExprKind::Fun(Fun::Within, vec![place(), of.clone(), length.clone()]), Ty::Bool),
            _ => return None,
        },
        // such places and some more
        ExprKind::Fun(Fun::Union, args) => match args.as_slice() {
            [near, listed] => {
                let near = accepts_place(near)?;
                let listed = make(ExprKind::Contains(Box::new(listed.clone()), Box::new(place())), Ty::Bool);
                make(ExprKind::Or(near.body, Box::new(listed)), Ty::Bool)
            }
            _ => return None,
        },
        ExprKind::Each { op: EachOp::Filter, list, lambda } => {
            let near = accepts_place(list)?;
            let alone = make(ExprKind::List(vec![place()]), Ty::List(Box::new(Ty::Place)));
            let meets = ExprKind::Each { op: EachOp::All, list: Box::new(alone), lambda: lambda.clone() };
            make(ExprKind::And(near.body, Box::new(make(meets, Ty::Bool))), Ty::Bool)
        }
        _ => return None,
    };
    Some(Lambda { params: vec![it], body: Box::new(body) })
}

/// The machine asks a `such that` about a list; where one thing is chosen, the condition is about that one.
fn about_one(lambda: &Lambda) -> Lambda {
    let Some(one) = lambda.params.first() else { return lambda.clone() };
    // No item has so many names that this one would be taken.
    let list = Local(u32::MAX);
    let span = lambda.body.span;
    let make = |kind, ty| Expr { kind, ty, span };
    let first = make(ExprKind::Fun(Fun::First, vec![make(ExprKind::Local(list), Ty::Error)]), Ty::Error);
    let bound = ExprKind::Table { subject: Some((*one, Box::new(first))), rows: Vec::new(), otherwise: Some(lambda.body.clone()) };
    Lambda { params: vec![list], body: Box::new(make(bound, Ty::Bool)) }
}

fn gives_one(choose: &Choose) -> bool {
    match choose.mode {
        pack::ChooseMode::One => true,
        pack::ChooseMode::UpTo => choose.count.as_ref().is_some_and(|n| n.kind == ExprKind::Int(1)),
        _ => false,
    }
}

impl Body<'_> {
    pub fn choose(&mut self, choose: &Choose) {
        // A local that is chosen is declared here and keeps its register.
        let local = match &choose.into {
            Target::Local(local) => Some(self.local(*local)),
            _ => None,
        };
        let mark = self.mark();
        let site = self.unit.site(self.span, &choose.name);
        // Whether an option may be chosen is asked when somebody wants to know: a menu needs one, a player who takes any option no list of all.
        let (from, keep) = match &choose.from.kind {
            ExprKind::Each { op: EachOp::Filter, list, lambda }
                if choose.mode == pack::ChooseMode::One && stored_choice(&choose.from).is_none() && !is_effect(&choose.from) =>
            {
                (&**list, Some(lambda))
            }
            _ => (&choose.from, None),
        };
        let set = match stored_choice(&choose.from) {
            // what is narrowed may be absent: then there is nothing to narrow, and nothing is asked
            Some(code) if !matches!(choose.from.kind, ExprKind::Code { .. }) => {
                let set = self.reg();
                self.eval(code, set);
                let absent = self.emit(Instr::JumpIfNone { src: set, to: 0 });
                self.eval(&choose.from, set);
                self.land(absent);
                set
            }
            _ => self.value(from),
        };
        let count = match &choose.count {
            Some(count) => self.value(count),
            None => self.none(),
        };
        let who = self.who(choose.by.as_ref());
        let such_that = choose.such_that.as_ref().map(|lambda| if gives_one(choose) { about_one(lambda) } else { lambda.clone() });
        let place = match (&such_that, choose.mode) {
            (None, pack::ChooseMode::One) if !is_effect(&choose.from) => accepts_place(from),
            _ => None,
        };
        let lambdas = [(keep, "keep"), (such_that.as_ref(), "such that"), (place.as_ref(), "any place")];
        let asked: Vec<(&Lambda, &str)> = lambdas.iter().filter_map(|(lambda, name)| Some(((*lambda)?, *name))).collect();
        let (frags, caps, n) = if asked.is_empty() { (Vec::new(), 0, 0) } else { self.closures(&asked) };
        let frag = |name: &str| asked.iter().zip(&frags).find(|((_, other), _)| *other == name).map(|(_, frag)| *frag);
        let spec = pack::Choose {
            name: self.unit.str(&choose.name),
            mode: choose.mode,
            keep: frag("keep"),
            such_that: frag("such that"),
            any_place: frag("any place"),
            each_once: choose.each_once.as_ref().map(|scope| self.unit.action(scope)),
            in_head: choose.in_head,
            secret: choose.secret,
            site,
        };
        self.unit.chooses.push(spec);
        let spec = ChooseId(self.unit.chooses.len() as u32 - 1);
        let dst = local.unwrap_or_else(|| self.reg());
        self.emit(Instr::Choose { dst, spec, set, count, who, caps, n });
        // `choose up to 1 x` gives one or none, not a list
        if choose.mode == pack::ChooseMode::UpTo && gives_one(choose) {
            self.emit(Instr::Call1 { dst, fun: Fun::First, a: dst });
        }
        if local.is_none() {
            self.store(&choose.into, dst, self.span);
        }
        self.release(mark);
    }

    fn who(&mut self, by: Option<&Expr>) -> Reg {
        match by {
            Some(by) => self.value(by),
            None => {
                let dst = self.reg();
                self.read_you(dst);
                dst
            }
        }
    }

    pub fn menu(&mut self, by: Option<&Expr>, lines: &[MenuLine]) {
        let who = self.who(by);
        let labels = lines.iter().map(|line| self.unit.str(&line.label)).collect();
        let menu = self.new_menu(labels);
        self.emit(Instr::Menu { menu, who });
        let mut ends = Vec::new();
        let mut starts = Vec::new();
        for line in lines {
            starts.push(self.here());
            let outer = self.span;
            self.span = line.span;
            self.headed(line.head, &line.body);
            self.span = outer;
            // A line that could be chosen was legal: the player has done something. If none was, the jump goes past this.
            self.has_acted();
            ends.push(self.jump());
        }
        self.land_all(ends);
        let end = self.here();
        self.aim_menu(menu, starts, end);
    }

    pub fn may(&mut self, label: Option<&str>, by: Option<&Expr>, head: usize, body: &Block) {
        let who = self.who(by);
        let label = self.unit.str(label.unwrap_or(""));
        let spec = self.new_menu(vec![label]);
        let may = self.emit(Instr::May { spec, who, no: 0 });
        let start = self.here();
        self.headed(head, body);
        self.has_acted();
        self.land(may);
        let end = self.here();
        self.aim_menu(spec, vec![start], end);
    }

    /// A block with a head. Where a sentence comes first after the head, its own head says whether the block is legal.
    fn headed(&mut self, head: usize, body: &Block) {
        let mark = self.mark();
        let (head, rest) = body.stmts.split_at(head.min(body.stmts.len()));
        self.open.push(Open::Headed);
        for stmt in head {
            self.stmt(stmt);
        }
        if !probes_into(rest.first()) {
            self.emit(Instr::Mark);
        }
        for stmt in rest {
            self.stmt(stmt);
        }
        self.open.pop();
        self.release(mark);
    }

    fn new_menu(&mut self, labels: Vec<StrId>) -> MenuId {
        let site = self.unit.site(self.span, "");
        self.unit.menus.push(pack::Menu { labels, lines: Vec::new(), none: 0, site });
        MenuId(self.unit.menus.len() as u32 - 1)
    }

    fn aim_menu(&mut self, menu: MenuId, lines: Vec<Pc>, none: Pc) {
        if let Some(menu) = self.unit.menus.get_mut(menu.index()) {
            menu.lines = lines;
            menu.none = none;
        }
    }
}
