//! Random programs in Banneret: a few actions that call each other downwards, rules that answer them, and a test that sets them off. The same number
//! gives the same program.

use std::fmt::Write;

use banneret_runtime::hosts::seeded::Generator;

/// Actions are `a0` to `a3`; each calls, and its rules call, only those before it: so everything ends.
const ACTIONS: u64 = 4;

struct Writer {
    dice: Generator,
    text: String,
    indent: usize,
    /// Numbers that can be read and changed here.
    names: Vec<String>,
    /// Things that can be spoken of here.
    things: Vec<&'static str>,
    fresh: u32,
    /// Calls are allowed to actions below this one.
    below: u64,
    /// What rules in force depend on stays as it is: nothing is granted, and no grant depends on what changes.
    calm: bool,
}

/// The source of a program.
pub fn source(seed: u64) -> String {
    let mut w = Writer {
        dice: Generator::new(seed),
        text: String::new(),
        indent: 0,
        names: Vec::new(),
        things: Vec::new(),
        fresh: 0,
        below: 0,
        calm: seed % 2 == 1,
    };
    w.line("ruleset random \"Random\" { version: \"1.0\" }");
    w.line("kind Side (sides) is player { state score: Int 0.. = 0 }");
    let (x, y) = (w.below(6), w.below(6));
    w.line("kind Unit (units) is card {");
    w.line("  a: Int = 2, b: Int 0..9 = 3, keywords: set of Keyword = []");
    w.line(&format!("  state x: Int 0..30 = {x}"));
    w.line(&format!("  state y: Int -50..50 = {y}"));
    w.line("}");
    w.keywords();
    for i in 0..ACTIONS {
        w.action(i);
    }
    w.rules();
    for i in 0..3 {
        w.unit(i);
    }
    w.test();
    w.text
}

impl Writer {
    fn below(&mut self, n: u64) -> u64 {
        self.dice.below(n)
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{}{line}", "  ".repeat(self.indent)).unwrap();
    }

    fn keywords(&mut self) {
        let (by, op) = (self.below(3) + 1, self.one_of(&["a +", "a -", "b +", "b * ", "a at least ", "b at most ", "a = "]));
        self.line(&format!("keyword Strong on Unit {{ grant this {{ {op}{by} }} }}"));
        let (from, op) = (self.below(ACTIONS), self.one_of(&["n -v", "n +v", "n at most v", "n * v"]));
        self.line(&format!("keyword Guarded(v) on Unit {{ before a{from} to this {{ {op} }} }}"));
        let what = self.one_of(&["b +1, Strong", "a +x", "Guarded 1", "a +1, b -1"]);
        let whose = self.one_of(&["your other units", "units", "enemy units", "units where y > 2"]);
        if self.calm {
            self.line("keyword Leader on Unit { grant your other units { a +1, b -1 } }");
        } else {
            self.line(&format!("keyword Leader on Unit {{ grant {whose} {{ {what} }} while this.x > 2 }}"));
        }
        let (of, n) = (self.below(ACTIONS), self.below(5));
        self.line(&format!("keyword Warded on Unit {{ cannot a{of} to this where n > {n} }}"));
    }

    fn unit(&mut self, i: u64) {
        let mut words: Vec<String> = Vec::new();
        for word in ["Strong", "Leader", "Warded", "Guarded 1", "Guarded 2"] {
            if self.below(3) == 0 && !words.iter().any(|w| w.starts_with("Guarded")) {
                words.push(word.to_owned());
            }
        }
        let a = self.below(5);
        self.line(&format!("unit U{i} {{ a: {a}, keywords: [{}] }}", words.join(", ")));
    }

