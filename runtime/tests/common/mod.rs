//! A tiny assembler: packs by hand, for tests.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use banneret_runtime::bytecode::Instr;
use banneret_runtime::fault::Fault;
use banneret_runtime::ids::*;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::pack::*;
use banneret_runtime::testing::{TestOutcome, run_test};
use banneret_runtime::value::{Dice, Value};

pub const REGISTERS: u16 = 40;

pub struct Asm {
    pub pack: Pack,
    pub player: KindId,
    pub unit: KindId,
    /// State of a unit, at least 0, starting at 0.
    pub wounds: FieldId,
    /// Printed on units.
    pub power: FieldId,
}

impl Asm {
    pub fn new() -> Asm {
        let mut asm = Asm {
            pack: Pack { format: FORMAT, ..Pack::default() },
            player: KindId(0),
            unit: KindId(0),
            wounds: FieldId(0),
            power: FieldId(0),
        };
        asm.s("");
        asm.site("");
        asm.player = asm.kind("Player", Roles { player: true, ..Roles::default() });
        asm.pack.player_kind = Some(asm.player);
        asm.unit = asm.kind("Unit", Roles { card: true, piece: true, ..Roles::default() });
        let zero = asm.term(1, vec![Instr::Int { dst: 0, v: 0 }, Instr::Return { src: 0 }]);
        asm.wounds = asm.field("wounds", FieldRole::State, Some(zero));
        asm.pack.fields[asm.wounds.index()].low = Some(zero);
        asm.power = asm.field("power", FieldRole::Plain, None);
        let (unit, wounds, power) = (asm.unit, asm.wounds, asm.power);
        asm.pack.kinds[unit.index()].fields = vec![wounds, power];
        asm
    }

    pub fn s(&mut self, text: &str) -> StrId {
        let at = self.pack.strings.iter().position(|s| s == text).unwrap_or_else(|| {
            self.pack.strings.push(text.to_owned());
            self.pack.strings.len() - 1
        });
        StrId(at as u32)
    }

    pub fn site(&mut self, words: &str) -> SiteId {
        let words = self.s(words);
        self.pack.sites.push(Site { words, ..Site::default() });
        SiteId(self.pack.sites.len() as u32 - 1)
    }

    pub fn k(&mut self, value: Value) -> ConstId {
        self.pack.consts.push(value);
        ConstId(self.pack.consts.len() as u32 - 1)
    }

    pub fn konst(&mut self, dst: Reg, value: Value) -> Instr {
        Instr::Const { dst, k: self.k(value) }
    }

    pub fn dice(&mut self, dst: Reg, count: u32, sides: u32, plus: i32) -> Instr {
        self.konst(dst, Value::Dice(Dice { count, sides, plus }))
    }

    pub fn ints(&mut self, dst: Reg, values: &[i64]) -> Instr {
        self.konst(dst, Value::List(values.iter().map(|n| Value::Int(*n)).collect()))
    }

    pub fn kind(&mut self, name: &str, role: Roles) -> KindId {
        let id = KindId(self.pack.kinds.len() as u32);
        let name = self.s(name);
        self.pack.kinds.push(Kind {
            name,
            is: vec![id],
            role,
            rank: 0,
            fields: vec![],
            bundles: vec![],
            base: None,
            corners: None,
            facing: None,
            links: None,
        });
        id
    }

    pub fn field(&mut self, name: &str, role: FieldRole, default: Option<FragId>) -> FieldId {
        let name = self.s(name);
        self.pack.fields.push(Field { name, role, default, low: None, high: None, starts_full: false, shows: Notation::Plain });
        FieldId(self.pack.fields.len() as u32 - 1)
    }

