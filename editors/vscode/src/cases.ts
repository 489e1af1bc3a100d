/** The case of the current prompt: in the status bar, to pick, and to create. */

import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { CurrentPrompt } from './current';
import { createInputs as createInputsCommand } from './protocol';
import type { Case, CreatedInputs } from './protocol';
import type { Server } from './server';

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
        // While a panel has the focus, no editor is active; the prompt may still be beside it.
        const active = vscode.window.activeTextEditor;
        const seen = active ? [active] : vscode.window.visibleTextEditors;
        if (prompt === undefined || !seen.some(({ document }) => this.current.belongs(document))) {
            this.item.hide();
            return;
        }
        const shown = prompt.cases.find((it) => it.name === prompt.case);
        this.item.text = shown ? `$(beaker) ${shown.name}${counts(shown, ' ')}` : '$(beaker) No inputs';
        this.item.tooltip = shown
            ? `Prompt case “${shown.name}”: ${counted(shown)}. Click to select another.`
            : 'This prompt has no inputs. Click to create them.';
        this.item.accessibilityInformation = {
            label: shown ? `Prompt case ${shown.name}, ${counted(shown)}` : 'Prompt without inputs',
        };
        this.item.show();
    }
}

/** Lets the user pick one of the prompt's cases, or create one. */
export async function pickCase(current: CurrentPrompt, server: Server): Promise<void> {
    const { prompt } = current;
    if (prompt === undefined) {
        void vscode.window.showInformationMessage('Open a prompt to select its case.');
        return;
    }
    if (prompt.cases.length === 0) {
        await createInputs(current, server);
        return;
    }
    const items: (vscode.QuickPickItem & { case?: string })[] = prompt.cases.map((it) => ({
        label: it.name,
        description: [it.name === prompt.case ? 'current' : '', counts(it)].filter(Boolean).join('  '),
        case: it.name,
    }));
    items.push(
        { label: '', kind: vscode.QuickPickItemKind.Separator },
        { label: '$(add) New Case…', alwaysShow: true },
    );
    const picker = vscode.window.createQuickPick<(typeof items)[number]>();
    picker.placeholder = 'Case to show values and the preview in';
    picker.items = items;
    picker.activeItems = items.filter((item) => item.case === prompt.case);
    const picked = await new Promise<(typeof items)[number] | undefined>((resolve) => {
        picker.onDidAccept(() => resolve(picker.selectedItems[0]));
        picker.onDidHide(() => resolve(undefined));
        picker.show();
    });
    picker.dispose();
    if (picked?.case !== undefined) {
        await current.select(prompt.uri, picked.case);
    } else if (picked !== undefined) {
        await createInputs(current, server);
    }
}

/** Creates an inputs file for the prompt and opens it. A further case starts with the values of the selected one. */
export async function createInputs(current: CurrentPrompt, server: Server): Promise<void> {
    const { prompt } = current;
    if (prompt === undefined || server.client === undefined) {
        void vscode.window.showInformationMessage('Open a prompt to create its inputs.');
        return;
    }
    // The first inputs are the default case; only further ones need a name.
    let name: string | undefined;
    if (prompt.cases.length > 0) {
        const taken = new Set(prompt.cases.map((it) => it.name));
        name = await vscode.window.showInputBox({
            prompt: `Name of the new case; it starts with the values of ${prompt.case}`,
            placeHolder: 'angry-customer',
            validateInput: (text) => refuse(text, taken),
        });
        if (name === undefined) {
            return;
        }
    }
    const beside = vscode.window.visibleTextEditors.find((it) => current.is(it.document));
    try {
        const { uri, position } = await server.client.sendRequest<CreatedInputs>('workspace/executeCommand', {
            command: createInputsCommand,
            arguments: [{ uri: prompt.uri, ...(name && { case: name, from: prompt.case }) }],
        });
        const file = vscode.Uri.parse(uri);
        await created(file);
        const first = position ? new vscode.Position(position.line, position.character) : undefined;
        const editor = await vscode.window.showTextDocument(file, {
            viewColumn: beside?.viewColumn,
            ...(first && { selection: new vscode.Range(first, first) }),
        });
        await editor.document.save();
        await current.select(prompt.uri, name ?? 'default');
    } catch (error) {
        void vscode.window.showErrorMessage(`No inputs were created: ${(error as Error).message}`);
    }
}

/** Waits for a file that the server has asked VS Code to create. */
async function created(file: vscode.Uri): Promise<void> {
    const seconds = 5;
    for (let tries = 0; tries < seconds * 20; tries++) {
        try {
            await vscode.workspace.fs.stat(file);
            return;
        } catch {
            await setTimeout(50);
        }
    }
    throw new Error(`${file.fsPath} did not appear`);
}

/** Why a name cannot be that of a new case: it becomes part of a file name. */
function refuse(name: string, taken: Set<string>): string | undefined {
    if (taken.has(name)) {
        return `There is a case ${name} already`;
    }
    return /^[\p{L}\p{N}_-]+$/u.test(name) ? undefined : 'Use letters, digits, - and _';
}

/** The problems of a case as icons and numbers; nothing if there are none. */
function counts({ errors, warnings }: Case, before = ''): string {
    const parts = [errors && `$(error) ${errors}`, warnings && `$(warning) ${warnings}`].filter(Boolean);
    return parts.length > 0 ? before + parts.join(' ') : '';
}

/** The problems of a case in words: “2 errors, 1 warning”. */
function counted({ errors, warnings }: Case): string {
    const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
    const parts = [errors && plural(errors, 'error'), warnings && plural(warnings, 'warning')];
    return parts.filter(Boolean).join(', ') || 'no problems';
}
