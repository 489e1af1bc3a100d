"""User stories in an editor with an independent client, with the capabilities of three editors.

The fake editor of `tests/src` may misinterpret the protocol in the same way as the server; this
client was written by others, from the official types. A story for a feature that the server does
not announce is skipped.
"""

import os
from pathlib import Path

import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

LETTER = "letter.agentle.prompt"
INPUTS = "letter.agentle.inputs.json"

TEXT = "Dear {{customer}},\nabout {{order.number}}:\nyours, {{custmer}}\n"
VALUES = '{\n  "customer": "Ada",\n  "order": { "number": 7 }\n}\n'
MENDED = TEXT.replace("custmer", "customer")

SUPPORT = "support.adk.prompt"

# The refreshes that the server may request from a client.
REFRESHES = ["codeLens", "foldingRange", "inlayHint", "inlineValue", "semanticTokens"]


def server_command():
    command = [os.environ["PROMPTLS_BIN"], "lsp"]
    if folder := os.environ.get("PROMPTLS_RECORD"):
        command = [str(Path(__file__).with_name("record")), f"{folder}/client.jsonl", *command]
    return command


def make_client():
    client = make_test_lsp_client()
    for refreshed in REFRESHES:
        client.feature(f"workspace/{refreshed}/refresh")(lambda *_: None)
    client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(lambda *_: None)
    client.feature("promptls/previewChanged")(lambda *_: None)
    return client


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=server_command(), client_factory=make_client),
    params=["visual-studio-code", "neovim", "emacs"],
)
async def editor(lsp_client: LanguageClient, request, tmp_path):
    for name, text in {LETTER: TEXT, INPUTS: VALUES}.items():
        (tmp_path / name).write_text(text)
    lsp_client.folder = tmp_path
    result = await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=client_capabilities(request.param),
            workspace_folders=[lsp.WorkspaceFolder(uri=tmp_path.as_uri(), name="prompts")],
            initialization_options={"preview": True, "commands": ["promptls.openPreview"]},
        )
    )
    lsp_client.server = result.capabilities
    yield
    await lsp_client.shutdown_session()
    assert lsp_client.error is None
    assert lsp_client._server.returncode == 0


def uri(editor, name=LETTER):
    return (editor.folder / name).as_uri()


def document(editor, name=LETTER):
    return lsp.TextDocumentIdentifier(uri(editor, name))


def open_document(editor, name=LETTER, text=TEXT):
    # As in an editor without support for dialects: the file name contains it.
    item = lsp.TextDocumentItem(uri(editor, name), "prompt", 1, text)
    editor.text_document_did_open(lsp.DidOpenTextDocumentParams(item))


def change(editor, text, version):
    editor.text_document_did_change(
        lsp.DidChangeTextDocumentParams(
            lsp.VersionedTextDocumentIdentifier(version, uri(editor)),
            [lsp.TextDocumentContentChangeWholeDocument(text)],
        )
    )


def place(needle, text=TEXT):
    """The position after the first letter of a text; all texts here are ASCII."""
    before = text[: text.index(needle) + 1]
    return lsp.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)


def piece(text, wanted):
    """The text of a range within one line."""
    assert wanted.start.line == wanted.end.line
    return text.splitlines()[wanted.start.line][wanted.start.character : wanted.end.character]


def edited(text, edits):
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    offset = lambda position: starts[position.line] + position.character
    for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


def edits_by_file(edit):
    """A workspace edit by file name, in either of its two forms."""
    changes = dict(edit.changes or {})
    for change in edit.document_changes or []:
        if isinstance(change, lsp.TextDocumentEdit):
            changes[change.text_document.uri] = change.edits
    return {changed.rsplit("/", 1)[1]: edits for changed, edits in changes.items()}


async def problems(editor, wanted, name=LETTER):
    """Waits for these problems, or pulls them, as both sides have negotiated."""
    pulls = editor.server.diagnostic_provider and editor.capabilities.text_document.diagnostic
    if pulls:
        report = await editor.text_document_diagnostic_async(
            lsp.DocumentDiagnosticParams(document(editor, name))
        )
        assert [problem.message for problem in report.items] == wanted
        return report.items
    while True:
        found = editor.diagnostics.get(uri(editor, name))
        if found is not None and [problem.message for problem in found] == wanted:
            return found
        # It need not be for this file: several lists may have arrived together.
        await editor.wait_for_notification("textDocument/publishDiagnostics")


async def test_a_typo_is_reported_and_goes_away_when_corrected(editor: LanguageClient):
    open_document(editor)
    typo = "`custmer` has no value; did you mean `customer`?"
    [problem] = await problems(editor, [typo])
    assert piece(TEXT, problem.range) == "custmer"
    assert problem.code == "undefined-placeholder"
    assert problem.severity == lsp.DiagnosticSeverity.Error

    change(editor, MENDED, 2)
    await problems(editor, [])


async def test_unsaved_inputs_count_at_once(editor: LanguageClient):
    open_document(editor, text=MENDED)
    await problems(editor, [])
    open_document(editor, INPUTS, VALUES.replace("customer", "client"))
    found = "`customer` has no value"
    await problems(editor, [found, found])


async def test_hover_shows_the_value(editor: LanguageClient):
    open_document(editor)
    hover = await editor.text_document_hover_async(
        lsp.HoverParams(document(editor), place("order.number"))
    )
    assert "7" in hover.contents.value and INPUTS in hover.contents.value
    assert piece(TEXT, hover.range) == "{{order.number}}"


