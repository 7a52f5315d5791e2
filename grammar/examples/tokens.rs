//! Lists what every word, number, text and comment of a file is to the parser: `cargo run -p banneret-grammar --example tokens FILE…`.
//!
//! For tests of highlighters. Each file is a line with its path, then a line `START END KIND` for each token; offsets are those of the
//! file in UTF-16 units, as editors count. Kinds are `comment`, `text`, `number`, `keyword`, `name`, and `broken` for what cannot be read.

use banneret_grammar::split::Chunk;
use banneret_grammar::tree::{Node, NodeKind, Tree};
use banneret_grammar::{parse_tree, split, words};

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path)?;
        let mut found = Vec::new();
        let mut at = 0;
        for chunk in split(&text) {
            between(&text, at, chunk.start as usize, &mut found);
            item(&text, chunk, &mut found);
            at = chunk.end as usize;
        }
        between(&text, at, text.len(), &mut found);
        println!("{path}");
        print(&text, &found);
    }
    Ok(())
}

struct Found {
    start: usize,
    end: usize,
    kind: &'static str,
}

/// Between items stand comments and nothing else.
fn between(text: &str, from: usize, to: usize, found: &mut Vec<Found>) {
    let mut start = from;
    for line in text[from..to].split_inclusive('\n') {
        if let Some(comment) = line.find("//") {
            found.push(Found { start: start + comment, end: start + line.trim_end().len(), kind: "comment" });
        }
        start += line.len();
    }
}

fn item(text: &str, chunk: Chunk, found: &mut Vec<Found>) {
    let source = chunk.text(text);
    let tree = parse_tree(source);
    // an item that cannot be read at all is one node of tokens
    let unread = tree.nodes.first().is_none_or(|item| item.kind == NodeKind::Broken);
    let leaves = leaves(&tree);
    for (i, leaf) in leaves.iter().enumerate() {
        let next = leaves.get(i + 1).map_or("", |n| n.node.span.of(source));
        let kind = match leaf.node.kind {
            NodeKind::Token if unread => Some("broken"),
            _ => kind(leaf, leaf.node.span.of(source), next),
        };
        if let Some(kind) = kind {
            let start = (chunk.start + leaf.node.span.start) as usize;
            let end = start + leaf.node.span.of(source).trim_end().len();
            found.push(Found { start, end, kind });
        }
    }
}

struct Leaf<'a> {
    node: &'a Node,
    /// Several fields are one token of the grammar: what stands in it has no names of its own.
    in_fields: bool,
}

/// The nodes without children, in the order of the text.
fn leaves(tree: &Tree) -> Vec<Leaf<'_>> {
    let mut out = Vec::new();
    let mut open = vec![(0_u32, false)];
    while let Some((index, in_fields)) = open.pop() {
        let Some(node) = tree.nodes.get(index as usize) else {
            continue;
        };
        if node.children.is_empty() {
            out.push(Leaf { node, in_fields });
        }
        let fields = rule(node) == "fields";
        open.extend(node.children.iter().rev().map(|child| (*child, fields)));
    }
    out
}

/// The grammar's name for a node; empty for the words and signs it has no name for.
fn rule(node: &Node) -> String {
    match node.kind {
        NodeKind::Named(named) => named.name(),
        _ => String::new(),
    }
}

/// What a leaf is; signs and brackets are nothing.
fn kind(leaf: &Leaf, text: &str, next: &str) -> Option<&'static str> {
    let first = text.chars().next()?;
    // a word of the language may name a field where it stands before a `:`
    let word = || if words::is_reserved(text) && next != ":" { "keyword" } else { "name" };
    match leaf.node.kind {
        NodeKind::Space => return None,
        NodeKind::Comment => return Some("comment"),
        NodeKind::Broken => return Some("broken"),
        _ => {}
    }
    match rule(leaf.node).as_str() {
        "string" => Some("text"),
        "number" => Some("number"),
        "word" => Some(word()),
        "dotted" | "id" | "more_id" => Some("name"),
        "length_sign" => first.is_alphabetic().then_some("name"),
        _ if leaf.in_fields && first == '"' => Some("text"),
        _ if leaf.in_fields && is_number(text) => Some("number"),
        _ if !first.is_alphabetic() => None,
        _ if leaf.in_fields => Some(word()),
        _ => Some("keyword"),
    }
}

/// `14`, `6"`, `2d6+1`, `d6/2`, but not `damage`.
fn is_number(text: &str) -> bool {
    let dice = |text: &str| {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < text.len() && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    };
    text.starts_with(|c: char| c.is_ascii_digit()) || text.strip_prefix('d').is_some_and(dice)
}

fn print(text: &str, found: &[Found]) {
    let units = |from: usize, to: usize| text[from..to].encode_utf16().count();
    let (mut at, mut column) = (0, 0);
    for token in found {
        let start = column + units(at, token.start);
        let end = start + units(token.start, token.end);
        println!("{start} {end} {}", token.kind);
        (at, column) = (token.end, end);
    }
}
