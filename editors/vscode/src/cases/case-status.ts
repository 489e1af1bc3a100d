/** The case of the current prompt in the status bar. */

import * as vscode from 'vscode';
import type { CurrentPrompt } from '../current-prompt';
import { counted, counts } from './problem-counts';

/** Shows the case and its problems while the user is in a prompt or its inputs. */
export class CaseStatus implements vscode.Disposable {
    private readonly item: vscode.StatusBarItem;
    private readonly subscriptions: vscode.Disposable[];

    constructor(private readonly current: CurrentPrompt) {
        this.item = vscode.window.createStatusBarItem('promptls.case', vscode.StatusBarAlignment.Right, 100);
        this.item.name = 'Prompt Case';
        this.item.command = 'promptls.pickCase';
        this.subscriptions = [
            current.onDidChange(() => this.show()),
            vscode.window.onDidChangeActiveTextEditor(() => this.show()),
            vscode.window.onDidChangeVisibleTextEditors(() => this.show()),
        ];
    }

    dispose(): void {
        this.item.dispose();
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private show(): void {
        const { prompt } = this.current;
        if (prompt === undefined || !this.current.isInSight()) {
            this.item.hide();
            return;
        }
        const shown = prompt.cases.find((it) => it.name === prompt.case);
        this.item.text = shown ? `$(beaker) ${shown.name}${counts(shown, ' ')}` : '$(beaker) No inputs';
        this.item.tooltip = shown
            ? `Prompt case “${shown.name}”: ${counted(shown)}. Click to select another.`
            : 'This prompt has no inputs. Click to create the inputs file.';
        this.item.accessibilityInformation = {
            label: shown ? `Prompt case ${shown.name}, ${counted(shown)}` : 'Prompt without inputs',
        };
        this.item.show();
    }
}
