/**
 * The preview beside the prompt: a page that asks the server what the engine will send.
 *
 * The page is that of `promptls preview --serve`. What it asks is handed on to the server; here is
 * only what a page cannot do in VS Code: place a cursor, save a file, follow what is in front.
 */

import { randomBytes } from 'node:crypto';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Envelope, Front, HostRequests, HostTold, PageTold } from 'promptls-page/messages';
import type { CommandArgument, Location, PromptParams } from 'promptls-page/protocol';
import type { CurrentPrompt } from '../current';
import { selectCase } from '../protocol';
import type { Server } from '../server';

export const viewType = 'promptls.preview';

/** What the page keeps while it is not shown, as far as it concerns us. */
interface PageState {
    uri?: string;
}

/** The requests that are the server's to answer. */
const relayed = new Set(['promptls/preview', 'promptls/size', 'promptls/compare', 'promptls/inputs']);

/** All previews: one that follows what is in front, and those that are pinned to a prompt. */
export class Previews implements vscode.Disposable {
    private readonly panels = new Set<PreviewPanel>();
    private readonly subscriptions: vscode.Disposable[];

    constructor(
        private readonly extension: vscode.Uri,
        private readonly current: CurrentPrompt,
        private readonly server: Server,
    ) {
        const each = (act: (panel: PreviewPanel) => void) => () => this.panels.forEach(act);
        this.subscriptions = [
            current.onDidChange(each((panel) => panel.tellFront())),
            server.onLost(each((panel) => panel.tellLost())),
            server.onReady(each((panel) => panel.tellLost())),
            server.onPreviewChanged((uri) => this.panels.forEach((panel) => panel.tellChanged(uri))),
            vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) =>
                // Typing moves the cursor, too; the text must not jump then.
                this.panels.forEach((panel) => panel.tellCursor(textEditor, kind !== undefined)),
            ),
            vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) =>
                this.panels.forEach((panel) => panel.tellScroll(textEditor)),
            ),
            vscode.window.registerWebviewPanelSerializer(viewType, {
                deserializeWebviewPanel: async (panel, state: PageState | undefined) => {
                    this.fill(panel);
                    if (state?.uri !== undefined) {
                        void current.follow(state.uri);
                    }
                },
            }),
        ];
    }

    /** Opens the preview of the current prompt, or brings it to the front. The focus stays. */
    open(): PreviewPanel {
        const panel = this.shownNow();
        if (panel !== undefined) {
            panel.view.reveal(undefined, true);
            return panel;
        }
        const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
        return this.fill(vscode.window.createWebviewPanel(viewType, 'Prompt Preview', column));
    }

    /** Compares two cases of the current prompt, or a case with the last commit. */
    compare(): void {
        this.open().tell('page/compare', null);
    }

    /** Keeps the preview on its prompt, or lets it follow again. */
    togglePin(): void {
        const all = [...this.panels];
        const panel = all.find((it) => it.view.active) ?? this.shownNow() ?? all.at(-1);
        panel?.tell('page/pin', { pinned: !panel.shows?.pinned });
    }

    dispose(): void {
        this.panels.forEach((panel) => panel.view.dispose());
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    /** The panel that shows the current prompt: the one that follows, or one that is pinned to it. */
    private shownNow(): PreviewPanel | undefined {
        const all = [...this.panels];
        const uri = this.current.prompt?.uri;
        return all.find((it) => it.shows?.uri === uri && it.shows?.pinned) ?? all.find((it) => !it.shows?.pinned);
    }

    private fill(view: vscode.WebviewPanel): PreviewPanel {
        const panel = new PreviewPanel(this.extension, view, this.current, this.server);
        this.panels.add(panel);
        view.onDidDispose(() => {
            this.panels.delete(panel);
            this.tellMenus();
        });
        this.tellMenus();
        return panel;
    }

    private tellMenus(): void {
        void vscode.commands.executeCommand('setContext', 'promptls.hasPreview', this.panels.size > 0);
    }
}

type Answers = { [M in keyof HostRequests]?: (params: HostRequests[M][0]) => Promise<HostRequests[M][1]> };

/** One page. */
class PreviewPanel {
    /** What the page says that it shows. */
    shows: HostTold['page/shows'] | undefined;
    /** Told as soon as the page listens. */
    private waiting: Envelope[] | undefined = [];
    /** Where the editor was scrolled to for the page, which knows. */
    private scrolledTo: number | undefined;

