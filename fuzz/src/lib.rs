//! Damaged and lying input for everything that reads what strangers wrote.
//!
//! A target turns bytes into a run of one reader; its inputs are numbered, and the same number is the same input on every machine, so that a
//! finding is told by two numbers. Inputs are made from kept ones (`corpus/`) and from the sources of the house, changed as somebody could who
//! knows how they are made: tokens and lines of texts, entries of packs that still pass the verifier, chunks of pictures with right sums,
//! values of messages. Everything runs on stable Rust. Deliberately absent: measuring which code was reached.

pub mod changes;
pub mod machine;
pub mod picture;
pub mod protocol;
pub mod texts;
pub mod watch;

use std::fs;
use std::path::{Path, PathBuf};

use banneret_runtime::hosts::seeded::Generator;

type Change = Box<dyn Fn(&[Vec<u8>], &mut Generator) -> Vec<u8>>;
type Run = Box<dyn Fn(&[u8])>;

/// One reader, and how inputs for it are made.
pub struct Target {
    pub name: &'static str,
    /// Inputs that are run as they are, before all others, and that others are made of.
    pub seeds: Vec<Vec<u8>>,
    change: Change,
    run: Run,
    /// How many inputs one process takes: some leave threads behind.
    pub at_most: u64,
}

/// Their names, in the order in which they run.
pub const NAMES: [&str; 8] = ["reader", "manifest", "compiler", "pack", "save", "picture", "wire", "server"];

/// Catches those who watch: an input that panics, one that never ends and one that takes all memory. Only tests name it.
pub const TRAP: &str = "trap";

impl Target {
    pub fn named(name: &str) -> Option<Target> {
        Some(match name {
            "reader" => texts::reader(),
            "manifest" => texts::manifest(),
            "compiler" => texts::compiler(),
            "pack" => machine::pack(),
            "save" => machine::save(),
            "picture" => picture::picture(),
            "wire" => protocol::wire(),
            "server" => protocol::server(),
            TRAP => watch::trap(),
            _ => return None,
        })
    }

    /// The input of a number.
    pub fn input(&self, seed: u64, number: u64) -> Vec<u8> {
        if let Some(kept) = usize::try_from(number).ok().and_then(|number| self.seeds.get(number)) {
            return kept.clone();
        }
        // far apart, so that neighbours have nothing in common
        let mut generator = Generator::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number.wrapping_mul(0xD1B5_4A32_D192_ED03));
        (self.change)(&self.seeds, &mut generator)
    }

    /// Whatever the bytes are, this comes back.
    pub fn run(&self, input: &[u8]) {
        (self.run)(input);
    }
}

/// The folder that holds the crates.
fn house() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// The inputs that are kept for a target.
fn kept(target: &str) -> Vec<Vec<u8>> {
    below(&house().join("fuzz/corpus").join(target), "")
}

/// What is in the files below a folder whose names end like this, sorted by path.
fn below(folder: &Path, ending: &str) -> Vec<Vec<u8>> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = waiting.pop() {
        for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            match path.is_dir() {
                true => waiting.push(path),
                false if path.to_string_lossy().ends_with(ending) => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found.iter().filter_map(|path| fs::read(path).ok()).collect()
}

/// A generator for what is done with an input, from the input itself.
fn generator_of(input: &[u8]) -> Generator {
    Generator::new(input.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)))
}

/// One of them.
fn one_of<'a, T>(all: &'a [T], generator: &mut Generator) -> Option<&'a T> {
    all.get(generator.below(all.len() as u64) as usize)
}
