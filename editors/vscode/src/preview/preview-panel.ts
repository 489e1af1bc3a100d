/**
 * A preview next to the prompt: the host of a page that requests the resolved text from the server.
 *
 * The page is that of `promptls preview --serve`. Its requests are forwarded to the server. This
 * file contains only what a page cannot do in VS Code: move a cursor, save a file, follow the
 * editor in front.
 */

import * as path from 'node:path';
import type { FrontPrompt, HostNotifications, HostRequests, JsonRpcMessage, PageNotifications } from 'promptls-page/messages';
import type { CommandArgument, Location, PreviewAnswer, PromptParams } from 'promptls-page/protocol';
import * as vscode from 'vscode';
import type { CurrentPrompt } from '../current-prompt';
import { selectCase } from '../server/protocol';
import type { Server } from '../server/server';
import { Ahead } from './ahead';
import { webviewHtml } from './webview-html';

/** The requests that the server handles. */
const relayed = new Set(['promptls/size', 'promptls/compare', 'promptls/inputs']);

type Answers = { [M in keyof HostRequests]?: (params: HostRequests[M][0]) => Promise<HostRequests[M][1]> };

export class PreviewPanel {
    /** The prompt that the page reports as shown. */
    shows: HostNotifications['page/shows'] | undefined;
    /** Notifications for a page that is not ready yet. */
    private waiting: JsonRpcMessage[] | undefined = [];
    /** The line to which the page has scrolled the editor, so it needs no notification. */
    private scrolledTo: number | undefined;

    private readonly ahead = new Ahead(
        (params) => this.askAbout(params.textDocument.uri, 'promptls/preview', params) as Promise<PreviewAnswer | null>,
        (params, answer) => this.notify('page/preview', { params, answer }),
        (uri) => this.notify('promptls/previewChanged', { textDocument: { uri }, version: null }),
    );

    private readonly answers: Answers = {
        'promptls/preview': async (params) => {
            const answer = (await this.askAbout(params.textDocument.uri, 'promptls/preview', params)) as PreviewAnswer | null;
            this.ahead.answered(params, answer);
            return answer;
        },
        'page/start': async () => {
            // Notifications come after the response.
            setImmediate(() => this.listens());
            const can = { reveal: true, follow: true, edit: true, save: false, saveAs: true };
            return { front: this.front(), can };
        },
        'page/reveal': async (location) => {
            await reveal(location);
            return null;
        },
        'page/saveAs': async ({ name, text }) => {
            await saveAs(name, text, this.shows?.uri);
            return null;
        },
        'workspace/executeCommand': async ({ command, arguments: [argument] }) => {
            if (!command.startsWith('promptls.')) {
                throw new Error(`the page has no use for ${command}`);
            }
            return this.command(command, argument);
        },
    };

    constructor(
        extension: vscode.Uri,
        readonly view: vscode.WebviewPanel,
        private readonly current: CurrentPrompt,
        private readonly server: Server,
        private readonly showsOther: () => void,
    ) {
        const dist = vscode.Uri.joinPath(extension, 'dist');
        view.iconPath = vscode.Uri.joinPath(extension, 'icon.png');
        view.webview.options = { enableScripts: true, localResourceRoots: [dist] };
        view.webview.onDidReceiveMessage((message: JsonRpcMessage) => void this.received(message));
        view.onDidDispose(() => this.ahead.dispose());
        view.webview.html = webviewHtml(view.webview, dist);
    }

    /** Sends the page a notification. */
    notify<M extends keyof PageNotifications>(method: M, params: PageNotifications[M]): void {
        const message = { jsonrpc: '2.0' as const, method, params };
        if (this.waiting !== undefined) {
            this.waiting.push(message);
        } else {
            void this.view.webview.postMessage(message);
        }
    }

    tellFront(): void {
        this.notify('page/front', this.front());
    }

    /** Handles a change of a document, which may be the prompt. */
    tellTyped(uri: string): void {
        if (this.view.visible) {
            this.ahead.typed(uri);
        }
    }

    tellChanged(uri: string): void {
        if (this.view.visible) {
            this.ahead.changed(uri);
        } else {
            this.notify('promptls/previewChanged', { textDocument: { uri }, version: null });
        }
    }

    tellLost(): void {
        const message = this.server.client ? null : 'The promptls server is not running. This is the last valid text.';
        this.notify('page/lost', { message });
    }

    tellCursor(editor: vscode.TextEditor, reveal: boolean): void {
        const uri = editor.document.uri.toString();
        if (uri === this.shows?.uri) {
            const { line, character } = editor.selection.active;
            this.notify('page/cursor', { uri, position: { line, character }, reveal });
        }
    }

