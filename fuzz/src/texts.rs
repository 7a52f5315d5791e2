//! Sources and manifests: the reader alone, the manifest, and the compiler from a text to a pack that runs.

use banneret_cards::Checker;
use banneret_cards::picture::NoPictures;
use banneret_compiler::api::{Stage, Workspace};
use banneret_compiler::manifest::Manifest;
use banneret_grammar::words::RESERVED;
use banneret_grammar::{ChunkKind, format, parse_item, parse_tree, split};
use banneret_runtime::loaded::Loaded;
use banneret_runtime::pack::Pack;

use crate::{Target, below, changes, generator_of, house, kept, machine, one_of};

/// Divides a text from what it is after an edit.
const EDITED: char = '\u{c}';

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Every item of the rule systems and the content, and every seeded mistake.
pub fn reader() -> Target {
    let mut seeds = kept("reader");
    for folder in ["stdlib", "content", "tests/hard", "tests/mistakes"] {
        for source in below(&house().join(folder), ".banner") {
            let source = lossy(&source);
            seeds.extend(split(&source).iter().map(|chunk| chunk.text(&source).as_bytes().to_vec()).filter(|item| item.len() < 2000));
        }
    }
    let change = |seeds: &[Vec<u8>], generator: &mut _| {
        let from = one_of(seeds, generator).map(|seed| lossy(seed)).unwrap_or_default();
        changes::text(&from, RESERVED, seeds, generator).into_bytes()
    };
    Target { name: "reader", seeds, change: Box::new(change), run: Box::new(|input| read(&lossy(input))), at_most: 500_000 }
}

fn read(text: &str) {
    let mut is_sound = true;
    for chunk in split(text) {
        is_sound &= chunk.kind != ChunkKind::Stray && parse_item(chunk.text(text)).errors.is_empty();
    }
    parse_tree(text);
    let neat = format(text);
    let again = format(&neat);
    // what cannot be read is left as it is, and may be cut another way where its neighbours moved
    assert!(!is_sound || again == neat, "what is neat stays as it is:\n{neat}\n{again}");
}

pub fn manifest() -> Target {
    let mut seeds = kept("manifest");
    seeds.extend(below(&house().join("content"), "banneret.ron"));
    seeds.extend(below(&house().join("tests/mistakes/manifests"), ".ron"));
    let words =
        ["name", "version", "rules", "sources", "cards", "art", "options", "needs", "path", "git", "Some", "None", "\"../x\"", "\"/\""];
    let change = move |seeds: &[Vec<u8>], generator: &mut _| {
        let from = one_of(seeds, generator).map(|seed| lossy(seed)).unwrap_or_default();
        changes::text(&from, &words, seeds, generator).into_bytes()
    };
    let run = |input: &[u8]| {
        let text = lossy(input);
        match Manifest::read(&text, "banneret.ron") {
            Ok(manifest) => drop(manifest.check_rules(&[("tides", Some("1.0")), ("pond", None)])),
            Err(problems) => assert!(!problems.is_empty(), "a refusal has a reason"),
        }
    };
    Target { name: "manifest", seeds, change: Box::new(change), run: Box::new(run), at_most: 500_000 }
}

/// Small games that use as much of the language as they can.
pub fn games() -> Vec<Vec<u8>> {
    kept("compiler")
}

pub fn compiler() -> Target {
    let mut seeds = games();
    seeds.extend(below(&house().join("tests/hard"), ".banner"));
    let change = |seeds: &[Vec<u8>], generator: &mut _| {
        let from = one_of(seeds, generator).map(|seed| lossy(seed)).unwrap_or_default();
        let from = from.split(EDITED).next().unwrap_or_default();
        let first = changes::text(from, RESERVED, seeds, generator);
        let then = changes::text(&first, RESERVED, seeds, generator);
        format!("{first}{EDITED}{then}").into_bytes()
    };
    Target { name: "compiler", seeds, change: Box::new(change), run: Box::new(|input| compile(&lossy(input))), at_most: 20_000 }
}

fn compile(input: &str) {
    let (first, then) = input.split_once(EDITED).unwrap_or((input, input));
    let mut workspace = Workspace::new();
    let id = workspace.open(Manifest::loose("fuzz"), String::new(), vec![("fuzz.banner".to_owned(), first.to_owned())]);
    let checked = workspace.check(id);
    let printed = workspace.printed(id);
    workspace.texts(id);
    for name in first.split(|c: char| !c.is_alphanumeric()).filter(|word| word.starts_with(char::is_uppercase)).take(2) {
        for stage in [Stage::Tree, Stage::Types, Stage::Bytecode, Stage::Text] {
            workspace.show(id, name, stage);
        }
    }
    if !checked.has_errors() {
        Checker::default().check(&printed, &NoPictures);
    }
    if let Ok(pack) = workspace.build(id) {
        let bytes = pack.to_bytes().map_err(|why| why.to_string());
        let again = bytes.and_then(|bytes| Pack::from_bytes(&bytes).map_err(|why| why.to_string()));
        assert_eq!(again.as_ref(), Ok(&pack), "a pack is read as it was written");
        let loaded = Loaded::new(pack);
        assert!(loaded.is_ok(), "what the compiler makes passes the verifier: {:?}", loaded.err());
        if let Ok(loaded) = loaded {
            machine::play(&loaded, &mut generator_of(input.as_bytes()));
        }
    }
    workspace.set_text(id, "fuzz.banner", Some(then.to_owned()));
    workspace.check(id);
}
