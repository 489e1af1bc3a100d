/**
 * Edits that the server requests.
 *
 * VS Code opens a tab for each file that it changes. Editing a value in the preview must not open
 * one, so a closed file is written to disk, and the server is notified. An open file is edited in
 * its editor, to be saved and undone as usual.
 */

import * as vscode from 'vscode';
import { ApplyWorkspaceEditRequest, CreateFile, FileChangeType, TextDocument, TextDocumentEdit, TextEdit } from 'vscode-languageclient/node';
import type { ApplyWorkspaceEditResult, LanguageClient, WorkspaceEdit } from 'vscode-languageclient/node';
import { isThere } from '../files';
import { TypedWords } from './typed-words';

type Change = NonNullable<WorkspaceEdit['documentChanges']>[number];

/** Handles these requests for a client that is not started yet. */
export function takeEdits(client: LanguageClient): void {
    const words = new TypedWords();
    client.onRequest(ApplyWorkspaceEditRequest.type, ({ edit }) => {
        const changes = edit.documentChanges ?? [];
        return changes.length > 0 && changes.every(isOfClosedFile) ? write(client, changes) : change(client, edit, words);
    });
}

/** Whether a change is for a local file, existing or new, without an editor. */
function isOfClosedFile(change: Change): change is TextDocumentEdit | CreateFile {
    if (!TextDocumentEdit.is(change) && !CreateFile.is(change)) {
        return false;
    }
    const uri = vscode.Uri.parse('uri' in change ? change.uri : change.textDocument.uri);
    return uri.scheme === 'file' && documentAt(uri) === undefined;
}

function documentAt(uri: vscode.Uri): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri.toString());
}

async function write(client: LanguageClient, changes: (TextDocumentEdit | CreateFile)[]): Promise<ApplyWorkspaceEditResult> {
    const texts = new Map<string, string>();
    for (const change of changes) {
        if (CreateFile.is(change)) {
            if (await isThere(vscode.Uri.parse(change.uri))) {
                return { applied: false, failureReason: `${change.uri} exists already` };
            }
            texts.set(change.uri, '');
            continue;
        }
        const { uri } = change.textDocument;
        const before = texts.get(uri) ?? (await read(vscode.Uri.parse(uri)));
        texts.set(uri, TextDocument.applyEdits(TextDocument.create(uri, '', 0, before), change.edits.filter(TextEdit.is)));
    }
    for (const [uri, text] of texts) {
        await vscode.workspace.fs.writeFile(vscode.Uri.parse(uri), new TextEncoder().encode(text));
    }
    // The client's own watcher reports them later, too late for the next edit.
    const events = [...texts.keys()].map((uri) => ({ uri, type: FileChangeType.Changed }));
    await client.sendNotification('workspace/didChangeWatchedFiles', { changes: events });
    return { applied: true };
}

/** The text of a file. A byte order mark counts as a character, as in the server. */
async function read(uri: vscode.Uri): Promise<string> {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await vscode.workspace.fs.readFile(uri));
}

/** Changes open documents, unless their version has changed. */
async function change(client: LanguageClient, edit: WorkspaceEdit, words: TypedWords): Promise<ApplyWorkspaceEditResult> {
    const isOld = (change: Change) => {
        if (!TextDocumentEdit.is(change) || change.textDocument.version === null) {
            return false;
        }
        const document = documentAt(vscode.Uri.parse(change.textDocument.uri));
        return document !== undefined && document.version !== change.textDocument.version;
    };
    if (edit.documentChanges?.some(isOld)) {
        return { applied: false, failureReason: 'the text has changed' };
    }
    const seen = inSeenEditor(edit);
    if (seen !== undefined) {
        const { range, newText } = seen.edit;
        return { applied: await words.replace(seen.editor, client.protocol2CodeConverter.asRange(range), newText) };
    }
    return { applied: await vscode.workspace.applyEdit(await client.protocol2CodeConverter.asWorkspaceEdit(edit)) };
}

/** The only edit, if it is in a visible editor. */
function inSeenEditor({ documentChanges = [] }: WorkspaceEdit): { editor: vscode.TextEditor; edit: TextEdit } | undefined {
    const [change, ...otherChanges] = documentChanges;
    if (!TextDocumentEdit.is(change) || otherChanges.length > 0) {
        return undefined;
    }
    const [edit, ...otherEdits] = change.edits;
    const uri = vscode.Uri.parse(change.textDocument.uri).toString();
    const editor = vscode.window.visibleTextEditors.find((it) => it.document.uri.toString() === uri);
    const isOnly = TextEdit.is(edit) && otherEdits.length === 0;
    return editor !== undefined && isOnly ? { editor, edit } : undefined;
}
