/** The commands that select a case of the current prompt, and create one. */

import * as vscode from 'vscode';
import { whichPrompt } from '../current-prompt';
import type { CurrentPrompt } from '../current-prompt';
import { createInputs as createInputsCommand } from '../server/protocol';
import type { EditedInputs } from '../server/protocol';
import type { Server } from '../server/server';
import { counts } from './problem-counts';

/** The server's name for the case without a name in its file. */
const defaultCase = 'default';

/** Lets the user select one of the prompt's cases, or create one. */
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
        await current.select(prompt, picked.case);
    } else if (picked !== undefined) {
        await createInputs(current, server);
    }
}

/** Lets the user name the new case, even if it is the first. */
export function newCase(current: CurrentPrompt, server: Server): Promise<void> {
    return createInputs(current, server, { alwaysNamed: true });
}

/**
 * Creates an inputs file for the prompt and opens it. A further case needs a name, and starts with
 * the values of the selected one. The first is the default case unless `alwaysNamed` is set.
 */
export async function createInputs(current: CurrentPrompt, server: Server, { alwaysNamed = false } = {}): Promise<void> {
    const { prompt } = current;
    if (prompt === undefined || server.client === undefined) {
        void vscode.window.showInformationMessage('Open a prompt to create its inputs file.');
        return;
    }
    const isFirst = prompt.cases.length === 0;
    let name: string | undefined = defaultCase;
    if (alwaysNamed || !isFirst) {
        const taken = new Set(prompt.cases.map((it) => it.name));
        const values = isFirst ? 'it contains all names that the prompt reads' : `it starts with the values of ${prompt.case}`;
        name = await vscode.window.showInputBox({
            prompt: `Name of the new case; ${values}`,
            placeHolder: 'angry-customer',
            ...(isFirst && { value: defaultCase }),
            validateInput: (text) => refuse(text, taken),
        });
    }
    if (name === undefined) {
        return;
    }
    const beside = vscode.window.visibleTextEditors.find((it) => current.is(it.document));
    try {
        const { uri, position } = await server.client.sendRequest<EditedInputs>('workspace/executeCommand', {
            command: createInputsCommand,
            arguments: [{ ...whichPrompt(prompt), case: name, ...(!isFirst && { from: prompt.case }) }],
        });
        const file = vscode.Uri.parse(uri);
        const first = position ? new vscode.Position(position.line, position.character) : undefined;
        const editor = await vscode.window.showTextDocument(file, {
            viewColumn: beside?.viewColumn,
            ...(first && { selection: new vscode.Range(first, first) }),
        });
        await editor.document.save();
        await current.select(prompt, name);
    } catch (error) {
        void vscode.window.showErrorMessage(`The inputs file was not created: ${(error as Error).message}`);
    }
}

/** Why a name is not valid for a new case: it becomes part of a file name. */
function refuse(name: string, taken: Set<string>): string | undefined {
    if (taken.has(name)) {
        return `Case ${name} already exists`;
    }
    return /^[\p{L}\p{N}_-]+$/u.test(name) ? undefined : 'Use letters, digits, - and _';
}
