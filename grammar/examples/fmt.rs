//! Prints a file with its white space in order: `cargo run -p banneret-grammar --example fmt FILE`.

fn main() {
    for path in std::env::args().skip(1) {
        print!("{}", banneret_grammar::format(&std::fs::read_to_string(&path).unwrap_or_default()));
    }
}
