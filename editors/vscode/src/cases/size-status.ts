/** The tokens of the current prompt in the status bar, with its limit. */

import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { CurrentPrompt } from '../current-prompt';
import { sizeRequest } from '../server/protocol';
import type { Size } from '../server/protocol';
import type { Server } from '../server/server';

/**
 * The delay after the last change before tokens are counted, in milliseconds: counting must not
 * delay the preview.
 */
const pause = 500;

export class SizeStatus implements vscode.Disposable {
    private readonly item: vscode.StatusBarItem;
    private readonly subscriptions: vscode.Disposable[];
    /** The last result, and its prompt. */
    private counted: { uri: string; size: Size } | undefined;
    /** A counter of requests; only the newest waiting one is sent. */
    private latest = 0;

    constructor(
        private readonly current: CurrentPrompt,
        private readonly server: Server,
    ) {
        this.item = vscode.window.createStatusBarItem('promptls.size', vscode.StatusBarAlignment.Right, 99);
        this.item.name = 'Prompt Tokens';
        this.item.command = 'promptls.openPreview';
        this.subscriptions = [
            current.onDidChange(() => void this.count()),
            vscode.window.onDidChangeActiveTextEditor(() => this.show()),
            vscode.window.onDidChangeVisibleTextEditors(() => this.show()),
        ];
    }

    dispose(): void {
        this.item.dispose();
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private async count(): Promise<void> {
        this.show();
        const turn = ++this.latest;
        await setTimeout(pause);
        const { prompt, position } = this.current;
        if (turn !== this.latest || prompt === undefined) {
            return;
        }
        const params = { textDocument: { uri: prompt.uri }, ...(position && { position }) };
        const size = await this.server.client?.sendRequest(sizeRequest, params).catch(() => null);
        if (turn === this.latest) {
            this.counted = size ? { uri: prompt.uri, size } : undefined;
            this.show();
        }
    }

    private show(): void {
        if (this.counted === undefined || this.counted.uri !== this.current.prompt?.uri || !this.current.isInSight()) {
            this.item.hide();
            return;
        }
        const { tokens, maxTokens, encoding } = this.counted.size;
        const number = (count: number) => count.toLocaleString('en');
        const most = maxTokens === null ? '' : ` / ${number(maxTokens)}`;
        const isOver = maxTokens !== null && tokens > maxTokens;
        this.item.text = `$(symbol-number) ${number(tokens)}${most}`;
        this.item.tooltip = `${number(tokens)} tokens (${encoding})${maxTokens === null ? '' : `, of at most ${number(maxTokens)}`}`;
        this.item.backgroundColor = isOver ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
        this.item.accessibilityInformation = { label: `Prompt of ${this.item.tooltip}` };
        this.item.show();
    }
}
