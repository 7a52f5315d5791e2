"""Sessions with a client that nobody here wrote, on the repository's own content: one for every capability the server announces."""

import os
import pathlib

import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

HOUSE = pathlib.Path(__file__).resolve().parents[2]
ROOT = HOUSE / "content" / "worlds_collide"
UNITS = ROOT / "kiln" / "units.banner"
CASE = ROOT / "kiln" / "case.banner"


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[os.environ["BANNERET"], "lsp"]))
async def client(lsp_client: LanguageClient):
    # the server asks it to watch files
    @lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
    def register(params: lsp.RegistrationParams):
        return None

    await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"),
            workspace_folders=[lsp.WorkspaceFolder(uri=ROOT.as_uri(), name="content")],
        )
    )
    yield
    await lsp_client.shutdown_session()


def opened(client, path=UNITS, text=None):
    text = path.read_text() if text is None else text
    item = lsp.TextDocumentItem(uri=path.as_uri(), language_id="banneret", version=1, text=text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))
    return text


def place(text, piece, into=0):
    before = text[: text.index(piece) + into]
    return lsp.Position(line=before.count("\n"), character=len(before) - (before.rfind("\n") + 1))


def document(path=UNITS):
    return lsp.TextDocumentIdentifier(uri=path.as_uri())


def whole():
    return lsp.Range(start=lsp.Position(line=0, character=0), end=lsp.Position(line=9999, character=0))


async def test_diagnostics_of_unsaved_texts(client):
    text = opened(client)
    change = lsp.TextDocumentContentChangeWholeDocument(text=text.replace("health: 16", "health: 0"))
    version = lsp.VersionedTextDocumentIdentifier(uri=UNITS.as_uri(), version=2)
    client.text_document_did_change(lsp.DidChangeTextDocumentParams(text_document=version, content_changes=[change]))
    report = await client.text_document_diagnostic_async(lsp.DocumentDiagnosticParams(text_document=document()))
    assert [d.code for d in report.items] == ["out-of-range"]
    everything = await client.workspace_diagnostic_async(lsp.WorkspaceDiagnosticParams(previous_result_ids=[]))
    assert len(everything.items) > 5


async def test_completion(client):
    text = "unit Fresh of KilnPilgrims {\n  po"
    opened(client, CASE, text)
    offer = await client.text_document_completion_async(
        lsp.CompletionParams(text_document=document(CASE), position=place(text, "  po", 4))
    )
    assert offer.items[0].label == "points"


async def test_hover_and_signature(client):
    text = opened(client)
    hover = await client.text_document_hover_async(lsp.HoverParams(text_document=document(), position=place(text, "health: 16", 2)))
    assert "health: Int 1.." in hover.contents.value
    case = "tactic X of KilnPilgrims {\n  knack: 4+\n  effect { deal 3 to "
    opened(client, CASE, case)
    help = await client.text_document_signature_help_async(
        lsp.SignatureHelpParams(text_document=document(CASE), position=place(case, "3 to ", 5))
    )
    assert help.signatures[0].label.startswith("deal AMOUNT to")


async def test_hints_and_colours(client):
    text = "tactic X of KilnPilgrims {\n  knack: 4+\n  effect { heal (roll 2d6) to activated }\n}\n"
    opened(client, CASE, text)
    hints = await client.text_document_inlay_hint_async(lsp.InlayHintParams(text_document=document(CASE), range=whole()))
    assert any("7" in h.label for h in hints)
    full = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(text_document=document(CASE)))
    part = await client.text_document_semantic_tokens_range_async(
        lsp.SemanticTokensRangeParams(text_document=document(CASE), range=whole())
    )
    assert full.data and full.data == part.data


async def test_structure(client):
    text = opened(client)
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(text_document=document()))
    assert "MotherBisque" in [s.name for s in symbols]
    found = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query="mthrbsq"))
    assert found[0].name == "MotherBisque"
    assert await client.text_document_folding_range_async(lsp.FoldingRangeParams(text_document=document()))
    ranges = await client.text_document_selection_range_async(
        lsp.SelectionRangeParams(text_document=document(), positions=[place(text, "heal 4", 1)])
    )
    assert ranges[0].parent.parent is not None
    links = await client.text_document_document_link_async(lsp.DocumentLinkParams(text_document=document()))
    assert any("/art/" in link.target for link in links)