    pub fn card(&mut self, name: &str, kind: KindId, values: Vec<(FieldId, Value)>) -> CardId {
        let name = self.s(name);
        self.pack.cards.push(Card {
            name,
            title: name,
            kind,
            values,
            keywords: vec![],
            bundles: vec![],
            parts: vec![],
            holder: None,
            once: None,
            rows: vec![],
            template: false,
            site: SiteId(0),
            text: StrId(0),
        });
        CardId(self.pack.cards.len() as u32 - 1)
    }

    pub fn unit_card(&mut self, name: &str, power: i64) -> CardId {
        let (kind, field) = (self.unit, self.power);
        self.card(name, kind, vec![(field, Value::Int(power))])
    }

    pub fn part(&mut self, holder: CardId, name: &str, kind: KindId) -> CardId {
        let part = self.card(name, kind, vec![]);
        self.pack.cards[part.index()].holder = Some(holder);
        self.pack.cards[holder.index()].parts.push(part);
        part
    }

    fn fragment(&mut self, params: u16, pure: bool, code: Vec<Instr>) -> FragId {
        self.pack.fragments.push(Fragment { name: StrId(0), params, registers: REGISTERS, pure, code, sites: vec![] });
        FragId(self.pack.fragments.len() as u32 - 1)
    }

    pub fn term(&mut self, params: u16, code: Vec<Instr>) -> FragId {
        self.fragment(params, true, code)
    }

    pub fn code(&mut self, params: u16, code: Vec<Instr>) -> FragId {
        self.fragment(params, false, code)
    }

    /// A term that is always this number.
    pub fn number(&mut self, params: u16, v: i32) -> FragId {
        self.term(params, vec![Instr::Int { dst: params, v }, Instr::Return { src: params }])
    }

    pub fn action(&mut self, name: &str, params: &[&str], bound: &[&str], code: Vec<Instr>) -> ActionId {
        let body = self.code(0, code);
        let fields: Vec<StrId> = params.iter().chain(bound).map(|f| self.s(f)).collect();
        let by = params.iter().position(|p| *p == "by").map(|i| i as u16);
        let name = self.s(name);
        self.pack.actions.push(Action {
            told: Vec::new(),
            name,
            fields,
            shows: Vec::new(),
            says: Vec::new(),
            params: params.len() as u16,
            by,
            once: None,
            is_phase: false,
            body: Some(body),
            log: None,
            site: SiteId(0),
        });
        ActionId(self.pack.actions.len() as u32 - 1)
    }

    /// Puts wounds on a target: (target, amount).
    pub fn deal(&mut self) -> ActionId {
        let wounds = self.wounds;
        self.action(
            "deal",
            &["target", "amount"],
            &[],
            vec![
                Instr::HeadEnd,
                Instr::EvGet { dst: 0, field: 0 },
                Instr::EvGet { dst: 1, field: 1 },
                Instr::Get { dst: 2, obj: 0, field: wounds },
                Instr::Add { dst: 2, a: 2, b: 1 },
                Instr::Set { obj: 0, field: wounds, src: 2 },
                Instr::Return { src: 1 },
            ],
        )
    }

    pub fn handler(&mut self, when: When, actions: Vec<ActionId>, guard: Option<FragId>, code: Vec<Instr>) -> Rule {
        let body = self.code(2, code);
        Rule::Handler { when, actions, guard, body, once: None, site: SiteId(0) }
    }

    pub fn bundle(&mut self, rules: Vec<Rule>) -> BundleId {
        self.pack.bundles.push(Bundle { name: StrId(0), rank: 0, rules, captures: 0 });
        BundleId(self.pack.bundles.len() as u32 - 1)
    }

    /// A rule of the whole ruleset.
    pub fn global(&mut self, rules: Vec<Rule>) {
        let bundle = self.bundle(rules);
        self.pack.global_rules.push(bundle);
    }

    pub fn keyword(&mut self, name: &str, rules: Vec<Rule>) -> KeywordId {
        let (name, bundle) = (self.s(name), self.bundle(rules));
        self.pack.keywords.push(Keyword { name, bundle, numbered: false });
        KeywordId(self.pack.keywords.len() as u32 - 1)
    }

