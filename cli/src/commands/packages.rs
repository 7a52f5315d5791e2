//! `banneret add`, `update` and `vendor`: packages come into a project.
//!
//! Only here is anything fetched, with the `git` command, into a folder for temporary files; what is no plain file of the package stays there.

use std::collections::VecDeque;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use banneret_compiler::manifest::{FILE_NAME, Manifest, Need, Origin, nearest, with_need};
use banneret_compiler::stdlib;

use crate::Outcome;
use crate::args::Add;
use crate::sources::files;
use crate::sources::packages::{Lock, Locked, STORE, content, hash, relative, source};
use crate::sources::paths::{absolute, plain, shown};
use crate::terminal::Out;
use crate::trouble::Trouble;

/// The folder of a repository among the temporary files.
pub(super) const CLONE: &str = "package";

pub fn add(args: &Add, out: &mut Out) -> Result<Outcome, Trouble> {
    let root = project(&args.project)?;
    let is_name =
        |name: &str| name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name(&args.name) {
        return Err(Trouble::new(format!("`{}` cannot be the name of a package.", args.name))
            .help("Use small letters, digits and `_`: the name is what `use` says."));
    }
    let value = match (&args.path, &args.git, &args.tag) {
        (Some(path), _, _) => {
            let folder = absolute(path);
            if !files::is_file(&folder.join(FILE_NAME)) {
                return Err(Trouble::new(format!("There is no package in `{}`.", shown(&folder)))
                    .help(format!("A package has a `{FILE_NAME}` that says its name and version.")));
            }
            format!("path: {:?}", relative(&folder, &root))
        }
        (None, Some(url), Some(tag)) => format!("git: {url:?}, tag: {tag:?}"),
        (None, _, _) => match stdlib::library(&args.name) {
            Some(library) => library.version().map(|version| format!("version: {version:?}")).unwrap_or_default(),
            None => {
                let systems = stdlib::rule_systems();
                let help = match nearest(&args.name, &systems) {
                    Some(near) => format!("Did you mean `{near}`?"),
                    None => format!("Say where it is: --path, or --git and --tag. With Banneret come {}.", systems.join(", ")),
                };
                return Err(Trouble::new(format!("No package `{}` comes with Banneret.", args.name)).help(help));
            }
        },
    };
    let path = root.join(FILE_NAME);
    let before = files::text_in(&root, &path)?;
    let before = String::from_utf8_lossy(&before).into_owned();
    manifest(&root)?;
    let Some(after) = with_need(&before, &args.name, &value) else {
        return Err(Trouble::new(format!("This project needs a `{}` already.", args.name))
            .help(format!("Change it in `{}`, then run `banneret update`.", shown(&path))));
    };
    files::write_in(&root, &path, after.as_bytes())?;
    if let Err(trouble) = fetch_all(&root, false, out) {
        // as if it had not been asked for
        files::write_in(&root, &path, before.as_bytes())?;
        return Err(trouble);
    }
    writeln!(out, "`use {}` brings it into your files.", args.name)?;
    Ok(Outcome::Fine)
}

pub fn update(path: &Path, out: &mut Out) -> Result<Outcome, Trouble> {
    fetch_all(&project(path)?, false, out)?;
    Ok(Outcome::Fine)
}

pub fn vendor(path: &Path, out: &mut Out) -> Result<Outcome, Trouble> {
    fetch_all(&project(path)?, true, out)?;
    Ok(Outcome::Fine)
}

fn project(path: &Path) -> Result<PathBuf, Trouble> {
    let folder = absolute(path);
    let found = folder.ancestors().find(|at| files::is_file(&at.join(FILE_NAME)));
    found.map(Path::to_owned).ok_or_else(|| {
        Trouble::new(format!("There is no project in `{}`.", shown(&folder)))
            .help(format!("A project has a `{FILE_NAME}`; make one with `banneret new NAME`."))
    })
}

fn manifest(root: &Path) -> Result<Manifest, Trouble> {
    let path = root.join(FILE_NAME);
    let bytes = files::text_in(root, &path)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Manifest::parse(&text, &shown(&path)).map_err(|problem| Trouble::project(&problem, Some(&text)))
}

/// Fetches what a project needs and what that needs; with `everything`, folders beside it are copied too. Then the lock is written anew.
fn fetch_all(root: &Path, everything: bool, out: &mut Out) -> Result<(), Trouble> {
    let mut lock = Lock::default();
    let mut waiting = VecDeque::from([(root.to_owned(), manifest(root)?)]);
    let mut seen: Vec<String> = Vec::new();
    // the paths of a package start where it came from, also if it was copied
    while let Some((home, manifest)) = waiting.pop_front() {
        for need in &manifest.needs {
            let Some(from) = source(&home, root, need) else { continue };
            if seen.contains(&from) {
                continue;
            }
            seen.push(from.clone());
            let (there, folder) = match &need.origin {
                Origin::Path(path) if !everything => {
                    let there = plain(&home.join(path));
                    (there.clone(), there)
                }
                Origin::Path(path) => {
                    let there = plain(&home.join(path));
                    let locked = store(root, need, &there, &from, None, &lock)?;
                    let folder = root.join(STORE).join(&locked.folder);
                    writeln!(out, "{} {}: copied from {}.", locked.name, locked.version, shown(&there))?;
                    lock.packages.push(locked);
                    (there, folder)
                }
                Origin::Git { url, tag } => {
                    let (fetched, commit) = clone(url, tag, &need.name)?;
                    let locked = store(root, need, &fetched.path().join(CLONE), &from, Some(commit), &lock)?;
                    let folder = root.join(STORE).join(&locked.folder);
                    writeln!(out, "{} {}: fetched from {url} at {tag}.", locked.name, locked.version)?;
                    lock.packages.push(locked);
                    (folder.clone(), folder)
                }
                Origin::BuiltIn => continue,
            };
            let of_package = self::manifest(&folder)?;
            waiting.push_back((there, of_package));
        }
    }
    if lock.packages.is_empty() && Lock::read(root).is_none() {
        writeln!(out, "Nothing is to be fetched: every package is in a folder of its own.")?;
        return Ok(());
    }
    lock.packages.sort_by(|a, b| a.folder.cmp(&b.folder));
    lock.write(root)?;
    Ok(())
}

