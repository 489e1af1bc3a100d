/** The preview beside the prompt: a page that shows what the engine will send. */

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Range } from 'vscode-languageclient';
import type { CurrentPrompt } from '../current';
import type { Preview } from '../protocol';
import type { Server } from '../server';
import type { FromPage, PageState, Shown, ToPage } from './messages';

export const viewType = 'promptls.preview';

/** How much of the text is shown, in UTF-16 units: more would make typing feel slow. */
const mostText = 400_000;

/** Shows the current prompt. There is one panel, as for Markdown. */
export class PreviewPanel implements vscode.Disposable {
    private panel: vscode.WebviewPanel | undefined;
    private readonly subscriptions: vscode.Disposable[];

    constructor(
        private readonly extension: vscode.Uri,
        private readonly current: CurrentPrompt,
        private readonly server: Server,
    ) {
        current.isWatched = () => this.panel?.visible ?? false;
        this.subscriptions = [
            current.onDidChange(() => this.show()),
            vscode.window.onDidChangeTextEditorSelection((event) => {
                if (current.is(event.textEditor.document)) {
                    // Typing moves the cursor, too; the text must not jump then.
                    this.showCursor(event.kind !== undefined);
                }
            }),
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

    /** Opens it, or brings it to the front, and leaves the focus where it is. */
    open(): void {
        if (this.panel !== undefined) {
            this.panel.reveal(undefined, true);
            return;
        }
        const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
        this.fill(vscode.window.createWebviewPanel(viewType, 'Prompt Preview', column));
    }

    dispose(): void {
        this.panel?.dispose();
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private fill(panel: vscode.WebviewPanel): void {
        this.panel?.dispose();
        this.panel = panel;
        const dist = vscode.Uri.joinPath(this.extension, 'dist');
        panel.iconPath = vscode.Uri.joinPath(this.extension, 'icon.png');
        panel.webview.options = { enableScripts: true, localResourceRoots: [dist] };
        panel.webview.onDidReceiveMessage((message: FromPage) => this.received(message));
        panel.onDidChangeViewState(() => this.show());
        panel.onDidDispose(() => {
            if (this.panel === panel) {
                this.panel = undefined;
            }
        });
        panel.webview.html = page(panel.webview, dist);
    }

    private post(message: ToPage): void {
        void this.panel?.webview.postMessage(message);
    }

    private show(): void {
        if (this.panel === undefined || !this.panel.visible) {
            return;
        }
        const { preview } = this.current;
        if (preview === undefined) {
            const message = this.server.client
                ? 'Open a prompt to see what will be sent.'
                : 'The promptls server is not running.';
            this.post({ type: 'nothing', message });
            return;
        }
        const name = vscode.Uri.parse(preview.uri).path.split('/').pop();
        this.panel.title = `Preview ${preview.task ? `${preview.task} · ` : ''}${name}`;
        const note = this.server.client ? preview.stale : 'The server is not running. This is the last text.';
        this.post({ type: 'show', preview: shown(preview, note) });
        this.showCursor(false);
    }

    private showCursor(reveal: boolean): void {
        const editor = vscode.window.visibleTextEditors.find((it) => this.current.is(it.document));
        const active = editor?.selection.active;
        const position = active ? { line: active.line, character: active.character } : null;
        this.post({ type: 'cursor', position, reveal });
    }

    private received(message: FromPage): void {
        const { preview } = this.current;
        switch (message.type) {
            case 'ready':
                this.show();
                break;
            case 'source':
                if (preview !== undefined) {
                    void reveal(preview.uri, message.range);
                }
                break;
            case 'value':
                void reveal(message.location.uri, message.location.range);
                break;
            case 'case':
                if (preview !== undefined) {
                    void this.current.select(preview.uri, message.name);
                }
                break;
            case 'createInputs':
                void vscode.commands.executeCommand('promptls.newInputs');
                break;
        }
    }
}

/** Puts the cursor there, in the editor that shows the file already if there is one. */
async function reveal(uri: string, { start, end }: Range): Promise<void> {
    const open = vscode.window.visibleTextEditors.find((it) => it.document.uri.toString() === uri);
    await vscode.window.showTextDocument(vscode.Uri.parse(uri), {
        viewColumn: open?.viewColumn ?? vscode.ViewColumn.One,
        selection: new vscode.Range(start.line, start.character, end.line, end.character),
    });
}

/** What the page needs of a preview. */
function shown(preview: Preview, note: string | null): Shown {
    const isCut = preview.text.length > mostText;
    const map = isCut ? preview.map.filter(({ output: [, end] }) => end <= mostText) : preview.map;
    const end = isCut ? (map.at(-1)?.output[1] ?? 0) : preview.text.length;
    const uris = map.flatMap((run) => run.value?.uri ?? []).concat(preview.cases.map((it) => it.uri));
    const name = (uri: string) => vscode.Uri.parse(uri).path.split('/').pop() ?? uri;
    return {
        ...preview,
        text: preview.text.slice(0, end),
        map,
        isCut,
        note,
        files: Object.fromEntries([...new Set(uris)].map((uri) => [uri, name(uri)])),
    };
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
<header id="bar" hidden>
<select id="case" aria-label="Case"></select>
<button id="create" type="button" hidden>Create Inputs</button>
<span id="origins"></span>
<span id="stats"></span>
</header>
<div id="error" role="status" hidden></div>
<div id="note" role="status" hidden></div>
<main id="text" tabindex="0" aria-label="Resolved prompt"></main>
<script nonce="${nonce}" src="${uri('page.js')}"></script>
</body>
</html>`;
}
