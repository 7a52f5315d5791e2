//! What happens to another instead: "that damage is dealt to this unit instead".

use rustc_hash::FxHashMap;

use super::event::passive_clause;
use super::speaker::Speaker;
use crate::hir::{Block, Expr, ExprKind, Key, Name, Stmt, StmtKind, When};
use crate::words::meaning::is_number;

impl Speaker<'_> {
    /// The event again, by the same doer and with the same amount, but to another. None if the rule does anything else.
    pub fn redirected(&mut self, when: When, actions: &[Key], body: &Block) -> Option<String> {
        let ([action], [Stmt { kind: StmtKind::Expr(call), .. }], When::Instead) = (actions, body.stmts.as_slice(), when) else {
            return None;
        };
        let Expr { kind: ExprKind::Emit { action: again, args, each: None }, .. } = call else { return None };
        if again != action {
            return None;
        }
        let action = self.words.action(action);
        let (mut words, mut amounts, mut changed): (FxHashMap<Name, String>, u32, u32) = Default::default();
        for (n, param) in action.params.iter().enumerate() {
            let same = matches!(args.get(n), Some(Some(Expr { kind: ExprKind::EventField(name), .. })) if *name == param.name);
            let said = match args.get(n).and_then(Option::as_ref) {
                _ if Some(n) == action.by && same => String::new(),
                _ if Some(n) == action.by => return None,
                _ if is_number(&param.ty) && same => {
                    amounts += 1;
                    String::new()
                }
                Some(arg) if !same => {
                    changed += 1;
                    self.value(arg)
                }
                Some(arg) => self.value(arg),
                None => String::new(),
            };
            words.insert(param.name.clone(), said);
        }
        if action.by.is_none() || amounts != 1 || changed == 0 {
            return None;
        }
        let pieces = self.phrase(&action, &words);
        passive_clause(&pieces).map(|(clause, several)| format!("{} {clause}", if several { "those" } else { "that" }))
    }
}
