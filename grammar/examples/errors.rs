//! Shows what is said about the items of a file: `cargo run -p banneret-grammar --example errors FILE`.

use banneret_grammar::{parse_item, split};

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for chunk in split(&text) {
            for e in parse_item(chunk.text(&text)).errors {
                let at = (chunk.start + e.span.start) as usize;
                let line = text.get(..at).map_or(0, |t| t.matches('\n').count() + 1);
                println!(
                    "{path}:{line}: {} at `{}`: {} {:?} {:?}",
                    e.code,
                    e.span.of(chunk.text(&text)),
                    e.message,
                    e.help.unwrap_or_default(),
                    e.fix
                );
            }
        }
    }
}
