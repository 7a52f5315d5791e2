//! Projects that are made to hurt: each is checked, or refused with a reason, within a minute and 1 GB on two cores.
//!
//! Sizes are a tenth of what is promised (1 MB of text, 20 MB of pictures), so that the test is quick without optimisation;
//! `BANNERET_EXHAUSTIVE=1` makes them whole.
#![cfg(target_os = "linux")]

mod newer;
mod served;

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Folder, MANIFEST};

const MOST_MEMORY: u64 = 1_000_000_000;
const LONGEST: Duration = Duration::from_secs(60);
/// A busy machine lets everybody wait.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

const RULES: &str = "ruleset demo_rules \"Demo\" {\n  version: \"1.0\"\n}\n\nkind Unit (units) is card {\n  points: Int 0.. = 0\n  portrait: Picture?\n}\n\nface front of Unit {\n  size: poker\n  title \"{name}\" right \"{points}\"\n  picture portrait 30mm\n  rules\n  flavour\n}\n\n";

fn is_whole() -> bool {
    std::env::var_os("BANNERET_EXHAUSTIVE").is_some_and(|v| v == "1")
}

/// So much of what is promised.
fn part(all: usize) -> usize {
    if is_whole() { all } else { all / 10 }
}

/// So many items, each made of its number, but no more text than is promised.
fn many(all: usize, one: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for i in 0..part(all) {
        let next = one(i);
        if text.len() + next.len() > part(990_000) {
            break;
        }
        text += &next;
    }
    text
}

fn long(piece: &str) -> String {
    piece.repeat(part(990_000) / piece.len())
}

fn project() -> Folder {
    Folder::new().file("demo/banneret.ron", MANIFEST).file("demo/rules.banner", RULES)
}

/// Runs `check` and watches it.
fn survives(what: &str, folder: &Folder) {
    survives_by(what, folder, &["check", "demo", "--message-format", "concise"]);
}

/// Runs a command and watches it.
fn survives_by(what: &str, folder: &Folder, args: &[&str]) {
    let out = folder.path().join("told");
    let mut child = Command::new(env!("CARGO_BIN_EXE_banneret"))
        .args(args)
        .current_dir(folder.path())
        .env("RAYON_NUM_THREADS", "2")
        .stdin(Stdio::null())
        .stdout(fs::File::create(&out).unwrap())
        .stderr(fs::File::create(folder.path().join("errors")).unwrap())
        .spawn()
        .unwrap();
    let Watched { status, memory, worked } = watched(&mut child, |_| {});
    let errors = folder.read("errors");
    let told = fs::read(&out).unwrap();
    if is_whole() {
        println!("{what}: {:.1} s, {} MB, {:?}, {}", worked.as_secs_f32(), memory / 1_000_000, status.code(), first_line(&errors, &told));
    }
    assert!(memory <= MOST_MEMORY, "{what}: {} MB", memory / 1_000_000);
    let code = status.code().unwrap_or_else(|| panic!("{what}: killed after {:?} of work: {status}, {errors}", worked));
    assert!(code <= 2 && !errors.contains("panicked") && !errors.contains("itself has failed"), "{what}: {code}: {errors}");
    assert!(code == 0 || !told.is_empty() || !errors.is_empty(), "{what}: refused without a reason");
}

struct Watched {
    status: ExitStatus,
    memory: u64,
    worked: Duration,
}

/// Until a process ends, or takes too much and is killed. In between something is done again and again.
fn watched(child: &mut Child, mut between: impl FnMut(&mut Child)) -> Watched {
    let since = Instant::now();
    let (mut memory, mut worked) = (0, Duration::ZERO);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Watched { status, memory, worked };
        }
        memory = memory.max(held(child.id()).unwrap_or_default());
        worked = worked.max(work_of(child.id()).unwrap_or_default());
        if memory > MOST_MEMORY || (since.elapsed() > LONGEST && worked > LONGEST * 2) || since.elapsed() > LONGEST_WAIT {
            let _ = child.kill();
        }
        between(child);
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn first_line(errors: &str, told: &[u8]) -> String {
    let told = String::from_utf8_lossy(&told[..told.len().min(300)]).into_owned();
    let line = if errors.trim().is_empty() { told } else { errors.trim().to_owned() };
    line.lines().next().unwrap_or_default().chars().take(120).collect()
}

