//! Every id an instruction holds, by mutable reference. Relocation, checks of ranges and searches are all one closure over this.

use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::*;
use banneret_runtime::pack::Notation;

/// One id, and which table it points into.
pub enum IdMut<'a> {
    Str(&'a mut StrId),
    Const(&'a mut ConstId),
    Kind(&'a mut KindId),
    Field(&'a mut FieldId),
    Card(&'a mut CardId),
    Sym(&'a mut SymId),
    Keyword(&'a mut KeywordId),
    Action(&'a mut ActionId),
    Frag(&'a mut FragId),
    Bundle(&'a mut BundleId),
    Option(&'a mut OptId),
    Fact(&'a mut FactId),
    Choose(&'a mut ChooseId),
    Menu(&'a mut MenuId),
    Grant(&'a mut GrantId),
    Past(&'a mut PastId),
    Site(&'a mut SiteId),
    /// A field of an event. Symbolic code holds an index into [`super::Symbols::event_fields`], linked code the position in the action.
    EventField(&'a mut u16),
}

/// Calls `f` with each id of the instruction. Registers and jump targets are not ids.
pub fn for_each_id(instr: &mut Instr, f: &mut impl FnMut(IdMut)) {
    match instr {
        Instr::Const { k, .. } => f(IdMut::Const(k)),
        Instr::Each { frag, .. } | Instr::Call { frag, .. } => f(IdMut::Frag(frag)),
        Instr::Get { field, .. } | Instr::GetRaw { field, .. } | Instr::Set { field, .. } => f(IdMut::Field(field)),
        Instr::AllOf { kind, .. } | Instr::Parts { kind, .. } | Instr::IsKind { kind, .. } | Instr::Game { kind, .. } => {
            f(IdMut::Kind(kind))
        }
        Instr::PartNamed { name, .. } => f(IdMut::Str(name)),
        Instr::HasKeyword { keyword, .. } | Instr::KeywordNumber { keyword, .. } => f(IdMut::Keyword(keyword)),
        Instr::Option { option, .. } => f(IdMut::Option(option)),
        Instr::Fact { fact, .. } | Instr::ScriptFact { fact, .. } => f(IdMut::Fact(fact)),
        Instr::EvGet { field, .. } | Instr::EvSet { field, .. } | Instr::EvMod { field, .. } | Instr::LogGet { field, .. } => {
            f(IdMut::EventField(field))
        }
        Instr::ScopeGet { action, field, .. } => {
            f(IdMut::Action(action));
            f(IdMut::EventField(field));
        }
        Instr::Emit { action, .. } | Instr::ScopeBegin { action, .. } | Instr::ScopeEnd { action } => f(IdMut::Action(action)),
        Instr::Choose { spec, .. } => f(IdMut::Choose(spec)),
        Instr::Menu { menu, .. } => f(IdMut::Menu(menu)),
        Instr::May { spec, .. } => f(IdMut::Menu(spec)),
        Instr::Grant { spec, .. } => f(IdMut::Grant(spec)),
        Instr::Past { spec, .. } => f(IdMut::Past(spec)),
        Instr::Blame { site, shows, .. } | Instr::Expect { site, shows, .. } => {
            f(IdMut::Site(site));
            if let Notation::Length(name) = shows {
                f(IdMut::Str(name));
            }
        }
        Instr::Measure { site, .. } => f(IdMut::Site(site)),
        Instr::ScriptAnswer { label: Some(label), .. } => f(IdMut::Str(label)),
        Instr::Todo { words } => f(IdMut::Str(words)),
        // Spelled out, so that a new instruction with an id cannot be forgotten here.
        Instr::Int { .. }
        | Instr::Bool { .. }
        | Instr::None { .. }
        | Instr::Move { .. }
        | Instr::Add { .. }
        | Instr::Sub { .. }
        | Instr::Mul { .. }
        | Instr::Div { .. }
        | Instr::DivDown { .. }
        | Instr::DivUp { .. }
        | Instr::DivNearest { .. }
        | Instr::Mod { .. }
        | Instr::Neg { .. }
        | Instr::Not { .. }
        | Instr::Eq { .. }
        | Instr::Lt { .. }
        | Instr::Le { .. }
        | Instr::AddInt { .. }
        | Instr::Jump { .. }
        | Instr::JumpIf { .. }
        | Instr::JumpIfNot { .. }
        | Instr::JumpIfNone { .. }
        | Instr::MakeList { .. }
        | Instr::Push { .. }
        | Instr::Len { .. }
        | Instr::Index { .. }
        | Instr::Contains { .. }
        | Instr::Call1 { .. }
        | Instr::CallN { .. }
        | Instr::Players { .. }
        | Instr::You { .. }
        | Instr::Opponent { .. }
        | Instr::SetYou { .. }
        | Instr::CallCode { .. }
        | Instr::Return { .. }
        | Instr::Proceed
        | Instr::TogetherBegin
        | Instr::TogetherEnd
        | Instr::HeadStep
        | Instr::HeadEnd
        | Instr::Mark
        | Instr::Statement
        | Instr::Need { .. }
        | Instr::Pay { .. }
        | Instr::PayCards { .. }
        | Instr::Roll { .. }
        | Instr::Top { .. }
        | Instr::Probe { .. }
        | Instr::ScriptDice { .. }
        | Instr::ScriptAnswer { label: None, .. } => {}
    }
}
