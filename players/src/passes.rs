//! Which lines of menus give up: those that hold nothing but `pass`.

use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::SiteId;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::question::{Answer, Ask, Question};
use rustc_hash::FxHashSet;

#[derive(Debug, Default)]
pub struct Passes(FxHashSet<(SiteId, String)>);

impl Passes {
    pub fn of(pack: &Loaded) -> Passes {
        let mut found = FxHashSet::default();
        for fragment in &pack.fragments {
            for instr in &fragment.code {
                let Instr::Menu { menu, .. } = instr else { continue };
                let Some(menu) = pack.menus.get(menu.index()) else { continue };
                let ends = menu.lines.iter().skip(1).copied().chain([menu.none]);
                for ((start, end), label) in menu.lines.iter().zip(ends).zip(&menu.labels) {
                    let line = fragment.code.get(*start as usize..end as usize).unwrap_or_default();
                    if !line.is_empty() && line.iter().all(only_leads_on) {
                        found.insert((menu.site, pack.text(*label).to_owned()));
                    }
                }
            }
        }
        Passes(found)
    }

    pub fn is_pass(&self, question: &Question, answer: &Answer) -> bool {
        let (Ask::Menu { labels }, Answer::Picks(picks), Some(site)) = (&question.ask, answer, question.site) else {
            return false;
        };
        let label = picks.first().and_then(|i| labels.get(*i as usize));
        label.is_some_and(|label| self.0.contains(&(site, label.clone())))
    }
}

/// It changes nothing, asks nothing and calls nothing.
fn only_leads_on(instr: &Instr) -> bool {
    use Instr as I;
    matches!(
        instr,
        I::Mark
            | I::HeadStep
            | I::HeadEnd
            | I::Jump { .. }
            | I::Bool { .. }
            | I::Int { .. }
            | I::None { .. }
            | I::Move { .. }
            | I::Return { .. }
    )
}
