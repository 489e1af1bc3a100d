/**
 * The prompt that the user edits, with its cases.
 *
 * The status bar and every preview that is not pinned show this one. It changes when another prompt
 * comes to the front; it stays while the user is in its inputs, or in any other file. An inputs file
 * that comes to the front selects its case.
 */

import { setImmediate, setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Position } from 'vscode-languageclient';
import { casesRequest, selectCase } from './server/protocol';
import type { CommandArgument, PromptCases, PromptParams } from './server/protocol';
import type { Server } from './server/server';

/** The delay between two requests, in milliseconds: counts may lag behind the keys. */
const betweenRequests = 300;

/** The key under which selected cases are stored between sessions. */
const casesKey = 'cases';

/** The fields that identify a prompt, also among several of its file. */
type WhichPrompt = Pick<CommandArgument, 'uri' | 'task'>;

/** The fields of a command that identify a prompt. */
export function whichPrompt({ uri, task }: WhichPrompt): WhichPrompt {
    return { uri, ...(task !== undefined && { task }) };
}

/** The key of a prompt in the selected cases. */
function keyOf({ uri, task }: WhichPrompt): string {
    return task === undefined ? uri : `${uri}#${task}`;
}

export class CurrentPrompt implements vscode.Disposable {
    /** The last description from the server; `undefined` before there is one. */
    prompt: PromptCases | undefined;
    /** The last position of the cursor in the prompt, which selects one in a pack. */
    position: Position | undefined;
    /** The name of the prompt whose inputs came to the front, until the cursor is in its file. */
    private task: string | undefined;

    private readonly changed = new vscode.EventEmitter<void>();
    readonly onDidChange = this.changed.event;

    /** The next current prompt, if the server confirms that it is one. */
    private candidate: string | undefined;
    /** The position of a code lens, which selects a prompt once instead of the cursor. */
    private clicked: { uri: string; position: Position } | undefined;
    /**
     * The documents to request: requests are coalesced, so that one is pending at a time, for the
     * newest state.
     */
    private readonly pending = new Set<string>();
    private updating: Promise<void> | undefined;
    private lastRequest = 0;
    /** The cases sent to this server, by prompt. */
    private readonly sentCases = new Map<string, string>();
    private readonly subscriptions: vscode.Disposable[];

    constructor(
        private readonly server: Server,
        private readonly context: vscode.ExtensionContext,
        private readonly log: vscode.LogOutputChannel,
    ) {
        this.subscriptions = [
            vscode.window.onDidChangeActiveTextEditor((editor) => this.consider(editor?.document)),
            // Also occurs when the language of a document changes.
            vscode.workspace.onDidOpenTextDocument((document) => {
                if (document === vscode.window.activeTextEditor?.document) {
                    this.consider(document);
                }
            }),
            vscode.window.onDidChangeTextEditorSelection(({ textEditor: { document } }) => {
                if (this.is(document) && this.prompt?.task !== undefined) {
                    void this.update(document.uri.toString());
                }
            }),
            server.onPreviewChanged((uri) => {
                const front = vscode.window.activeTextEditor?.document;
                if (uri === this.prompt?.uri) {
                    void this.update(uri);
                } else if (uri === front?.uri.toString()) {
                    // A new rule may have made it a prompt.
                    this.consider(front);
                }
            }),
            server.onReady(() => {
                this.sentCases.clear();
                this.consider(vscode.window.activeTextEditor?.document);
                if (this.prompt !== undefined) {
                    void this.update(this.prompt.uri);
                }
            }),
        ];
    }

    /** The parameters of requests about it. */
    get params(): PromptParams | undefined {
        return this.prompt && { textDocument: { uri: this.prompt.uri }, ...this.which };
    }

    /** What distinguishes it from other prompts of its file. */
    private get which(): Pick<PromptParams, 'position' | 'task'> {
        const { position, task } = this;
        return { ...(position && { position }), ...(task !== undefined && { task }) };
    }

    /** Whether this document is the prompt. */
    is(document: vscode.TextDocument | undefined): boolean {
        return document !== undefined && document.uri.toString() === this.prompt?.uri;
    }

    /** Whether this document is the prompt, or the inputs of one of its cases. */
    belongs(document: vscode.TextDocument | undefined): boolean {
        const uri = document?.uri.toString();
        return this.is(document) || (this.prompt?.cases.some((it) => it.uri === uri) ?? false);
    }

    /** Whether the prompt or its inputs are in front, or next to a panel with the focus. */
    isInSight(): boolean {
        const active = vscode.window.activeTextEditor;
        const seen = active ? [active] : vscode.window.visibleTextEditors;
        return seen.some(({ document }) => this.belongs(document));
    }