/// The most bytes of memory that a process held.
fn held(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

fn work_of(process: u32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut numbers = text.rsplit(')').next()?.split_whitespace().skip(11);
    let (own, system): (u64, u64) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
    Some(Duration::from_millis((own + system) * 10))
}

#[test]
fn texts_that_lean_on_each_other() {
    let all: [(&str, String); 14] = [
        ("a chain of actions", many(30_000, |i| format!("action a{i} {{\n  a{}\n}}\n\n", i + 1))),
        ("terms backwards", {
            let mut items: Vec<String> = (0..part(20_000)).map(|i| format!("define x{i} = x{} + 1\n\n", i + 1)).collect();
            items.reverse();
            items.concat()
        }),
        ("a circle of kinds", many(20_000, |i| format!("kind K{i} is K{} {{\n}}\n\n", (i + 1) % part(20_000)))),
        (
            "everybody calls everybody",
            many(400, |i| format!("action a{i} {{\n{}}}\n\n", (0..400).map(|j| format!("  a{j}\n")).collect::<String>())),
        ),
        ("a circle of terms", many(20_000, |i| format!("define x{i} = x{}\n\n", (i + 1) % part(20_000)))),
        ("cards from cards", many(20_000, |i| format!("unit U{i} from U{} {{\n  points: 1\n}}\n\n", i + 1))),
        (
            "a tower of kinds",
            many(300, |i| {
                let below: Vec<String> = (i.saturating_sub(20)..i).map(|j| format!("T{j}")).collect();
                format!("kind T{i} is {}card {{\n  f{i}: Int = 0\n}}\n\n", below.iter().map(|b| format!("{b}, ")).collect::<String>())
            }),
        ),
        (
            "keywords that give each other",
            many(5000, |i| format!("keyword Q{i} on Unit {{\n  grant this {{\n    keywords += [Q{}]\n  }}\n}}\n\n", (i + 1) % 500)),
        ),
        ("limits that count far", {
            let limits = many(400, |i| format!("limit \"l{i}\" on Unit {{\n  need count(0..99999) > 1 \"x\"\n}}\n\n"));
            limits + &many(400, |i| format!("unit L{i} {{\n  points: {i}\n}}\n\n"))
        }),
        ("limits that look at everything", {
            let limits = many(100, |i| {
                format!("limit \"l{i}\" on Unit {{\n  need count((0..999) where it * it > count((0..999) where it > 1)) > 1 \"x\"\n}}\n\n")
            });
            limits + &many(400, |i| format!("unit L{i} {{\n  points: {i}\n}}\n\n"))
        }),
        ("one name for all", many(40_000, |_| "unit Same {\n  points: 1\n}\n\n".to_owned())),
        ("names that nobody knows", many(30_000, |i| format!("unit N{i} {{\n  pionts{i}: Unknwon{i}\n}}\n\n"))),
        ("a field with an unknown word, many times", format!("unit N {{\n{}}}\n", many(60_000, |i| format!("  pionts: {i}\n")))),
        ("words for words", many(3000, |i| format!("define x{i}(u: Unit) = u.points + x{}(u) + x{}(u)\n\n", i + 1, i + 2))),
    ];
    for (what, text) in all {
        survives(what, &project().file("demo/a.banner", text));
    }
}

#[test]
fn texts_that_are_long_in_one_place() {
    let all: [(&str, Vec<u8>); 26] = [
        ("open braces", long("{").into()),
        ("open parentheses", format!("define x = {}", long("(")).into()),
        ("quotes", long("\"").into()),
        ("three quotes", long("\"\"\" ").into()),
        ("a line without an end", format!("define x = {}", long("1 + ")).into()),
        ("lines without anything", long("\n").into()),
        ("old ends of lines", long("unit X {\r  points: 1\r}\r").into()),
        ("remarks", long("// nothing\n").into()),
        ("remarks of items", long("/// nothing\n").into()),
        ("zeros", vec![0; part(990_000)]),
        ("no UTF-8", vec![0xff; part(990_000)]),
        ("marks on one letter", format!("unit Zalgo \"Z{}\" {{\n  points: 1\n}}\n", long("\u{301}")).into()),
        ("one word on a card", format!("unit Long \"{}\" {{\n  points: 1\n}}\n", long("x")).into()),
        ("many words on a card", format!("unit Long {{\n  points: 1\n  flavour: \"{}\"\n}}\n", long("so ")).into()),
        ("faces in faces", format!("unit Emoji \"{}\" {{\n  points: 1\n}}\n", long("\u{1f469}\u{200d}")).into()),
        ("turned directions", format!("unit Turn \"{}\" {{\n  points: 1\n}}\n", long("\u{202e}a\u{202d}")).into()),
        ("braces in words", format!("unit Braces \"{}\" {{\n  points: 1\n}}\n", long("{points}")).into()),
        ("a long list", format!("define x = [{}1]\n", long("1, ")).into()),
        ("values of an enum", format!("enum E {{ {}last }}\n", many(90_000, |i| format!("v{i}, "))).into()),
        ("rows of a table", format!("kind Row (rows) is card {{\n  n: Int = 0\n}}\n\nkind Book (books) is card {{\n  t: table by d100 of Row\n}}\n\nbook B {{\n{}}}\n", many(40_000, |i| format!("  {i} R{i} {{ n: {i} }}\n"))).into()),
        ("fields of a kind", format!("kind Wide (wides) is card {{\n{}}}\n\n{}", many(10_000, |i| format!("  f{i}: Int = 0\n")), many(1000, |i| format!("wide W{i} {{\n  f1: 2\n}}\n\n"))).into()),
        ("numbers beyond counting", many(30_000, |i| format!("define x{i} = 9223372036854775807 * 9223372036854775807\n\n")).into()),
        ("ranges beyond counting", many(30_000, |i| format!("define x{i} = sum(0..9223372036854775807, it)\n\n")).into()),
        ("one statement after the other", format!("action a {{\n{}}}\n", long("  let x = 1\n")).into()),
        ("choices in choices", format!("action a {{\n{}", long("choose u from units\nif 1 == 1 {\n")).into()),
        ("dice by the million", many(20_000, |i| format!("test \"t{i}\" {{\n  expect chance(99999d99999 > 3) == 1%\n}}\n\n")).into()),
    ];
    for (what, text) in all {
        survives(what, &project().file("demo/a.banner", text));
    }
}

#[test]
fn folders_and_manifests() {
    let mut files = project();
    for i in 0..part(8000) {
        files = files.file(&format!("demo/f{}/x{i}.banner", i % 50), format!("unit F{i} {{\n  points: 1\n}}\n"));
    }
    survives("many files", &files);
    survives("folders in folders", &project().file(&format!("demo/{}a.banner", "d/".repeat(400)), "unit Deep {\n  points: 1\n}\n"));
    let manifest = |more: &str| project().file("demo/banneret.ron", MANIFEST.replace("    rules:", &format!("    {more},\n    rules:")));
    survives("a manifest of brackets", &project().file("demo/banneret.ron", long("(")));
    survives("a manifest of lists", &manifest(&format!("sources: {}{}", "[".repeat(part(400_000)), "]".repeat(part(400_000)))));
    survives("many folders of sources", &manifest(&format!("sources: [{}]", long("\".\", "))));
    survives("one long name", &project().file("demo/banneret.ron", MANIFEST.replace("demo", &long("x"))));
    let circle = project();
    std::os::unix::fs::symlink(".", circle.path().join("demo/again")).unwrap();
    std::os::unix::fs::symlink("loop", circle.path().join("demo/loop")).unwrap();
    survives("a folder in itself", &circle);
    survives("needs that need it", &manifest("needs: [(name: \"demo\", path: \".\")]"));
}

const HEAD: &str = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='60' height='80'>";
const RECT: &str = "<rect width='60' height='80'/>";

/// So much of what is promised of pictures, one after the other.
fn drawn(all: usize, one: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for i in 0..part(all) {
        text += &one(i);
        if text.len() > part(19_000_000) {
            break;
        }
    }
    text
}

fn filter(inside: &str) -> String {
    format!("<defs><filter id='f'>{inside}</filter></defs><g filter='url(#f)'>{RECT}</g>")
}

/// A PNG of this size with nothing in it: few bytes for each million dots.
fn png(w: u32, h: u32) -> Vec<u8> {
    let sum = |bytes: &[u8]| {
        !bytes.iter().fold(u32::MAX, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
        })
    };
    let chunk = |kind: &[u8], data: &[u8]| {
        let body = [kind, data].concat();
        [&(data.len() as u32).to_be_bytes()[..], &body, &sum(&body).to_be_bytes()].concat()
    };
    // stored blocks would be as long as the dots: one bit for each of them, and runs of the same byte
    let row = w.div_ceil(8) as usize + 1;
    let all = row * h as usize;
    let mut bits = Bits::default();
    bits.put(0b1, 1);
    bits.put(0b01, 2);
    bits.literal_zero();
    let mut left = all - 1;
    while left >= 258 {
        bits.copy_258();
        left -= 258;
    }
    (0..left).for_each(|_| bits.literal_zero());
    bits.put(0, 7);
    let (a, b) = (1u32, (all % 65521) as u32);
    let data = [&[0x78, 0x01][..], &bits.done(), &(b << 16 | a).to_be_bytes()].concat();
    let head = [&w.to_be_bytes()[..], &h.to_be_bytes(), &[1, 0, 0, 0, 0]].concat();
    [&b"\x89PNG\r\n\x1a\n"[..], &chunk(b"IHDR", &head), &chunk(b"IDAT", &data), &chunk(b"IEND", b"")].concat()
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits {
    /// The lowest bit first.
    fn put(&mut self, bits: u64, count: u32) {
        self.held |= bits << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    fn code(&mut self, code: u64, count: u32) {
        (0..count).rev().for_each(|at| self.put(code >> at & 1, 1));
    }

    fn literal_zero(&mut self) {
        self.code(0b0011_0000, 8);
    }

    /// 258 bytes like the last one.
    fn copy_258(&mut self) {
        self.code(0b1100_0101, 8);
        self.code(0, 5);
    }

    fn done(mut self) -> Vec<u8> {
        self.put(0, 7);
        self.bytes
    }
}

fn shows(pictures: &[(&str, Vec<u8>)]) -> Folder {
    let mut folder = project();
    let mut text = String::new();
    for (n, (name, bytes)) in pictures.iter().enumerate() {
        folder = folder.file(&format!("demo/{name}"), bytes);
        writeln!(text, "unit P{n} {{\n  points: 1\n  portrait: \"{name}\"\n}}\n").unwrap();
    }
    folder.file("demo/pictures.banner", text)
}

#[test]
fn drawings() {
    let nested = |kind: &str, n: usize| -> String {
        (0..n)
            .map(|i| format!("<{kind} id='m{i}' {kind}='url(#m{})'><rect width='60' height='80' fill='white'/></{kind}>", i + 1))
            .collect()
    };
    let all: [(&str, String); 24] = [
        ("masks in masks", format!("<defs>{}</defs><g mask='url(#m0)'>{RECT}</g>", nested("mask", 24))),
        ("a tile without end", format!("<defs><pattern id='p' patternUnits='userSpaceOnUse' width='9999999' height='9999999'>{RECT}</pattern></defs><rect width='60' height='80' fill='url(#p)'/>")),
        ("noise", filter("<feTurbulence numOctaves='100000000' baseFrequency='0.1'/>")),
        ("thickening", filter("<feMorphology operator='dilate' radius='5000'/>")),
        ("a large matrix", filter(&format!("<feConvolveMatrix order='90' kernelMatrix='{}'/>", "1 ".repeat(8100)))),
        ("many blurs", filter(&"<feGaussianBlur stdDeviation='20'/>".repeat(300))),
        ("filters in filters", {
            let inner: String = (0..30).map(|_| "<g filter='url(#f)'>".to_owned()).collect();
            format!("<defs><filter id='f'><feGaussianBlur stdDeviation='3'/></filter></defs>{inner}{RECT}{}", "</g>".repeat(30))
        }),
        ("tiles in tiles", (0..30).map(|i| format!("<pattern id='p{i}' width='9' height='9' patternUnits='userSpaceOnUse'><rect width='9' height='9' fill='url(#p{})'/></pattern>", i + 1)).collect::<String>() + "<rect width='60' height='80' fill='url(#p0)'/>"),
        ("uses of uses", (0..30).map(|i| format!("<g id='u{}'><use href='#u{i}'/><use href='#u{i}'/></g>", i + 1)).collect::<String>() + "<g id='u0'><rect/></g>"),
        ("groups in groups", format!("{}{RECT}{}", "<g>".repeat(part(1_000_000)), "</g>".repeat(part(1_000_000)))),
        ("many shapes", drawn(1_000_000, |i| format!("<rect x='{i}' width='60' height='80'/>"))),
        ("shapes that are seen through", drawn(40_000, |_| "<g opacity='0.5'><rect width='60' height='80'/></g>".to_owned())),
        ("a long way", format!("<path d='M0 0{}'/>", drawn(2_000_000, |i| format!("L{} {}", i % 60, i % 80)))),
        ("a long way with dashes", format!("<path stroke='red' stroke-dasharray='0.001' d='M0 0{}'/>", drawn(200_000, |i| format!("L{} {}", i % 60, i % 80)))),
        ("a thick line", format!("<path stroke='red' stroke-width='99999999' stroke-linejoin='round' d='M0 0{}'/>", drawn(200_000, |i| format!("L{} {}", i % 60, i % 80)))),
        ("curves far away", format!("<path stroke='red' d='M0 0{}'/>", drawn(100_000, |i| format!("C-1e9 {i} 1e9 -{i} {} {}", i % 60, i % 80)))),
        ("stops of a gradient", format!("<linearGradient id='a'>{}</linearGradient><rect width='60' height='80' fill='url(#a)'/>", drawn(200_000, |_| "<stop offset='0.5'/>".to_owned()))),
        ("a style sheet", format!("<style>{}</style>{}", drawn(40_000, |i| format!(".k{i} rect,g>rect#i{i}{{fill:red}}")), drawn(40_000, |_| "<rect class='a b c d e f'/>".to_owned()))),
        ("attributes", format!("<rect {}/>", drawn(400_000, |i| format!(" a{i}='1'")))),
        ("names of spaces", format!("<rect {}/>", drawn(200_000, |i| format!(" xmlns:a{i}='b{i}'")))),
        ("words", format!("{RECT}{}", drawn(200_000, |_| "<text>so</text>".to_owned()))),
        ("a long address", format!("<image width='9' height='9' href='data:image/png;base64,{}'/>{RECT}", drawn(5_000_000, |_| "AAAA".to_owned()))),
        ("embedded dots", format!("{RECT}<image width='9' height='9' href='data:image/png;base64,{}'/>", base64(&png(20_000, 20_000)))),
        ("clips in clips", format!("<defs>{}</defs><g clip-path='url(#m0)'>{RECT}</g>", nested("clipPath", 200).replace("clipPath='", "clip-path='"))),
    ];
    for (what, inside) in all {
        survives(what, &shows(&[("a.svg", format!("{HEAD}{inside}</svg>").into_bytes())]));
    }
    let entities: String = (1..20).map(|n| format!("<!ENTITY e{n} \"{}\">", format!("&e{};", n - 1).repeat(10))).collect();
    let bomb = format!("<!DOCTYPE svg [<!ENTITY e0 \"x\">{entities}]>{HEAD}<desc>&e19;</desc>{RECT}</svg>");
    survives("entities", &shows(&[("a.svg", bomb.into_bytes())]));
}

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let three = |chunk: &[u8]| {
        let all = chunk.iter().fold(0u32, |sum, byte| sum << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        (0..4).map(move |i| SIGNS[(all >> (18 - 6 * i) & 63) as usize] as char).collect::<String>()
    };
    bytes.chunks(3).map(three).collect()
}

#[test]
fn dots() {
    survives("more dots than are read", &shows(&[("a.png", png(20_000, 20_000))]));
    let size = if is_whole() { 6300 } else { 2000 };
    survives("as many dots as are read", &shows(&[("a.png", png(size, size))]));
    let pictures: Vec<(String, Vec<u8>)> = (0..part(200)).map(|i| (format!("p{i}.png"), png(size, size - 20 + i as u32 % 20))).collect();
    let pictures: Vec<(&str, Vec<u8>)> = pictures.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    survives("many large pictures", &shows(&pictures));
    let mut cut = png(2000, 2000);
    cut.truncate(cut.len() / 2);
    survives("half a picture", &shows(&[("a.png", cut)]));
    let frame = |w: u16, h: u16| {
        [
            &[0xff, 0xd8, 0xff, 0xc0, 0, 17, 8][..],
            &h.to_be_bytes(),
            &w.to_be_bytes(),
            &[3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0],
            &[0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0],
        ]
        .concat()
    };
    survives("a head without a body", &shows(&[("a.jpg", frame(6000, 6000))]));
    survives("zeros for a picture", &shows(&[("a.png", vec![0; part(20_000_000)])]));
    assert!(Path::new("/proc/self/status").exists());
}