    fn action(&mut self, i: u64) {
        self.line(&format!("action a{i}(n: Int) to u: Unit by s: Unit {{"));
        self.indent += 1;
        self.below = i;
        self.names = vec!["n".to_owned()];
        self.things = vec!["u", "s"];
        if self.below(3) == 0 {
            let least = self.below(4) as i64 - 2;
            self.line(&format!("need n >= {least}"));
        }
        // A number bound in the head is a field of the event.
        self.declare();
        let lines = 2 + self.below(4);
        self.block(lines, 0);
        let result = self.number(1);
        self.line(&result);
        self.indent -= 1;
        self.line("}");
    }

    fn rules(&mut self) {
        for _ in 0..2 + self.below(4) {
            let i = self.below(ACTIONS);
            let condition = match self.below(3) {
                0 => format!(" where n > {}", self.below(5)),
                1 => " where u.x > s.x".to_owned(),
                _ => String::new(),
            };
            let kind = self.below(4);
            let head = ["before", "after", "instead of", "at end of"][kind as usize];
            self.line(&format!("{head} a{i}{condition} {{"));
            self.indent += 1;
            self.below = i;
            self.names = vec!["n".to_owned()];
            self.things = vec!["u", "s"];
            let mut is_left_out = false;
            match kind {
                0 => {
                    let change = self.one_of(&["n +1", "n -1", "n * 2", "n at most 4", "n at least 1", "n / 2 rounded up"]);
                    self.line(change);
                }
                2 => {
                    self.block(1, 1);
                    let times = self.below(3);
                    is_left_out = times == 0;
                    for _ in 0..times {
                        self.line("proceed");
                    }
                }
                _ => {}
            }
            self.block(1, 1);
            // all actions give a number
            if is_left_out {
                self.line("n");
            }
            self.indent -= 1;
            self.line("}");
        }
        if self.below(2) == 0 {
            let (x, y) = (self.below(20) + 5, self.below(9));
            self.line(&format!(
                "at end of any event where any units where x > {x} {{ for w in units where x > {x} {{ w.x = {y} mod 5 }} }}"
            ));
        }
    }

    fn test(&mut self) {
        self.line("test \"all of it\" {");
        self.line("  given U0 as p, U1 as q by opponent, U2 as r");
        for i in 0..4 {
            let (action, n) = (self.below(ACTIONS), self.below(7));
            let (to, by) = (self.one_of(&["p", "q", "r"]), self.one_of(&["p", "q", "r"]));
            self.line(&format!("  let m{i} = a{action} {n} to {to} by {by}"));
            self.line(&format!("  expect mean of m{i} == 0"));
        }
        self.line("}");
    }

    fn declare(&mut self) {
        self.fresh += 1;
        let (name, value) = (format!("v{}", self.fresh), self.number(2));
        self.line(&format!("let {name} = {value}"));
        self.names.push(name);
    }

    fn block(&mut self, lines: u64, depth: u32) {
        let names = self.names.len();
        for _ in 0..lines {
            self.statement(depth);
        }
        self.names.truncate(names);
    }