    /// Puts a card in play: `dst` is the object. Uses registers from 30.
    pub fn given(&mut self, dst: Reg, card: CardId, by_opponent: bool) -> Vec<Instr> {
        let mut code = vec![self.konst(30, Value::Card(card)), Instr::You { dst: 31 }];
        if by_opponent {
            code.push(Instr::Opponent { dst: 31, of: 31 });
        }
        code.push(self.konst(32, Value::InPlay));
        code.push(Instr::CallN { dst, fun: banneret_runtime::bytecode::Fun::Create, start: 30, n: 3 });
        code
    }

    /// Expects a register to be this number. Uses registers from 35.
    pub fn expect(&mut self, words: &str, reg: Reg, v: i32) -> Vec<Instr> {
        let site = self.site(words);
        vec![
            Instr::Int { dst: 35, v },
            Instr::Eq { dst: 36, a: reg, b: 35 },
            Instr::Expect { cond: 36, site, left: reg, right: 35, shows: Notation::Plain },
        ]
    }

    /// Expects a register to be true or false.
    pub fn expect_bool(&mut self, words: &str, reg: Reg, v: bool) -> Vec<Instr> {
        let site = self.site(words);
        vec![
            Instr::Bool { dst: 35, v },
            Instr::Eq { dst: 36, a: reg, b: 35 },
            Instr::Expect { cond: 36, site, left: reg, right: 35, shows: Notation::Plain },
        ]
    }

    pub fn expect_field(&mut self, words: &str, obj: Reg, field: FieldId, v: i32) -> Vec<Instr> {
        let mut code = vec![Instr::Get { dst: 37, obj, field }];
        code.extend(self.expect(words, 37, v));
        code
    }

    pub fn test(&mut self, code: Vec<Instr>) -> usize {
        let body = self.code(0, code);
        self.pack.tests.push(Test { words: StrId(0), covers: vec![], body, exact: false, measures: vec![], with: vec![], site: SiteId(0) });
        self.pack.tests.len() - 1
    }

    pub fn exact_test(&mut self, code: Vec<Instr>, measures: Vec<Measure>) -> usize {
        let test = self.test(code);
        self.pack.tests[test].exact = true;
        self.pack.tests[test].measures = measures;
        test
    }

    pub fn load(self) -> Loaded {
        Loaded::new(self.pack).expect("the pack is fine")
    }

    /// Loads, and runs the test of this code.
    pub fn run(mut self, code: Vec<Instr>) -> TestOutcome {
        let test = self.test(code);
        let pack = self.load();
        let test = pack.tests[test].clone();
        run_test(&pack, &test, no_odds)
    }

    pub fn passes(self, code: Vec<Instr>) {
        let outcome = self.run(code);
        assert!(outcome.passed(), "{outcome:#?}");
    }

    /// A machine that has run up to its first question.
    pub fn started(mut self, code: Vec<Instr>) -> (Loaded, Machine, Step) {
        let frag = self.code(0, code);
        let pack = self.load();
        let mut machine = Machine::new(&pack, 2, Limits::default()).expect("a world");
        machine.start_fragment(&pack, frag, &[]).expect("started");
        let step = machine.run(&pack);
        (pack, machine, step)
    }
}

/// For tests that measure nothing.
pub fn no_odds(_: &Loaded, _: &Test, _: Machine) -> Result<usize, Fault> {
    panic!("this test measures odds")
}

/// Code in one piece.
pub fn all(parts: Vec<Vec<Instr>>) -> Vec<Instr> {
    parts.into_iter().flatten().collect()
}

pub fn failure(outcome: TestOutcome) -> banneret_runtime::testing::TestFailure {
    match outcome {
        TestOutcome::Failed(failure) => *failure,
        TestOutcome::Passed { .. } => panic!("it passed"),
    }
}
