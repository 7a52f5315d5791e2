//! From what was written on the command line to the texts of projects: read as the language server reads them.

pub use banneret_projects::{Art, PrintCheck, Project, Target, catalogue, files, find, library, packages, paths, project, walk};
