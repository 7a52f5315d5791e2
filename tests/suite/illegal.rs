//! What a rule system refuses: each file of `illegal/SYSTEM/` gives exactly the messages written in the `.expect` file beside it.

use std::path::{Path, PathBuf};

use banneret_tests::files::{below, house, shown, text};
use banneret_tests::workbench::{Workbench, one_line};

#[test]
fn illegal_cards_are_refused_in_the_words_of_their_rules() {
    let files = below(&house().join("tests/illegal"), ".banner");
    let half = files.len().div_ceil(2).max(1);
    let wrong: Vec<String> = std::thread::scope(|threads| {
        let parts: Vec<_> = files.chunks(half).map(|part| threads.spawn(|| complaints(part))).collect();
        parts.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn complaints(files: &[PathBuf]) -> Vec<String> {
    let mut bench = Workbench::default();
    files.iter().filter_map(|path| complaint(&mut bench, path)).collect()
}

fn complaint(bench: &mut Workbench, path: &Path) -> Option<String> {
    let expect = path.with_extension("expect");
    if !expect.is_file() {
        return Some(format!("{} has no .expect file", shown(path)));
    }
    let source = text(path);
    let found = bench.check(&[("illegal.banner", &source)]).found;
    let got: Vec<String> = found.iter().map(|f| one_line(f, &source)).collect();
    let expect = text(&expect);
    let want: Vec<&str> = expect.lines().map(str::trim_end).filter(|l| !l.is_empty()).collect();
    (got != want).then(|| format!("{}\n  wanted\n    {}\n  but got\n    {}", shown(path), want.join("\n    "), got.join("\n    ")))
}