    /** Makes a document the current prompt, if it is one: the prompt at `position`, else at the cursor. */
    follow(uri: string, position?: Position): Promise<void> {
        this.candidate = uri;
        this.clicked = position && { uri, position };
        return this.update(uri);
    }

    /** Selects the case of a prompt, here and in the server. */
    async select(prompt: WhichPrompt, name: string): Promise<void> {
        await this.context.workspaceState.update(casesKey, { ...this.selected(), [keyOf(prompt)]: name });
        await this.sendCase(prompt, name);
        await this.update(prompt.uri);
    }

    dispose(): void {
        this.changed.dispose();
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private consider(document: vscode.TextDocument | undefined): void {
        if (document === undefined || this.is(document)) {
            return;
        }
        const uri = document.uri.toString();
        const { prompt } = this;
        const own = prompt?.cases.find((it) => it.uri === uri);
        if (prompt === undefined || own === undefined) {
            void this.follow(uri);
        } else if (own.name !== prompt.case) {
            void this.select(whichPrompt(prompt), own.name);
        }
    }

    /** The cases that the user selected, by prompt. */
    private selected(): Record<string, string> {
        return this.context.workspaceState.get(casesKey, {});
    }

    /**
     * Sends the selected case to the server if that shows another one, because it was restarted or
     * has just found the case. It is sent once: a rejected case would be rejected again.
     */
    private async reselect(prompt: PromptCases): Promise<void> {
        const key = keyOf(prompt);
        const chosen = this.selected()[key];
        const isThere = prompt.cases.some((it) => it.name === chosen);
        if (chosen !== undefined && chosen !== prompt.case && isThere && this.sentCases.get(key) !== chosen) {
            await this.sendCase(prompt, chosen);
            void this.update(prompt.uri);
        }
    }

    private async sendCase(prompt: WhichPrompt, name: string): Promise<void> {
        this.sentCases.set(keyOf(prompt), name);
        try {
            await this.server.client?.sendRequest('workspace/executeCommand', {
                command: selectCase,
                arguments: [{ ...whichPrompt(prompt), case: name }],
            });
        } catch (error) {
            this.log.warn(`the case ${name} of ${keyOf(prompt)} cannot be selected: ${String(error)}`);
        }
    }

    /** Requests a document, now or after the pending response. */
    private update(uri: string): Promise<void> {
        this.pending.add(uri);
        this.updating ??= this.updatePending().finally(() => {
            this.updating = undefined;
        });
        return this.updating;
    }

    private async updatePending(): Promise<void> {
        // VS Code may report a document to the extension before the client, and so before the
        // server.
        await setImmediate();
        for (const uri of this.pending) {
            this.pending.delete(uri);
            if (uri === this.prompt?.uri) {
                await setTimeout(this.lastRequest + betweenRequests - Date.now());
            }
            this.lastRequest = Date.now();
            const prompt = await this.describe(uri);
            if (prompt !== undefined) {
                this.take(uri, prompt);
            }
        }
    }

    /** `null` for other documents, `undefined` if there is no response. */
    private async describe(uri: string): Promise<PromptCases | null | undefined> {
        const { clicked } = this;
        if (clicked?.uri === uri) {
            this.clicked = undefined;
            this.position = clicked.position;
            return this.request(uri, { position: clicked.position });
        }
        const front = vscode.window.activeTextEditor;
        if (front?.document.uri.toString() === uri) {
            const { line, character } = front.selection.active;
            const position = { line, character };
            const prompt = await this.request(uri, { position });
            if (prompt) {
                // The server answers for an inputs file with its prompt.
                const isInputs = prompt.uri !== uri;
                this.position = isInputs ? undefined : position;
                this.task = isInputs ? prompt.task : undefined;
                return prompt;
            }
        }
        // Between the prompts of a pack, the last one stays.
        return this.request(uri, uri === this.prompt?.uri ? this.which : {});
    }

    private async request(
        uri: string,
        which: Pick<PromptParams, 'position' | 'task'>,
    ): Promise<PromptCases | null | undefined> {
        try {
            const params = { textDocument: { uri }, ...which };
            return await this.server.client?.sendRequest(casesRequest, params);
        } catch (error) {
            this.log.debug(`no answer about ${uri}: ${String(error)}`);
            return undefined;
        }
    }

    private take(uri: string, prompt: PromptCases | null): void {
        if (uri === this.prompt?.uri) {
            this.prompt = prompt ?? undefined;
            this.changed.fire();
        } else if (uri === this.candidate && prompt !== null) {
            this.prompt = prompt;
            this.changed.fire();
        }
        if (prompt === null) {
            return;
        }
        if (prompt.uri !== uri && prompt.case !== null && prompt === this.prompt) {
            void this.select(whichPrompt(prompt), prompt.case);
        } else {
            void this.reselect(prompt);
        }
    }
}