    sendScroll(editor: vscode.TextEditor): void {
        const uri = editor.document.uri.toString();
        const line = editor.visibleRanges[0]?.start.line;
        if (uri === this.shows?.uri && line !== undefined && line !== this.scrolledTo) {
            this.notify('page/scroll', { uri, line });
        }
        this.scrolledTo = undefined;
    }

    private listens(): void {
        const waiting = this.waiting ?? [];
        this.waiting = undefined;
        waiting.forEach((message) => void this.view.webview.postMessage(message));
    }

    private front(): FrontPrompt {
        const { prompt, position } = this.current;
        if (prompt !== undefined) {
            // In a pack, the position selects the prompt; otherwise it would be a change for each
            // key press.
            const isOneOfSeveral = prompt.task !== undefined;
            return { uri: prompt.uri, ...(isOneOfSeveral && position && { position }) };
        }
        const message = this.server.client
            ? 'Open a prompt to see its resolved text.'
            : 'The promptls server is not running.';
        return { uri: null, message };
    }

    private async received(message: JsonRpcMessage): Promise<void> {
        if (!('method' in message)) {
            return;
        }
        if (!('id' in message)) {
            this.notified(message);
            return;
        }
        const { id, method, params } = message;
        let answer: JsonRpcMessage;
        try {
            answer = { jsonrpc: '2.0', id, result: await this.answer(method, params) };
        } catch (error) {
            answer = { jsonrpc: '2.0', id, error: { message: (error as Error).message } };
        }
        void this.view.webview.postMessage(answer);
    }

    private answer(method: string, params: unknown): Promise<unknown> {
        if (relayed.has(method)) {
            return this.askAbout((params as PromptParams).textDocument.uri, method, params);
        }
        const answer = this.answers[method as keyof Answers] as ((params: unknown) => Promise<unknown>) | undefined;
        return answer?.(params) ?? Promise.reject(new Error(`there is no request ${method}`));
    }

    /** Sends a request about a prompt, whose tab may not have been shown yet, or which has none. */
    private async askAbout(uri: string, method: string, params: unknown): Promise<unknown> {
        if (!vscode.workspace.textDocuments.some((it) => it.uri.toString() === uri)) {
            await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
        }
        return this.request(method, params);
    }

    private async request(method: string, params: unknown): Promise<unknown> {
        if (this.server.client === undefined) {
            throw new Error('the promptls server is not running');
        }
        return this.server.client.sendRequest(method, params);
    }

    private async command(command: string, argument: CommandArgument): Promise<unknown> {
        if (command === selectCase && argument.case !== undefined) {
            // The selection is also stored for the next session. The page may send a position.
            const { prompt } = this.current;
            const task = argument.task ?? (prompt?.uri === argument.uri ? prompt.task : undefined);
            return this.current.select({ uri: argument.uri, ...(task !== undefined && { task }) }, argument.case);
        }
        return this.request('workspace/executeCommand', { command, arguments: [argument] });
    }

    private notified({ method, params }: { method: string; params: unknown }): void {
        if (method === 'page/shows') {
            this.shows = params as HostNotifications['page/shows'];
            this.showsOther();
            const name = path.posix.basename(vscode.Uri.parse(this.shows.uri).path);
            const task = this.shows.task === null ? '' : `${this.shows.task} · `;
            this.view.title = `${this.shows.pinned ? '[Preview]' : 'Preview'} ${task}${name}`;
            const editor = editorOf(this.shows.uri);
            if (editor !== undefined) {
                this.tellCursor(editor, false);
            }
        } else if (method === 'page/scrolled') {
            const { uri, line } = params as HostNotifications['page/scrolled'];
            this.scrolledTo = Math.floor(line);
            const top = new vscode.Range(this.scrolledTo, 0, this.scrolledTo, 0);
            editorOf(uri)?.revealRange(top, vscode.TextEditorRevealType.AtTop);
        }
    }
}

function editorOf(uri: string): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find((it) => it.document.uri.toString() === uri);
}

/** Moves the cursor there, in an editor that already shows the file if there is one. */
async function reveal({ uri, range: { start, end } }: Location): Promise<void> {
    await vscode.window.showTextDocument(vscode.Uri.parse(uri), {
        viewColumn: editorOf(uri)?.viewColumn ?? vscode.ViewColumn.One,
        selection: new vscode.Range(start.line, start.character, end.line, end.character),
    });
}

async function saveAs(name: string, text: string, beside: string | undefined): Promise<void> {
    const folder = beside ? vscode.Uri.joinPath(vscode.Uri.parse(beside), '..') : undefined;
    const file = await vscode.window.showSaveDialog({
        ...(folder?.scheme === 'file' && { defaultUri: vscode.Uri.joinPath(folder, name) }),
        title: 'Save Resolved Text',
    });
    if (file !== undefined) {
        await vscode.workspace.fs.writeFile(file, Buffer.from(text, 'utf8'));
    }
}
