/**
 * The prompt that the user works on, and what the server last said of it.
 *
 * The preview and the status bar both show this. It changes when another prompt comes to the
 * front; it stays while the user is in its inputs, or anywhere else.
 */

import { setImmediate, setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Position } from 'vscode-languageclient';
import { previewChanged, previewRequest, selectCaseCommand } from './protocol';
import type { Preview } from './protocol';
import type { Server } from './server';

/** How long to wait between two questions while nobody looks at the text, in milliseconds. */
const calm = 300;

/** Where the cases that were selected are kept between sessions. */
const casesKey = 'cases';

export class CurrentPrompt implements vscode.Disposable {
    /** The prompt as it was last resolved; `undefined` before there is one. */
    preview: Preview | undefined;
    /** Whether somebody looks at the resolved text, so that it should follow each keystroke. */
    isWatched: () => boolean = () => false;

    private readonly changed = new vscode.EventEmitter<void>();
    readonly onDidChange = this.changed.event;

    /** What is to become the current prompt, if the server says that it is one. */
    private candidate: string | undefined;
    /** The documents to ask about. There is one question at a time, and the newest state counts. */
    private readonly pending = new Set<string>();
    private asking: Promise<void> | undefined;
    private lastAsked = 0;
    /** Where the cursor was when there last was a prompt. */
    private place: { uri: string; position: Position } | undefined;
    /** The cases that this server was told of, by prompt. */
    private readonly told = new Map<string, string>();
    private readonly subscriptions: vscode.Disposable[];

    constructor(
        private readonly server: Server,
        private readonly context: vscode.ExtensionContext,
        private readonly log: vscode.LogOutputChannel,
    ) {
        this.subscriptions = [
            vscode.window.onDidChangeActiveTextEditor((editor) => this.consider(editor?.document)),
            // Also when a document gets another language.
            vscode.workspace.onDidOpenTextDocument((document) => {
                if (document === vscode.window.activeTextEditor?.document) {
                    this.consider(document);
                }
            }),
            vscode.window.onDidChangeTextEditorSelection(({ textEditor: { document } }) => {
                // The cursor says which prompt of a pack is meant.
                if (this.is(document) && document.uri.path.endsWith('.pack.json')) {
                    void this.ask(document.uri.toString());
                }
            }),
            server.onReady((client) => {
                client.onNotification(previewChanged, ({ textDocument: { uri } }) => {
                    const front = vscode.window.activeTextEditor?.document;
                    if (uri === this.preview?.uri) {
                        void this.ask(uri);
                    } else if (uri === front?.uri.toString()) {
                        // A rule may just have made a prompt of it.
                        this.consider(front);
                    }
                });
                this.told.clear();
                this.consider(vscode.window.activeTextEditor?.document);
                if (this.preview !== undefined) {
                    void this.ask(this.preview.uri);
                }
            }),
            server.onLost(() => this.changed.fire()),
        ];
    }

    /** Whether this document is the prompt. */
    is(document: vscode.TextDocument | undefined): boolean {
        return document !== undefined && document.uri.toString() === this.preview?.uri;
    }

    /** Whether this document is the prompt, or the inputs of one of its cases. */
    belongs(document: vscode.TextDocument | undefined): boolean {
        const uri = document?.uri.toString();
        return this.is(document) || (this.preview?.cases.some((it) => it.uri === uri) ?? false);
    }

    /** Makes a document the current prompt, if it is one. */
    follow(uri: string): Promise<void> {
        this.candidate = uri;
        return this.ask(uri);
    }

    /** Shows a prompt in another case, here and wherever the server shows values. */
    async select(uri: string, name: string): Promise<void> {
        await this.context.workspaceState.update(casesKey, { ...this.selected(), [uri]: name });
        await this.tellServer(uri, name);
        await this.ask(uri);
    }

    dispose(): void {
        this.changed.dispose();
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private consider(document: vscode.TextDocument | undefined): void {
        if (document !== undefined && !this.belongs(document)) {
            void this.follow(document.uri.toString());
        }
    }

    /** The cases that the user selected, by prompt. */
    private selected(): Record<string, string> {
        return this.context.workspaceState.get(casesKey, {});
    }

    /**
     * Tells the server which case was selected if it shows another one: it is new, or has just
     * found the case. It is told once: what it refuses, it would refuse again.
     */
    private async reselect({ uri, case: shown, cases }: Preview): Promise<void> {
        const wanted = this.selected()[uri];
        const isThere = cases.some((it) => it.name === wanted);
        if (wanted !== undefined && wanted !== shown && isThere && this.told.get(uri) !== wanted) {
            await this.tellServer(uri, wanted);
            void this.ask(uri);
        }
    }

    private async tellServer(uri: string, name: string): Promise<void> {
        this.told.set(uri, name);
        try {
            await this.server.client?.sendRequest('workspace/executeCommand', {
                command: selectCaseCommand,
                arguments: [{ uri, case: name }],
            });
        } catch (error) {
            this.log.warn(`the case ${name} of ${uri} cannot be selected: ${String(error)}`);
        }
    }

    /** Asks about a document, now or as soon as the question under way is answered. */
    private ask(uri: string): Promise<void> {
        this.pending.add(uri);
        this.asking ??= this.askPending().finally(() => {
            this.asking = undefined;
        });
        return this.asking;
    }

    private async askPending(): Promise<void> {
        // VS Code may tell us of a document before it tells the client, and so the server.
        await setImmediate();
        for (const uri of this.pending) {
            this.pending.delete(uri);
            if (!this.isWatched()) {
                await setTimeout(this.lastAsked + calm - Date.now());
            }
            this.lastAsked = Date.now();
            const preview = await this.resolve(uri);
            if (preview !== undefined) {
                this.take(uri, preview);
            }
        }
    }

    /** `null` for what is no prompt, `undefined` if there is no answer. */
    private async resolve(uri: string): Promise<Preview | null | undefined> {
        const front = vscode.window.activeTextEditor;
        if (front?.document.uri.toString() === uri) {
            const { line, character } = front.selection.active;
            const preview = await this.request(uri, { line, character });
            if (preview) {
                this.place = { uri, position: { line, character } };
                return preview;
            }
        }
        // Between the prompts of a pack, the last one stays.
        return this.request(uri, this.place?.uri === uri ? this.place.position : undefined);
    }

    private async request(uri: string, position?: Position): Promise<Preview | null | undefined> {
        try {
            const params = { textDocument: { uri }, ...(position && { position }) };
            return await this.server.client?.sendRequest(previewRequest, params);
        } catch (error) {
            this.log.debug(`no preview of ${uri}: ${String(error)}`);
            return undefined;
        }
    }

    private take(uri: string, preview: Preview | null): void {
        if (uri === this.preview?.uri) {
            this.preview = preview ?? undefined;
            this.changed.fire();
        } else if (uri === this.candidate && preview !== null) {
            this.preview = preview;
            this.changed.fire();
        }
        if (preview !== null) {
            void this.reselect(preview);
        }
    }
}