    private readonly answers: Answers = {
        'page/start': async () => {
            // What is told from now on comes behind the answer.
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
    ) {
        const dist = vscode.Uri.joinPath(extension, 'dist');
        view.iconPath = vscode.Uri.joinPath(extension, 'icon.png');
        view.webview.options = { enableScripts: true, localResourceRoots: [dist] };
        view.webview.onDidReceiveMessage((message: Envelope) => void this.received(message));
        view.webview.html = page(view.webview, dist);
    }

    /** Tells the page something. */
    tell<M extends keyof PageTold>(method: M, params: PageTold[M]): void {
        const message = { method, params };
        if (this.waiting !== undefined) {
            this.waiting.push(message);
        } else {
            void this.view.webview.postMessage(message);
        }
    }

    tellFront(): void {
        this.tell('page/front', this.front());
    }

    tellChanged(uri: string): void {
        this.tell('promptls/previewChanged', { textDocument: { uri }, version: null });
    }

    tellLost(): void {
        const message = this.server.client ? null : 'The promptls server is not running. This is the last text.';
        this.tell('page/lost', { message });
    }

    tellCursor(editor: vscode.TextEditor, reveal: boolean): void {
        const uri = editor.document.uri.toString();
        if (uri === this.shows?.uri) {
            const { line, character } = editor.selection.active;
            this.tell('page/cursor', { uri, position: { line, character }, reveal });
        }
    }

    tellScroll(editor: vscode.TextEditor): void {
        const uri = editor.document.uri.toString();
        const line = editor.visibleRanges[0]?.start.line;
        if (uri === this.shows?.uri && line !== undefined && line !== this.scrolledTo) {
            this.tell('page/scroll', { uri, line });
        }
        this.scrolledTo = undefined;
    }

    private listens(): void {
        const waiting = this.waiting ?? [];
        this.waiting = undefined;
        waiting.forEach((message) => void this.view.webview.postMessage(message));
    }

    private front(): Front {
        const { prompt, position } = this.current;
        if (prompt !== undefined) {
            return { uri: prompt.uri, ...(position && { position }) };
        }
        const message = this.server.client
            ? 'Open a prompt to see what will be sent.'
            : 'The promptls server is not running.';
        return { uri: null, message };
    }

    private async received(message: Envelope): Promise<void> {
        if (!('method' in message)) {
            return;
        }
        if (!('id' in message)) {
            this.toldBy(message);
            return;
        }
        const { id, method, params } = message;
        let answer: Envelope;
        try {
            answer = { id, result: await this.answer(method, params) };
        } catch (error) {
            answer = { id, error: { message: (error as Error).message } };
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

    /** Asks about a prompt, which may be in a tab that nobody has looked at yet, or in none. */
    private async askAbout(uri: string, method: string, params: unknown): Promise<unknown> {
        if (!vscode.workspace.textDocuments.some((it) => it.uri.toString() === uri)) {
            await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
        }
        return this.ask(method, params);
    }

    private async ask(method: string, params: unknown): Promise<unknown> {
        if (this.server.client === undefined) {
            throw new Error('the promptls server is not running');
        }
        return this.server.client.sendRequest(method, params);
    }

    private async command(command: string, argument: CommandArgument): Promise<unknown> {
        if (command === selectCase && argument.case !== undefined) {
            // It is remembered for the next session, too.
            return this.current.select(argument.uri, argument.case);
        }
        return this.ask('workspace/executeCommand', { command, arguments: [argument] });
    }

    private toldBy({ method, params }: { method: string; params: unknown }): void {
        if (method === 'page/shows') {
            this.shows = params as HostTold['page/shows'];
            const name = path.posix.basename(vscode.Uri.parse(this.shows.uri).path);
            const task = this.shows.task === null ? '' : `${this.shows.task} · `;
            this.view.title = `${this.shows.pinned ? '[Preview]' : 'Preview'} ${task}${name}`;
            const editor = editorOf(this.shows.uri);
            if (editor !== undefined) {
                this.tellCursor(editor, false);
            }
        } else if (method === 'page/scrolled') {
            const { uri, line } = params as HostTold['page/scrolled'];
            this.scrolledTo = Math.floor(line);
            const top = new vscode.Range(this.scrolledTo, 0, this.scrolledTo, 0);
            editorOf(uri)?.revealRange(top, vscode.TextEditorRevealType.AtTop);
        }
    }
}

function editorOf(uri: string): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find((it) => it.document.uri.toString() === uri);
}

/** Puts the cursor there, in the editor that shows the file already if there is one. */
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

/** The page itself. It runs our script and nothing else, and can load nothing from elsewhere. */
function page(webview: vscode.Webview, dist: vscode.Uri): string {
    const nonce = randomBytes(16).toString('base64url');
    const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
    const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Prompt Preview</title>
<link rel="stylesheet" nonce="${nonce}" href="${uri('page.css')}">
</head>
<body>
<div id="app"></div>
<script nonce="${nonce}" src="${uri('page.js')}"></script>
</body>
</html>`;
}
