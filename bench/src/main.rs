//! Benchmarks as one command that prints one table. Every figure stands beside a peer or a bound measured in the same run.
#![recursion_limit = "256"]

mod beside;
mod cards;
mod checking;
mod editing;
mod growth;
mod machine;
mod parsing;
mod printing;
mod table;

/// The same as in the command, so that the same thing is measured.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    if growth::measured() {
        return;
    }
    let mut table = table::Table::default();
    if beside::run(&mut table).is_some() {
        table.print();
        return;
    }
    let only: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |name: &str| only.is_empty() || only.iter().any(|o| name.contains(o.as_str()));
    if wanted("parse") {
        parsing::run(&mut table);
    }
    if wanted("check") {
        checking::run(&mut table);
    }
    if wanted("growth") {
        growth::run(&mut table);
    }
    if wanted("cards") {
        printing::run(&mut table);
    }
    machine::run(&mut table, wanted);
    if wanted("lsp") {
        editing::run(&mut table);
    }
    table.print();
}
