//! Which events are kept for `past`: only those something asks about, and of them only what is asked.

use std::collections::BTreeSet;

use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::ActionId;
use banneret_runtime::pack::{Action, LogSpec, Past};
use rustc_hash::FxHashMap;

use super::LinkInput;
use super::names::Names;
use super::reloc::{action_id, position};

pub(super) fn log_specs(actions: &mut [Action], pasts: &[Past], parts: &[LinkInput], names: &Names) {
    let mut fields: FxHashMap<ActionId, BTreeSet<u16>> = FxHashMap::default();
    for part in parts {
        let symbols = &part.lowered.symbols;
        for instr in part.lowered.fragments.iter().flat_map(|fragment| &fragment.code) {
            let Instr::LogGet { field, .. } = instr else { continue };
            let Some(field) = symbols.event_fields.get(usize::from(*field)) else { continue };
            for key in &field.actions {
                if let (Some(action), Some(at)) = (action_id(names, key), position(names, key, field)) {
                    fields.entry(action).or_default().insert(at);
                }
            }
        }
    }
    let mut scopes: FxHashMap<ActionId, BTreeSet<Option<ActionId>>> = FxHashMap::default();
    for past in pasts {
        for action in &past.actions {
            scopes.entry(*action).or_default().insert(past.scope);
        }
    }
    for (at, action) in actions.iter_mut().enumerate() {
        let id = ActionId(at as u32);
        action.log = scopes.remove(&id).map(|scopes| LogSpec {
            fields: fields.remove(&id).unwrap_or_default().into_iter().collect(),
            scopes: scopes.into_iter().collect(),
        });
    }
}
