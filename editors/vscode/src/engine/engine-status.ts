/** The engine of the current prompt in the status bar. */

import * as vscode from 'vscode';
import type { CurrentPrompt } from '../current-prompt';
import { engineRequest } from '../server/protocol';
import type { PromptEngine } from '../server/protocol';
import type { Server } from '../server/server';

/** Shows the engine of the preview, and those of the project; a click sets one. */
export class EngineStatus implements vscode.Disposable {
    /** The server's last response. */
    engine: PromptEngine | undefined;

    private readonly item: vscode.StatusBarItem;
    private readonly subscriptions: vscode.Disposable[];
    /** The subject of the last request: the prompt and its engine. */
    private about: string | undefined;
    /** A counter of requests; only the response to the newest one is used. */
    private latest = 0;

    constructor(
        private readonly current: CurrentPrompt,
        private readonly server: Server,
    ) {
        this.item = vscode.window.createStatusBarItem('promptls.engine', vscode.StatusBarAlignment.Right, 98);
        this.item.name = 'Prompt Engine';
        this.item.command = 'promptls.pickEngine';
        this.subscriptions = [
            current.onDidChange(() => void this.follow()),
            // A lock file may have changed meanwhile.
            vscode.window.onDidChangeActiveTextEditor(() => void this.request()),
            vscode.window.onDidChangeVisibleTextEditors(() => this.show()),
        ];
    }

    dispose(): void {
        this.item.dispose();
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    /** Requests the engine after a change of the prompt or its engine; not for each key press. */
    private async follow(): Promise<void> {
        const { prompt } = this.current;
        const about = JSON.stringify([prompt?.uri, prompt?.engine]);
        if (about === this.about) {
            this.show();
            return;
        }
        this.about = about;
        await this.request();
    }

    private async request(): Promise<void> {
        this.show();
        const turn = ++this.latest;
        const { prompt, position } = this.current;
        if (prompt === undefined || !this.current.isInSight()) {
            return;
        }
        const params = { textDocument: { uri: prompt.uri }, ...(position && { position }) };
        const engine = await this.server.client?.sendRequest(engineRequest, params).catch(() => null);
        if (turn === this.latest) {
            this.engine = engine ?? undefined;
            this.show();
        }
    }

    private show(): void {
        const { engine } = this;
        // For a dialect without known engines, nothing is shown.
        const isThere = engine !== undefined && engine.uri === this.current.prompt?.uri && engine.choices.length > 0;
        if (!isThere || !this.current.isInSight()) {
            this.item.hide();
            return;
        }
        this.item.text = `$(server-process) ${engine.label}`;
        this.item.tooltip = `${engine.about} Click to set the engine in promptls.toml.`;
        this.item.accessibilityInformation = { label: `Prompt engine: ${engine.label}` };
        this.item.show();
    }
}