async def test_moving(client):
    text = opened(client)
    at = place(text, "unit MotherBisque", 7)
    kind = await client.text_document_type_definition_async(lsp.TypeDefinitionParams(text_document=document(), position=at))
    assert "stdlib/worlds_collide" in kind.uri
    faction = await client.text_document_definition_async(
        lsp.DefinitionParams(text_document=document(), position=place(text, "of KilnPilgrims", 5))
    )
    assert faction.uri.endswith("kiln/faction.banner")
    heirs = await client.text_document_implementation_async(
        lsp.ImplementationParams(text_document=document(), position=place(text, "unit Pilgrim", 6))
    )
    assert len(heirs) > 5
    context = lsp.ReferenceContext(include_declaration=False)
    uses = await client.text_document_references_async(lsp.ReferenceParams(text_document=document(), position=at, context=context))
    assert {u.uri.rsplit("/", 1)[1] for u in uses} >= {"roster.banner", "tests.banner"}
    marks = await client.text_document_document_highlight_async(lsp.DocumentHighlightParams(text_document=document(), position=at))
    assert marks


async def test_changing(client):
    text = opened(client)
    at = place(text, "unit MotherBisque", 7)
    prepared = await client.text_document_prepare_rename_async(lsp.PrepareRenameParams(text_document=document(), position=at))
    assert prepared.placeholder == "MotherBisque"
    edit = await client.text_document_rename_async(lsp.RenameParams(text_document=document(), position=at, new_name="Bisque"))
    assert len(edit.changes) >= 3
    options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
    untidy = "tactic X of KilnPilgrims {\n  knack:4+\n  effect { heel 1 to activated }\n}\n"
    opened(client, CASE, untidy)
    edits = await client.text_document_formatting_async(lsp.DocumentFormattingParams(text_document=document(CASE), options=options))
    assert [e.new_text for e in edits] == ["  knack: 4+\n"]
    edits = await client.text_document_range_formatting_async(
        lsp.DocumentRangeFormattingParams(text_document=document(CASE), range=whole(), options=options)
    )
    assert [e.new_text for e in edits] == ["  knack: 4+\n"]
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(text_document=document(CASE), range=whole(), context=lsp.CodeActionContext(diagnostics=[]))
    )
    assert {a.kind for a in actions} >= {"quickfix", "source.fixAll"}
    whole_mend = next(a for a in actions if a.kind == "source.fixAll")
    mended = await client.code_action_resolve_async(whole_mend)
    assert "heal 1 to activated" in str(mended.edit)


async def test_keeping_up(client):
    text = opened(client)
    at = place(text, "health: 16", len("health: "))
    end = lsp.Position(line=at.line, character=at.character + 2)
    version = lsp.VersionedTextDocumentIdentifier(uri=UNITS.as_uri(), version=2)
    change = lsp.TextDocumentContentChangePartial(range=lsp.Range(start=at, end=end), text="0")
    client.text_document_did_change(lsp.DidChangeTextDocumentParams(text_document=version, content_changes=[change]))
    client.text_document_did_save(lsp.DidSaveTextDocumentParams(text_document=document()))
    report = await client.text_document_diagnostic_async(lsp.DocumentDiagnosticParams(text_document=document()))
    assert [d.code for d in report.items] == ["out-of-range"]
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(text_document=document()))
    report = await client.text_document_diagnostic_async(lsp.DocumentDiagnosticParams(text_document=document()))
    assert not report.items


async def test_another_folder(client):
    other = lsp.WorkspaceFolder(uri=(HOUSE / "content" / "one_card").as_uri(), name="one card")
    assert not await client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query="Beekeeper"))
    event = lsp.WorkspaceFoldersChangeEvent(added=[other], removed=[])
    client.workspace_did_change_workspace_folders(lsp.DidChangeWorkspaceFoldersParams(event=event))
    found = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query="Beekeeper"))
    assert [s.name for s in found] == ["Beekeeper"]
