//! What somebody who looks ahead does not know: the hidden piles of the others, dealt anew for every look.

use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Machine;
use banneret_runtime::question::{Ask, Question};
use banneret_runtime::value::Value;

/// Makes of a copy of the game one that is as likely for whoever is asked. A question about hidden cards themselves shows them: then nothing is dealt.
pub(crate) fn conceal(copy: &mut Machine, pack: &Loaded, question: &Question, luck: &mut Generator) {
    if pack.hidden.is_empty() {
        return;
    }
    let shown = |value: &Value| match value {
        Value::Obj(id) => copy
            .world
            .get(*id)
            .and_then(|object| object.pile)
            .is_some_and(|(owner, field)| !copy.world.shows(&pack.hidden, owner, field, question.who)),
        _ => false,
    };
    let shows = match &question.ask {
        Ask::Choice { options, .. } => options.iter().any(shown),
        _ => false,
    };
    if !shows {
        copy.world.redeal(&pack.hidden, question.who, luck);
    }
}
