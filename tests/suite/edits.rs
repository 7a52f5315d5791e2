//! An editor's view: whatever was kept from before an edit, a check says the same as one that starts afresh.

use banneret_compiler::api::{Checked, Workspace};
use banneret_compiler::manifest::Manifest;
use banneret_tests::files::{below, house, shown, text};

type Files = Vec<(String, String)>;

fn project(system: &str) -> (Manifest, Files) {
    let root = house().join("content").join(system);
    let manifest = Manifest::parse(&text(&root.join("banneret.ron")), "banneret.ron").expect("the manifest is right");
    let files = below(&root, ".banner").iter().map(|path| (shown(path), text(path))).collect();
    (manifest, files)
}

fn afresh(manifest: &Manifest, root: &str, files: &Files) -> Checked {
    let mut workspace = Workspace::new();
    let project = workspace.open(manifest.clone(), root.to_string(), files.clone());
    workspace.check(project)
}

/// Numbers without a pattern, the same every time.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// One edit as people make them: another number, a word gone, a line gone, a line twice.
fn edited(source: &str, draw: &mut Draw) -> String {
    let mut lines: Vec<String> = source.lines().map(str::to_string).collect();
    let at = draw.below(lines.len());
    match draw.below(4) {
        0 => {
            let with_digit = |line: &String| line.contains(|c: char| c.is_ascii_digit());
            let numbered: Vec<usize> = (0..lines.len()).filter(|i| with_digit(&lines[*i])).collect();
            if !numbered.is_empty() {
                let line = &mut lines[numbered[draw.below(numbered.len())]];
                *line = line.replacen(|c: char| c.is_ascii_digit(), &draw.below(10).to_string(), 1);
            }
        }
        1 => {
            let words: Vec<&str> = lines[at].split(' ').collect();
            let gone = draw.below(words.len());
            lines[at] = words.iter().enumerate().filter(|(i, _)| *i != gone).map(|(_, w)| *w).collect::<Vec<_>>().join(" ");
        }
        2 => {
            lines.remove(at);
        }
        _ => lines.insert(at, lines[at].clone()),
    }
    lines.join("\n") + "\n"
}

#[test]
fn what_is_kept_changes_nothing_that_is_said() {
    let steps = if std::env::var_os("BANNERET_EXHAUSTIVE").is_some() { 400 } else { 8 };
    for (seed, system) in ["affinity", "flux", "focal_point", "one_card", "worlds_collide"].iter().enumerate() {
        let (manifest, original) = project(system);
        let root = format!("content/{system}");
        let mut files = original.clone();
        let mut workspace = Workspace::new();
        let open = workspace.open(manifest.clone(), root.clone(), files.clone());
        let _ = workspace.check(open);
        let mut draw = Draw(seed as u64 + 1);
        for step in 0..steps {
            let at = draw.below(files.len());
            // mended again as often as broken: limits run only when nothing else is wrong
            let new = if step % 2 == 1 { original[at].1.clone() } else { edited(&files[at].1, &mut draw) };
            if step % 2 == 1 {
                for (file, before) in files.iter_mut().zip(&original) {
                    if file != before {
                        *file = before.clone();
                        workspace.set_text(open, &file.0, Some(file.1.clone()));
                    }
                }
            }
            files[at].1 = new.clone();
            workspace.set_text(open, &files[at].0, Some(new));
            let (kept, fresh) = (workspace.check(open), afresh(&manifest, &root, &files));
            assert_eq!(kept.found, fresh.found, "{system}, step {step}, an edit in {}", files[at].0);
            assert_eq!(kept, fresh);
        }
    }
}
