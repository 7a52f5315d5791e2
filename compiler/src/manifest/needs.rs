//! `needs: ( … )`: the packages a project builds on, each with where it comes from.

use banneret_grammar::span::Span;

use super::fields::{Field, Value};
use super::{FieldWord, Reading, field, listed, nearest};
use crate::diagnostic::Code;

/// A package that a project builds on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Need {
    /// What `use` calls it here.
    pub name: String,
    pub origin: Origin,
    /// The version that is wanted.
    pub version: Option<String>,
    /// Where its name stands in the manifest.
    pub at: Span,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Comes with Banneret.
    BuiltIn,
    /// A folder with a manifest, relative to this one's.
    Path(String),
    /// A repository at a tag.
    Git { url: String, tag: String },
}

/// What is said of a package.
pub const NEED_FIELDS: [FieldWord; 4] = [
    field("path", "\"../FOLDER\"", "The folder of the package, from here."),
    field("git", "\"https://…\"", "The repository of the package; which version of it is said by `tag`."),
    field("tag", "\"v1.0\"", "The tag of the repository that is taken."),
    field("version", "\"1.0\"", "The version that is wanted. With others the package is refused."),
];

fn known() -> [&'static str; 4] {
    NEED_FIELDS.map(|field| field.name)
}

/// A folder of a project whose definitions change a package.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Changes {
    /// What the project calls the package.
    pub package: String,
    pub folder: String,
    /// Where it stands in the manifest.
    pub at: Span,
}

impl Reading<'_> {
    /// `changes: (PACKAGE: "FOLDER")`, of packages that the manifest needs.
    pub(super) fn changes(&mut self, field: Option<&Field>, needs: &[Need]) -> Vec<Changes> {
        let Some(field) = field else { return Vec::new() };
        let Value::Fields(packages) = &field.value else {
            let headline = format!("`changes` is a group of packages, and this is {}.", field.value.called());
            self.report(Code::ManifestWrongType, field.span, headline, "Write `changes: (PACKAGE: \"FOLDER\")`.".to_owned());
            return Vec::new();
        };
        let mut out = Vec::new();
        for package in packages {
            let name = &package.name;
            if !needs.iter().any(|need| need.name == *name) {
                let names: Vec<&str> = needs.iter().map(|need| need.name.as_str()).collect();
                let help = match nearest(name, &names) {
                    Some(near) => format!("Did you mean `{near}`?"),
                    None => {
                        format!("Say where it is: `needs: ({name}: (path: \"../{name}\"))`, or `{name}: ()` if it comes with Banneret.")
                    }
                };
                self.report(
                    Code::PackageMissing,
                    package.name_span,
                    format!("This project does not need `{name}`, which it changes."),
                    help,
                );
            } else if let Some(folder) = self.text(Some(package)) {
                let folder = folder.trim_start_matches("./").trim_matches('/').to_owned();
                let is_plain =
                    !folder.is_empty() && folder.split('/').all(|part| !matches!(part, "" | "." | "..")) && !folder.contains(['\\', ':']);
                if is_plain {
                    out.push(Changes { package: name.clone(), folder, at: package.span });
                } else {
                    let help = format!("Write `{name}: \"house\"` and put the changes into that folder.");
                    self.report(Code::ManifestWrongType, package.span, "Changes stand in a folder of this project.".to_owned(), help);
                }
            }
        }
        out
    }

    pub(super) fn needs(&mut self, field: Option<&Field>) -> Vec<Need> {
        let Some(field) = field else { return Vec::new() };
        let Value::Fields(packages) = &field.value else {
            self.report(
                Code::ManifestWrongType,
                field.span,
                format!("`needs` is a group of packages, and this is {}.", field.value.called()),
                "Write `needs: (NAME: (path: \"../FOLDER\"))`.".to_owned(),
            );
            return Vec::new();
        };
        let mut needs: Vec<Need> = Vec::new();
        for package in packages {
            if needs.iter().any(|need| need.name == package.name) {
                let headline = format!("`{}` is needed twice.", package.name);
                self.report(
                    Code::ManifestSyntax,
                    package.name_span,
                    headline,
                    "Remove one of the two, or give it another name.".to_owned(),
                );
            } else {
                needs.extend(self.need(package));
            }
        }
        needs
    }

    fn need(&mut self, package: &Field) -> Option<Need> {
        let name = &package.name;
        let Value::Fields(fields) = &package.value else {
            let called = package.value.called();
            let headline = format!("`{name}` says where a package is, and this is {called}.");
            self.report(Code::ManifestWrongType, package.span, headline, format!("Write `{name}: (path: \"../{name}\")`."));
            return None;
        };
        let told = self.problems.len();
        for field in fields.iter().filter(|field| !known().contains(&field.name.as_str())) {
            let help = match nearest(&field.name, &known()) {
                Some(near) => format!("Did you mean `{near}`?"),
                None => format!("The fields are {}.", listed(&known())),
            };
            self.report(Code::ManifestUnknownField, field.name_span, format!("A package has no field `{}`.", field.name), help);
        }
        let of = |name: &str| fields.iter().find(|field| field.name == name);
        let (path, url, tag) = (self.text(of("path")), self.text(of("git")), self.text(of("tag")));
        let version = self.text(of("version"));
        self.version(of("version"), version.as_deref());
        if self.problems.len() > told {
            return None;
        }
        let origin = match (path, url, tag) {
            (Some(path), None, None) => Origin::Path(path),
            (None, Some(url), Some(tag)) => Origin::Git { url, tag },
            (None, None, None) if fields.is_empty() || version.is_some() => Origin::BuiltIn,
            (None, Some(_), None) => {
                let headline = format!("It is not said which state of `{name}` is meant.");
                self.report(Code::ManifestMissingField, package.span, headline, "Add the tag: `tag: \"v1.0\"`.".to_owned());
                return None;
            }
            _ => {
                let headline = format!("`{name}` comes from a folder or from a repository, not from both.");
                let help = "Write `path: \"../FOLDER\"`, or `git: \"ADDRESS\", tag: \"v1.0\"`.".to_owned();
                self.report(Code::ManifestWrongType, package.span, headline, help);
                return None;
            }
        };
        Some(Need { name: name.clone(), origin, version, at: package.name_span })
    }
}

/// The text of a manifest with one more package. None if it has one of that name, or cannot be read.
pub fn with_need(text: &str, name: &str, value: &str) -> Option<String> {
    let (fields, _) = super::fields::read(text).ok()?;
    let line = format!("{name}: ({value}),");
    let (at, added) = match fields.iter().find(|field| field.name == "needs") {
        Some(field) => {
            let Value::Fields(packages) = &field.value else { return None };
            if packages.iter().any(|package| package.name == name) {
                return None;
            }
            (field.span.start as usize + 1, format!("\n        {line}"))
        }
        None => (fields.last()?.span.end as usize, format!(",\n    needs: (\n        {line}\n    )")),
    };
    Some(format!("{}{added}{}", text.get(..at)?, text.get(at..)?))
}
