//! What holds for the sources of the house: sizes, dependencies, what may not be named where.

use std::path::{Path, PathBuf};

use banneret_tests::files::{below, house, shown, text};

/// The folders of the crates, from the workspace's own list.
fn crates() -> Vec<String> {
    let manifest = text(&house().join("Cargo.toml"));
    let list = manifest.split_once("\nmembers = [").and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
    let names = list.split(',').map(|n| n.trim().trim_matches('"'));
    names.filter(|n| !n.is_empty()).map(str::to_string).collect()
}

fn sources_of(member: &str) -> Vec<PathBuf> {
    below(&house().join(member), ".rs")
}

/// A file is as long as its idea, but nobody reads more than this at a time.
#[test]
fn no_file_is_long() {
    let mut wrong = Vec::new();
    for path in crates().iter().flat_map(|member| sources_of(member)) {
        let lines = text(&path).lines().count();
        if lines > 800 {
            wrong.push(format!("{} has {lines} lines, more than 800", shown(&path)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What follows from a mistake is told by the table in `grammar/src/code.rs`, not by whoever compares the names of codes.
#[test]
fn nobody_compares_codes_with_words() {
    let sources = ["grammar/src", "compiler/src", "cards/src", "projects/src", "lsp/src", "cli/src"].into_iter();
    let files = sources.flat_map(|folder| below(&house().join(folder), ".rs")).filter(|path| !shown(path).ends_with("tests.rs"));
    let compares =
        |line: &str| ["code == \"", "code != \"", "code.starts_with(", "matches!(d.code, \""].iter().any(|sign| line.contains(sign));
    let found: Vec<String> = files
        .flat_map(|path| {
            text(&path).lines().filter(|line| compares(line)).map(|line| format!("{}: {}", shown(&path), line.trim())).collect::<Vec<_>>()
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The crates of ours that a crate depends on, without those only its tests need.
fn own_dependencies(member: &str) -> Vec<String> {
    let manifest = text(&house().join(member).join("Cargo.toml"));
    let mut in_dependencies = false;
    let mut found = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            in_dependencies = matches!(line.trim(), "[dependencies]" | "[build-dependencies]");
        } else if in_dependencies && line.starts_with("banneret") {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            found.push(name.to_string());
        }
    }
    found
}

#[test]
fn what_may_depend_on_what() {
    let none: [&str; 0] = [];
    assert_eq!(own_dependencies("grammar"), none, "the grammar stands alone");
    assert_eq!(own_dependencies("runtime"), none, "the machine knows no sources");
    assert_eq!(own_dependencies("odds"), ["banneret-runtime"], "exact odds stand on the machine alone");
    assert_eq!(own_dependencies("players"), ["banneret-runtime"], "so do players");
    let allowed = [
        ("compiler", &["banneret-grammar", "banneret-runtime", "banneret-odds"][..]),
        ("cards", &["banneret-grammar", "banneret-runtime", "banneret-compiler"][..]),
        ("projects", &["banneret-grammar", "banneret-compiler", "banneret-cards"][..]),
        ("lsp", &["banneret-grammar", "banneret-runtime", "banneret-odds", "banneret-compiler", "banneret-cards", "banneret-projects"][..]),
    ];
    for (member, allowed) in allowed {
        for used in own_dependencies(member) {
            assert!(allowed.contains(&used.as_str()), "{member} may not depend on {used}");
        }
    }
}

/// What the command, the printer and the projects know of the compiler is plain data. The editor's server still looks further in.
#[test]
fn whoever_stands_on_the_compiler_knows_its_face() {
    let face = ["api", "diagnostic", "facts", "fixes", "key", "manifest", "measure", "printed", "recipes", "stdlib"];
    let others =
        [("cards/src", &["words"][..]), ("projects/src", &["db"][..]), ("cli/src", &[][..]), ("bench/src", &[][..]), ("fuzz/src", &[][..])];
    let mut looked_at = 0;
    let mut wrong = Vec::new();
    for (folder, more) in others {
        for path in below(&house().join(folder), ".rs") {
            for used in text(&path).split("banneret_compiler::").skip(1) {
                let module = used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                looked_at += 1;
                if !face.contains(&module) && !more.contains(&module) {
                    wrong.push(format!("{}: {module}", shown(&path)));
                }
            }
        }
    }
    assert!(looked_at > 50, "only {looked_at} uses are looked at");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A key is taken apart in one place: modules may have dots, so the first dot of a key is not always the one behind the name.
#[test]
fn keys_are_taken_apart_in_one_place() {
    let takes_apart = |line: &str| {
        let splits = ["split_once('/')", "split_once('@')", "split_once('.')", "rsplit('.')", "rsplit_once('.')", "rsplit(['/', '.'])"];
        ["key.", "key)", "field.", "resource."].iter().any(|name| splits.iter().any(|split| line.contains(&format!("{name}{split}"))))
    };
    assert!(takes_apart("key.split_once('/')"));
    let folders = ["compiler/src", "lsp/src", "cards/src", "projects/src", "cli/src"];
    let files = folders.iter().flat_map(|folder| below(&house().join(folder), ".rs")).filter(|path| shown(path) != "compiler/src/key.rs");
    let wrong: Vec<String> = files
        .flat_map(|path| {
            text(&path)
                .lines()
                .filter(|line| takes_apart(line))
                .map(|line| format!("{}: {}", shown(&path), line.trim()))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Hosts know the machine; the machine knows no host, nor does anything it is made of. Tests of a pack are played by a script, so they stand above.
#[test]
fn the_machine_knows_no_host() {
    let files = below(&house().join("runtime/src"), ".rs").into_iter();
    let below_hosts = files.filter(|path| !["runtime/src/hosts/", "runtime/src/testing/"].iter().any(|f| shown(path).starts_with(f)));
    let below_hosts: Vec<PathBuf> = below_hosts.collect();
    assert!(below_hosts.len() > 50, "only {} files are looked at", below_hosts.len());
    let wrong: Vec<String> = below_hosts.iter().filter(|path| text(path).contains("hosts::")).map(|path| shown(path)).collect();
    assert!(wrong.is_empty(), "these know a host: {}", wrong.join(", "));
}

/// What they are given is all they know: so they run in an editor, in a test and in an app alike.
#[test]
fn what_works_on_texts_touches_no_files() {
    let mut wrong = Vec::new();
    for member in ["grammar", "runtime", "odds", "players", "compiler", "cards"] {
        for path in below(&house().join(member).join("src"), ".rs").iter().filter(|path| !is_test_source(path)) {
            let source = text(path);
            let code = source.split("#[cfg(test)]").next().unwrap_or_default();
            if ["std::fs", "File::open", "File::create", "std::net"].iter().any(|touch| code.contains(touch)) {
                wrong.push(shown(path));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?} read or write files");
}

/// A stranger's project is read and written in one place, which knows what is refused.
#[test]
fn only_one_layer_opens_files() {
    let opens = [
        "fs::",
        "File::open",
        "File::create",
        "OpenOptions",
        "read_dir(",
        ".canonicalize()",
        ".is_file()",
        ".is_dir()",
        ".exists()",
        ".is_symlink()",
        ".metadata()",
    ];
    let mut wrong = Vec::new();
    for member in ["grammar", "runtime", "compiler", "cards", "projects", "lsp", "cli"] {
        for path in below(&house().join(member).join("src"), ".rs").iter().filter(|path| !is_test_source(path)) {
            if shown(path).starts_with("projects/src/files") || shown(path) == "cli/src/reference.rs" {
                continue;
            }
            let source = text(path);
            let code = source.split("#[cfg(test)]").next().unwrap_or_default();
            // `files::` is that layer
            let code = code.replace("files::", "");
            wrong.extend(opens.iter().filter(|word| code.contains(*word)).map(|word| format!("{}: {word}", shown(path))));
        }
    }
    assert!(wrong.is_empty(), "these open files by themselves: {}", wrong.join(", "));
}

/// Whoever looks for the place to change something finds it.
#[test]
fn the_architecture_names_what_is_there() {
    let page = text(&house().join("docs/architecture.md"));
    let named: Vec<&str> = page.split('`').skip(1).step_by(2).filter(|name| name.contains('/') && !name.contains(' ')).collect();
    assert!(named.len() > 30, "only {} places are named", named.len());
    let wrong: Vec<&&str> = named.iter().filter(|name| !house().join(name).exists()).collect();
    assert!(wrong.is_empty(), "{wrong:?} are not there");
}

/// A recipe names files that are there.
#[test]
fn the_recipes_name_what_is_there() {
    let page = text(&house().join("CONTRIBUTING.md"));
    let is_place = |name: &&str| name.contains('/') && !name.contains([' ', '…']) && !name.ends_with("CODE.md");
    let named: Vec<&str> = page.split('`').skip(1).step_by(2).filter(is_place).collect();
    assert!(named.len() > 60, "only {} places are named", named.len());
    let wrong: Vec<&&str> = named.iter().filter(|name| !house().join(name).exists()).collect();
    assert!(wrong.is_empty(), "{wrong:?} are not there");
}

#[test]
fn only_the_server_knows_the_protocol() {
    let everywhere = crates().into_iter().flat_map(|member| sources_of(&member));
    let elsewhere = everywhere.filter(|path| !shown(path).starts_with("lsp/src/server/"));
    let names = ["tower_lsp", "ls_types"].map(|name| format!("{name}::"));
    let wrong: Vec<String> =
        elsewhere.filter(|path| names.iter().any(|n| text(path).contains(n.as_str()))).map(|path| shown(&path)).collect();
    assert!(wrong.is_empty(), "these name the editors' protocol: {}", wrong.join(", "));
}

#[test]
fn nothing_is_unsafe() {
    let workspace = text(&house().join("Cargo.toml"));
    assert!(workspace.contains("unsafe_code = \"forbid\""), "the workspace forbids unsafe code");
    for member in crates() {
        let manifest = text(&house().join(&member).join("Cargo.toml"));
        assert!(manifest.contains("[lints]\nworkspace = true"), "{member} does not take the lints of the workspace");
    }
}

/// Everything that is written by people.
fn written() -> Vec<PathBuf> {
    let endings = [".rs", ".banner", ".md", ".toml", ".ron", ".pest", ".expect"];
    endings.iter().flat_map(|ending| below(&house(), ending)).collect()
}

#[test]
fn no_path_of_one_machine_is_written_down() {
    let roots = ["work", "home", "Users", "root"].map(|folder| format!("/{folder}/"));
    let mut wrong = Vec::new();
    for path in written() {
        for (i, line) in text(&path).lines().enumerate() {
            let starts = |root: &String| line.match_indices(root.as_str()).any(|(at, _)| !follows_a_name(line, at));
            if roots.iter().any(starts) {
                wrong.push(format!("{}:{}: {line}", shown(&path), i + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether the `/` at an offset belongs to a longer path or address, such as `docs/home/`.
fn follows_a_name(line: &str, at: usize) -> bool {
    line[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '}' | '/'))
}

/// What only a rule system may know.
fn words_of_games() -> Vec<String> {
    let mut words: Vec<String> = ["affinity", "warlord", "knack"].map(str::to_string).to_vec();
    let libraries = std::fs::read_dir(house().join("stdlib")).unwrap().flatten();
    let names = libraries.filter(|e| e.path().is_dir()).map(|e| e.file_name().to_string_lossy().into_owned());
    words.extend(names.filter(|n| n != "prelude"));
    words.sort();
    words.dedup();
    words
}

#[test]
fn the_tools_know_no_game() {
    let words = words_of_games();
    let mut wrong = Vec::new();
    for member in crates().iter().filter(|member| !["tests", "bench"].contains(&member.as_str())) {
        for path in below(&house().join(member).join("src"), ".rs") {
            if is_test_source(&path) {
                continue;
            }
            let source = text(&path);
            let code = source.split("#[cfg(test)]").next().unwrap_or_default();
            for (i, line) in code.lines().enumerate() {
                let lower = line.to_lowercase();
                if let Some(word) = words.iter().find(|w| has_word(&lower, w)) {
                    wrong.push(format!("{}:{}: {word}", shown(&path), i + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "words of single games:\n{}", wrong.join("\n"));
}

fn is_test_source(path: &Path) -> bool {
    path.components().any(|c| c.as_os_str().to_string_lossy().starts_with("tests"))
}

fn has_word(line: &str, word: &str) -> bool {
    let plain = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    line.match_indices(word).any(|(at, _)| plain(line[..at].chars().next_back()) && plain(line[at + word.len()..].chars().next()))
}

#[test]
fn every_crate_says_what_it_is_for() {
    for member in crates() {
        let lib = house().join(&member).join("src/lib.rs");
        let main = house().join(&member).join("src/main.rs");
        let first = text(if lib.is_file() { &lib } else { &main });
        assert!(first.starts_with("//! "), "{member} does not begin with what it is for");
    }
}
