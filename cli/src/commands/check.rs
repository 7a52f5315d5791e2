//! `banneret check`: looks for mistakes.

use std::io::Write;

use super::{fmt, mend, outcome, overrides, watch};
use crate::Outcome;
use crate::args::Check;
use crate::render;
use crate::session::Session;
use crate::sources::find;
use crate::terminal::{Out, Terminal, harmless};
use crate::trouble::Trouble;

pub fn run(args: &Check, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    if args.watch {
        return watch::run(args, terminal, out);
    }
    let format = args.format.message_format;
    let mut session = Session::new(&find(&args.paths.paths)?)?;
    session.speak(args.language)?;
    if args.overrides {
        return overrides::run(&session, format, out);
    }
    if args.changes {
        return overrides::changes(&session, format, out);
    }
    if args.fix {
        let mended = mend::work_out(&mut session, args.unsafe_fixes);
        if args.diff {
            for file in &mended {
                fmt::diff(out, &file.shown, &file.before, &file.after)?;
            }
            return Ok(if mended.is_empty() { Outcome::Fine } else { Outcome::Found });
        }
        mend::write(&mended)?;
        for line in mend::lines(&mended) {
            // Programs read standard output.
            if render::for_people(format) {
                writeln!(out, "{line}")?;
            } else {
                let _ = writeln!(std::io::stderr(), "{}", harmless(&line, false));
            }
        }
    }
    let report = session.check();
    render::print(out, &report, format, terminal)?;
    Ok(outcome(&report, args.strict))
}