    fn braced(&mut self, head: &str, depth: u32) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        let lines = 1 + self.below(2);
        self.block(lines, depth + 1);
        self.indent -= 1;
    }

    fn statement(&mut self, depth: u32) {
        let deep = depth >= 3;
        match self.below(if deep { 6 } else { 11 - 2 * u64::from(self.calm) }) {
            0 => self.declare(),
            1 => {
                let (name, value) = (self.local(), self.number(1));
                let op = self.one_of(&["+=", "-=", "="]);
                self.line(&format!("{name} {op} {value}"));
            }
            2 | 3 => {
                let (thing, value) = (self.thing(), self.number(2));
                let (field, op) = (self.one_of(&["x", "y"]), self.one_of(&["+=", "-=", "="]));
                self.line(&format!("{thing}.{field} {op} {value}"));
            }
            4 => self.dice(),
            5 => {
                if self.below == 0 {
                    return self.declare();
                }
                let action = self.below(self.below);
                let (n, to, by) = (self.number(1), self.thing(), self.thing());
                self.line(&format!("a{action} ({n}) to {to} by {by}"));
            }
            6 | 7 => {
                let condition = self.condition(1);
                self.braced(&format!("if {condition}"), depth);
                if self.below(2) == 0 {
                    self.braced("} else", depth);
                }
                self.line("}");
            }
            8 => {
                let n = self.number(1);
                self.braced(&format!("repeat clamp({n}, 0, 3)"), depth);
                self.line("}");
            }
            9 => {
                self.fresh += 1;
                let (name, condition) = (format!("w{}", self.fresh), self.one_of(&["x > 3", "y < 2", "a > b", "it is Strong"]));
                let value = self.number(1);
                self.line(&format!("for {name} in units where {condition} {{ {name}.y += {value} }}"));
            }
            _ => {
                let (thing, what) = (self.thing(), self.one_of(&["a +1", "b * 2", "a at most 3", "Strong", "Guarded 1", "b -1, a +2"]));
                self.line(&format!("grant {thing} {{ {what} }} for the game"));
            }
        }
    }

    fn dice(&mut self) {
        self.fresh += 1;
        let (name, count, least) = (format!("r{}", self.fresh), self.below(4) + 2, self.below(5) + 2);
        let to = self.local();
        match self.below(5) {
            0 => {
                self.line(&format!("let {name} = roll d6"));
                self.names.push(name);
            }
            1 => self.line(&format!("if (roll d6) >= {least} {{ {to} += 1 }}")),
            2 => {
                self.line(&format!("let {name} = roll {count}d6"));
                self.line(&format!("{to} += count({name} where it >= {least})"));
            }
            3 => {
                let n = self.number(0);
                self.line(&format!("let {name} = roll d6 * clamp({n}, 0, 4)"));
                self.line(&format!("{to} += sum({name}) - count({name} where it < {least})"));
            }
            _ => {
                let other = self.local();
                self.line(&format!(
                    "for die{name} in roll {count}d6 {{ if die{name} == 6 {{ {to} += 2 }} else if die{name} >= {least} {{ {other} -= 1 }} }}"
                ));
            }
        }
    }

    fn local(&mut self) -> String {
        let i = self.below(self.names.len() as u64) as usize;
        self.names[i].clone()
    }

    fn thing(&mut self) -> &'static str {
        let i = self.below(self.things.len() as u64) as usize;
        self.things[i]
    }

    fn number(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(3) == 0 {
            return match self.below(5) {
                0 | 1 => self.below(7).to_string(),
                2 => self.local(),
                _ => format!("{}.{}", self.thing(), self.one_of(&["x", "y", "a", "b", "Guarded"])),
            };
        }
        let (left, right) = (self.number(depth - 1), self.number(depth - 1));
        let small = self.below(4) + 1;
        match self.below(12) {
            0 | 1 => format!("({left} + {right})"),
            2 | 3 => format!("({left} - {right})"),
            4 => format!("({left} * {small})"),
            5 => format!("({left} mod {small})"),
            6 => format!("({left} / {small} rounded {})", self.one_of(&["down", "up", "nearest"])),
            7 => format!("{}({left}, {right})", self.one_of(&["min", "max"])),
            8 => format!("abs({left})"),
            9 => format!("count(units where x > {small})"),
            10 => format!("sum(units, {})", self.one_of(&["x", "y", "a", "b"])),
            _ => {
                let condition = self.condition(0);
                format!("(if {condition} {{ {left} }} else {{ {right} }})")
            }
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        if depth > 0 && self.below(3) == 0 {
            let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
            return match self.below(3) {
                0 => format!("({left}) and ({right})"),
                1 => format!("({left}) or ({right})"),
                _ => format!("not ({left})"),
            };
        }
        match self.below(4) {
            0 => format!("{} is {}", self.thing(), self.one_of(&["Strong", "Leader", "Warded"])),
            1 => format!("{} == {}", self.thing(), self.thing()),
            _ => {
                let (left, right) = (self.number(1), self.number(1));
                format!("{left} {} {right}", self.one_of(&["<", "<=", ">", ">=", "==", "!="]))
            }
        }
    }
}