async def test_completion_offers_names_and_members(editor: LanguageClient):
    text = TEXT + "{{or"
    open_document(editor, text=text)
    end = lsp.Position(text.count("\n"), 4)
    answer = await editor.text_document_completion_async(
        lsp.CompletionParams(document(editor), end)
    )
    items = answer if isinstance(answer, list) else answer.items
    [order] = [item for item in items if item.label == "order"]
    # An object has members: with snippets, the cursor stays where a dot can follow.
    is_snippet = order.insert_text_format == lsp.InsertTextFormat.Snippet
    inserted = "{{order$0}}" if is_snippet else "{{order}}"
    assert edited(text, [order.text_edit]).startswith(TEXT + inserted)


async def test_a_name_leads_to_its_value_and_to_its_other_places(editor: LanguageClient):
    open_document(editor)
    at = place("customer")
    found = await editor.text_document_definition_async(
        lsp.DefinitionParams(document(editor), at)
    )
    found = found if isinstance(found, list) else [found]
    assert [getattr(one, "uri", None) or one.target_uri for one in found] == [uri(editor, INPUTS)]

    found = await editor.text_document_references_async(
        lsp.ReferenceParams(lsp.ReferenceContext(True), document(editor), at)
    )
    assert {one.uri for one in found} == {uri(editor), uri(editor, INPUTS)}

    highlights = await editor.text_document_document_highlight_async(
        lsp.DocumentHighlightParams(document(editor), at)
    )
    assert [piece(TEXT, one.range) for one in highlights] == ["customer"]


async def test_rename_changes_the_prompt_and_its_inputs(editor: LanguageClient):
    assert editor.server.rename_provider
    open_document(editor)
    at = place("customer")
    edit = await editor.text_document_rename_async(
        lsp.RenameParams(document(editor), at, "client")
    )
    edits = edits_by_file(edit)
    assert edited(TEXT, edits[LETTER]) == TEXT.replace("customer", "client")
    assert edited(VALUES, edits[INPUTS]) == VALUES.replace("customer", "client")


async def test_a_quick_fix_mends_a_typo(editor: LanguageClient):
    assert editor.server.code_action_provider
    open_document(editor)
    found = await problems(editor, ["`custmer` has no value; did you mean `customer`?"])
    actions = await editor.text_document_code_action_async(
        lsp.CodeActionParams(document(editor), found[0].range, lsp.CodeActionContext(found))
    )
    results = []
    for action in actions:
        if getattr(action, "edit", None) is None and getattr(action, "data", None):
            action = await editor.code_action_resolve_async(action)
        edits = edits_by_file(action.edit) if getattr(action, "edit", None) else {}
        results.append(edited(TEXT, edits.get(LETTER, [])))
    assert MENDED in results


async def test_values_are_shown_beside_names(editor: LanguageClient):
    assert editor.server.inlay_hint_provider
    open_document(editor)
    everything = lsp.Range(lsp.Position(0, 0), lsp.Position(TEXT.count("\n"), 0))
    hints = await editor.text_document_inlay_hint_async(
        lsp.InlayHintParams(document(editor), everything)
    )
    texts = [
        hint.label if isinstance(hint.label, str) else "".join(part.value for part in hint.label)
        for hint in hints
    ]
    assert any("Ada" in text for text in texts)


async def test_names_have_colours(editor: LanguageClient):
    assert editor.server.semantic_tokens_provider
    open_document(editor)
    tokens = await editor.text_document_semantic_tokens_full_async(
        lsp.SemanticTokensParams(document(editor))
    )
    line = character = 0
    found = []
    for index in range(0, len(tokens.data), 5):
        lines, characters, length = tokens.data[index : index + 3]
        line, character = line + lines, characters + (0 if lines else character)
        found.append(TEXT.splitlines()[line][character : character + length])
    assert "customer" in found and "custmer" in found


async def test_a_lens_stands_over_the_prompt(editor: LanguageClient):
    assert editor.server.code_lens_provider
    open_document(editor)
    lenses = await editor.text_document_code_lens_async(lsp.CodeLensParams(document(editor)))
    assert lenses != []
    resolves = getattr(editor.server.code_lens_provider, "resolve_provider", False)
    for lens in lenses:
        if lens.command is None and resolves:
            lens = await editor.code_lens_resolve_async(lens)
        assert lens.command.title != ""


async def test_the_preview_shows_what_is_sent(editor: LanguageClient):
    commands = getattr(editor.server.execute_command_provider, "commands", [])
    assert "promptls.selectCase" in commands
    (editor.folder / SUPPORT).write_text("Dear {name}, {tone?}!")
    (editor.folder / "support.adk.inputs.json").write_text('{"name": "Ada", "tone": "hello"}')
    (editor.folder / "support.adk.short.inputs.json").write_text('{"name": "Bob"}')
    open_document(editor, SUPPORT, "Dear {name}, {tone?}!")

    async def preview():
        params = {"textDocument": {"uri": uri(editor, SUPPORT)}}
        return await editor.protocol.send_request_async("promptls/preview", params)

    assert (await preview()).text == "Dear Ada, hello!"
    # From now on, whatever is awaited meanwhile.
    changed = editor.protocol.wait_for_notification_async("promptls/previewChanged")
    await editor.workspace_execute_command_async(
        lsp.ExecuteCommandParams(
            "promptls.selectCase", [{"uri": uri(editor, SUPPORT), "case": "short"}]
        )
    )
    assert (await changed).textDocument.uri == uri(editor, SUPPORT)
    shown = await preview()
    assert (shown.case, shown.text) == ("short", "Dear Bob, !")