/// Copies the plain files of a package into the store.
fn store(root: &Path, need: &Need, from: &Path, source: &str, commit: Option<String>, lock: &Lock) -> Result<Locked, Trouble> {
    let manifest = manifest(from)?;
    if let Some(wanted) = need.version.as_ref().filter(|wanted| !banneret_compiler::manifest::same_version(wanted, &manifest.version)) {
        let headline = format!("The package `{}` is there in version {}, not {wanted}.", need.name, manifest.version);
        return Err(Trouble::new(headline).help("Change `version`, or take another tag."));
    }
    let plain = format!("{}@{}", need.name, manifest.version);
    let is_free = |name: &String| lock.packages.iter().all(|locked| locked.folder != *name);
    let folder = std::iter::once(plain.clone()).chain((2..).map(|n| format!("{plain}_{n}"))).find(is_free).unwrap_or(plain);
    let place = root.join(STORE).join(&folder);
    let files_of = content(from)?;
    files::make_folder_in(root, &place)?;
    // what the package no longer has goes
    for (path, _) in content(&place)?.into_iter().filter(|(path, _)| files_of.iter().all(|(kept, _)| kept != path)) {
        files::remove_in(root, &place.join(path)).map_err(|e| Trouble::file("remove", &place, &e))?;
    }
    for (path, bytes) in &files_of {
        let path = place.join(path);
        files::make_folder_in(root, path.parent().unwrap_or(&place))?;
        files::write_in(root, &path, bytes)?;
    }
    let hash = hash(&place).ok_or_else(|| Trouble::new(format!("`{}` cannot be read.", shown(&place))))?;
    Ok(Locked { name: need.name.clone(), version: manifest.version, from: source.to_owned(), commit, folder, hash })
}

/// The `git` of this machine, for a repository that may be a stranger's: what stands in its settings runs nothing and asks for nothing, for example when
/// something is missing in it.
pub(super) fn harmless_git(protocols: &str) -> Command {
    let mut command = Command::new("git");
    for setting in ["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.symlinks=false", "protocol.ext.allow=never"] {
        command.args(["-c", setting]);
    }
    command.env("GIT_ALLOW_PROTOCOL", protocols).env("GIT_NO_LAZY_FETCH", "1").env("GIT_TERMINAL_PROMPT", "0");
    command.stdin(Stdio::null());
    command
}

/// By none is anything fetched.
pub(super) const NO_PROTOCOL: &str = "none";

/// By what a repository is fetched: one on this machine by nothing else.
fn protocols(url: &str) -> &'static str {
    // `host:path` is far, `C:\\path` is not
    let has_host = || url.split_once(':').is_some_and(|(host, _)| host.len() > 1);
    let is_far = url.split_once("://").map_or_else(has_host, |(protocol, _)| protocol != "file");
    if is_far { "https:http:ssh:git" } else { "file" }
}

/// A repository at a tag, in a folder for temporary files, and the commit. Nothing of it is run: no hooks, no other protocols, no submodules.
pub(super) fn clone(url: &str, tag: &str, name: &str) -> Result<(tempfile::TempDir, String), Trouble> {
    if url.starts_with('-') || tag.starts_with('-') || url.contains("::") {
        return Err(Trouble::new(format!("`{url}` at `{tag}` is no address of a repository.")));
    }
    let folder = tempfile::tempdir().map_err(|e| Trouble::file("make", &std::env::temp_dir(), &e))?;
    let git = |args: &[&str]| {
        harmless_git(protocols(url)).args(args).output().map_err(|e| {
            Trouble::new(format!("`git` cannot be run: {e}.")).help("Install git, or copy the package beside your project and use --path.")
        })
    };
    let place = folder.path().join(CLONE);
    let place = place.to_string_lossy().into_owned();
    let cloned = git(&["clone", "--quiet", "--depth", "1", "--no-recurse-submodules", "--branch", tag, "--", url, &place])?;
    if !cloned.status.success() {
        let said = String::from_utf8_lossy(&cloned.stderr);
        let said = said.lines().last().unwrap_or("it did not say why").to_owned();
        return Err(
            Trouble::new(format!("The package `{name}` cannot be fetched from {url} at {tag}.")).help(format!("What git says: {said}"))
        );
    }
    let commit = git(&["-C", &place, "rev-parse", "HEAD"])?;
    let commit = String::from_utf8_lossy(&commit.stdout).trim().to_owned();
    Ok((folder, commit))
}
