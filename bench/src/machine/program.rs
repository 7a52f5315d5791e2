//! Programs for the machine, compiled from Banneret by the compiler that everybody uses.

use std::path::{Path, PathBuf};

use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;
use banneret_runtime::ids::{ActionId, CardId};
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Machine;

/// One file, ready to run.
pub fn compiled(name: &str, text: &str) -> Result<Loaded, String> {
    let mut workspace = Workspace::new();
    let project = workspace.open(Manifest::loose(name), String::new(), vec![(format!("{name}.banner"), text.to_owned())]);
    let pack = workspace.build(project).map_err(|e| format!("{name}: {e:?}"))?;
    Loaded::new(pack).map_err(|e| format!("{name}: {e}"))
}

/// A folder of `content/`, ready to play.
pub fn content(system: &str) -> Result<Loaded, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../content").join(system);
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()));
    let manifest = Manifest::read(&read(&root.join("banneret.ron"))?, "banneret.ron").map_err(|e| format!("{e:?}"))?;
    let mut paths = Vec::new();
    sources(&root, &mut paths).map_err(|e| format!("{}: {e}", root.display()))?;
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let shown = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().into_owned();
        files.push((format!("{system}/{shown}"), read(&path)?));
    }
    let mut workspace = Workspace::new();
    let project = workspace.open(manifest, system.to_owned(), files);
    let pack = workspace.build(project).map_err(|e| format!("{system}: {e:?}"))?;
    Loaded::new(pack).map_err(|e| format!("{system}: {e}"))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources(&path, found)?;
        } else if path.extension().is_some_and(|e| e == "banner") {
            found.push(path);
        }
    }
    Ok(())
}

pub fn action(pack: &Loaded, name: &str) -> Result<ActionId, String> {
    let found = pack.actions.iter().position(|a| pack.text(a.name) == name);
    found.map(|i| ActionId(i as u32)).ok_or_else(|| format!("there is no action `{name}`"))
}

pub fn card(pack: &Loaded, name: &str) -> Result<CardId, String> {
    let found = pack.cards.iter().position(|c| pack.text(c.name) == name);
    found.map(|i| CardId(i as u32)).ok_or_else(|| format!("there is no card `{name}`"))
}

/// A world with two players and nothing running.
pub fn world(pack: &Loaded) -> Result<Machine, String> {
    let limits = Limits { steps: u64::MAX, events: u32::MAX, ..Limits::default() };
    Machine::new(pack, 2, limits).map_err(|fault| fault.words)
}
