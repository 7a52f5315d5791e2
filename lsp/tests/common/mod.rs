//! Fixtures: Markdown files with pieces of text in them, a cursor `$0` in each.

#![allow(dead_code)] // each test file uses its part of this

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use banneret_compiler::api::{ProjectId, Workspace};
use banneret_lsp::ide::Ide;
use banneret_lsp::ide::complete::{Offer, complete};
use banneret_projects::find::Kind;
use banneret_projects::{Project, Target};

pub fn house() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// One place to complete.
#[derive(Clone, Debug)]
pub struct Case {
    /// File and line of the fixture.
    pub place: String,
    /// The folder the text is in.
    pub folder: String,
    pub expected: String,
    /// With its cursor.
    pub text: String,
}

impl Case {
    pub fn is_broken(&self) -> bool {
        let text = self.text.replace("$0", "");
        banneret_grammar::parse_file(&text).iter().any(|(_, parsed)| !parsed.errors.is_empty())
    }
}

/// Every case of every Markdown file in `tests/completion`.
pub fn cases() -> Vec<Case> {
    let folder = house().join("tests/completion");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "md")).collect();
    files.sort();
    files.iter().flat_map(|f| cases_of(f)).collect()
}

fn cases_of(path: &Path) -> Vec<Case> {
    let source = std::fs::read_to_string(path).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let (mut out, mut folder, mut expected): (Vec<Case>, String, Option<String>) = (Vec::new(), String::new(), None);
    let mut inside: Option<Vec<&str>> = None;
    for (i, line) in source.lines().enumerate() {
        if let Some(lines) = &mut inside {
            if line == "```" {
                let text = lines.join("\n");
                inside = None;
                assert_eq!(text.matches("$0").count(), 1, "{name}:{}: one cursor", i + 1);
                let expected = expected.take().unwrap_or_else(|| panic!("{name}:{}: what is expected?", i + 1));
                out.push(Case { place: format!("{name}:{}", i + 1), folder: folder.clone(), expected, text });
            } else {
                lines.push(line);
            }
        } else if let Some(heading) = line.strip_prefix("## ") {
            folder = heading.trim().to_owned();
        } else if line.starts_with("Expects ") {
            expected = line.split('`').nth(1).map(str::to_owned);
        } else if line.starts_with("```banner") {
            inside = Some(Vec::new());
        }
    }
    out
}

type Known = Mutex<HashMap<PathBuf, (Workspace, ProjectId)>>;

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(Mutex::default)
}

/// A project of the repository, opened once.
fn opened(root: &Path) -> (Workspace, ProjectId) {
    // taken out while it is used
    let known = known().lock().unwrap().remove(root);
    known.unwrap_or_else(|| {
        let target = Target { root: root.to_owned(), kind: Kind::Project, only: Vec::new() };
        let project = Project::read(&target).unwrap();
        let mut workspace = Workspace::new();
        let id = workspace.open_with(project.manifest.clone().unwrap(), project.root.clone(), project.texts(), &project.needed.packages);
        (workspace, id)
    })
}

/// Runs something on a project with one more file in a folder of it; gives the offset of the cursor.
pub fn with_text<T>(folder: &str, text: &str, run: impl FnOnce(Ide<'_>, banneret_compiler::db::SourceFile, u32) -> T) -> T {
    let full = house().join(folder);
    let root = full.ancestors().find(|f| f.join("banneret.ron").is_file()).unwrap().to_owned();
    let (mut workspace, id) = opened(&root);
    let offset = text.find("$0").unwrap_or(0) as u32;
    let path = banneret_projects::paths::shown(&full.join("zz_case.banner"));
    workspace.set_text(id, &path, Some(text.replace("$0", "")));
    let file = workspace.file(id, &path).unwrap();
    let ide = Ide { db: workspace.db(), universe: workspace.universe(id) };
    let out = run(ide, file, offset);
    workspace.set_text(id, &path, None);
    known().lock().unwrap().insert(root, (workspace, id));
    out
}

pub fn offered(case: &Case) -> Offer {
    with_text(&case.folder, &case.text, |ide, file, offset| complete(ide, file, offset, &|| vec!["kiln_pilgrims.svg".to_owned()]))
}
