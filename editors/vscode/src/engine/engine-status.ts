/** The engine of the current prompt in the status bar. */

import * as vscode from 'vscode';
import type { CurrentPrompt } from '../current-prompt';
import { engineRequest } from '../server/protocol';
import type { PromptEngine } from '../server/protocol';
import type { Server } from '../server/server';

/** Says which engine the preview is of, and what the project uses; a click names one. */
export class EngineStatus implements vscode.Disposable {
    /** What the server said last. */
    engine: PromptEngine | undefined;

    private readonly item: vscode.StatusBarItem;
    private readonly subscriptions: vscode.Disposable[];
    /** What was asked about: the prompt, and the engine that it had. */
    private about: string | undefined;
    /** Of questions that wait, the last one counts. */
    private asked = 0;

    constructor(
        private readonly current: CurrentPrompt,
        private readonly server: Server,
    ) {
        this.item = vscode.window.createStatusBarItem('promptls.engine', vscode.StatusBarAlignment.Right, 98);
        this.item.name = 'Prompt Engine';
        this.item.command = 'promptls.pickEngine';
        this.subscriptions = [
            current.onDidChange(() => void this.follow()),
            // Meanwhile a lock file may have become another.
            vscode.window.onDidChangeActiveTextEditor(() => void this.ask()),
            vscode.window.onDidChangeVisibleTextEditors(() => this.show()),
        ];
    }

    dispose(): void {
        this.item.dispose();
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    /** Asks again if another prompt or another engine is there; not for each key that is typed. */
    private async follow(): Promise<void> {
        const { prompt } = this.current;
        const about = JSON.stringify([prompt?.uri, prompt?.engine]);
        if (about === this.about) {
            this.show();
            return;
        }
        this.about = about;
        await this.ask();
    }

    private async ask(): Promise<void> {
        this.show();
        const turn = ++this.asked;
        const { prompt, position } = this.current;
        if (prompt === undefined || !this.current.isInSight()) {
            return;
        }
        const params = { textDocument: { uri: prompt.uri }, ...(position && { position }) };
        const engine = await this.server.client?.sendRequest(engineRequest, params).catch(() => null);
        if (turn === this.asked) {
            this.engine = engine ?? undefined;
            this.show();
        }
    }

    private show(): void {
        const { engine } = this;
        // Of a dialect whose engines nobody knows, there is nothing to say.
        const isThere = engine !== undefined && engine.uri === this.current.prompt?.uri && engine.choices.length > 0;
        if (!isThere || !this.current.isInSight()) {
            this.item.hide();
            return;
        }
        this.item.text = `$(server-process) ${engine.label}`;
        this.item.tooltip = `${engine.about} Click to name the engine in promptls.toml.`;
        this.item.accessibilityInformation = { label: `Prompt engine: ${engine.label}` };
        this.item.show();
    }
}
