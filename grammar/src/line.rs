//! Where a line stands.

use crate::ast::Line;
use crate::span::Span;

impl Line {
    /// All of it.
    pub fn span(&self) -> Span {
        match self {
            Line::Field { span, .. }
            | Line::Entry { span, .. }
            | Line::Let { span, .. }
            | Line::Assign { span, .. }
            | Line::Modifier { span, .. }
            | Line::Bound { span, .. }
            | Line::If { span, .. }
            | Line::For { span, .. }
            | Line::Repeat { span, .. }
            | Line::Need { span, .. }
            | Line::Menu { span, .. }
            | Line::May { span, .. }
            | Line::Do { span, .. }
            | Line::Alternate { span, .. }
            | Line::Pass { span }
            | Line::Proceed { span }
            | Line::Together { span, .. }
            | Line::Todo { span, .. }
            | Line::Phase { span, .. }
            | Line::Table { span, .. }
            | Line::Grant { span, .. }
            | Line::Cannot { span, .. }
            | Line::Once { span, .. }
            | Line::Says { span, .. }
            | Line::Given { span, .. }
            | Line::Expect { span, .. }
            | Line::Region { span, .. }
            | Line::Broken { span } => *span,
            Line::Part(c) => c.span,
            Line::State(f) => f.span,
            Line::Choose(c) => c.span,
            Line::Handler(h) => h.span,
            Line::Expr(e) => e.span,
        }
    }
}
