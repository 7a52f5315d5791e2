//! The words of a project in another language: `words/de.po` of the rule systems that come with Banneret, and its own.

use std::path::PathBuf;

use banneret_compiler::api::{Catalogue, Language, Speech};
use banneret_compiler::stdlib;

use crate::error::ReadError;
use crate::files;
use crate::paths::shown;
use crate::project::Project;

/// Where the catalogue of a project lies.
pub fn path(project: &Project, language: Language) -> PathBuf {
    project.target.root.join(below(language))
}

fn below(language: Language) -> String {
    format!("words/{}.po", language.code())
}

/// The language with the words that there are in it. What a project has itself wins.
pub fn speech(project: &Project, language: Language) -> Result<Speech, ReadError> {
    let mut catalogue = Catalogue::default();
    for library in stdlib::libraries() {
        if let Some(text) = library.file(&below(language)) {
            add(&mut catalogue, text, &format!("{}/{}", library.name, below(language)))?;
        }
    }
    if files::is_file(&path(project, language)) {
        read(&mut catalogue, project, language)?;
    }
    Ok(Speech { language, catalogue })
}

/// What a project has translated itself.
pub fn own(project: &Project, language: Language) -> Result<Catalogue, ReadError> {
    let mut catalogue = Catalogue::default();
    read(&mut catalogue, project, language)?;
    Ok(catalogue)
}

fn read(catalogue: &mut Catalogue, project: &Project, language: Language) -> Result<(), ReadError> {
    let path = path(project, language);
    let bytes = files::text_in(&project.target.root, &path)?;
    add(catalogue, &String::from_utf8_lossy(&bytes), &shown(&path))
}

fn add(catalogue: &mut Catalogue, text: &str, name: &str) -> Result<(), ReadError> {
    catalogue.add(text).map_err(|bad| {
        ReadError::new(format!("`{name}` cannot be read: in line {} there is {}.", bad.line, bad.what))
            .help("It is a catalogue of GNU gettext (.po), as editors for translators write it.")
    })
}
