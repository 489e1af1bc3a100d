/** Writes the current prompt in another dialect, with its inputs and variables. */

import * as vscode from 'vscode';
import { whichPrompt } from '../current-prompt';
import type { CurrentPrompt } from '../current-prompt';
import { dialects } from '../dialects';
import { convertPrompt as convertCommand } from '../server/protocol';
import type { EditedInputs } from '../server/protocol';
import type { Server } from '../server/server';

/** Lets the user choose the dialect. `undefined` if there is no new prompt; then the reason was shown. */
export async function convertPrompt(
    context: vscode.ExtensionContext,
    current: CurrentPrompt,
    server: Server,
): Promise<vscode.Uri | undefined> {
    const { prompt } = current;
    if (prompt === undefined || server.client === undefined) {
        void vscode.window.showInformationMessage('Open a prompt to convert it.');
        return undefined;
    }
    const items = dialects(context).map(({ id, title }) => ({ label: title, description: id }));
    const picked = await vscode.window.showQuickPick(items, {
        title: 'Convert to Another Dialect',
        placeHolder: 'The dialect or engine to convert to',
    });
    if (picked === undefined) {
        return undefined;
    }
    try {
        const { uri } = await server.client.sendRequest<EditedInputs>('workspace/executeCommand', {
            command: convertCommand,
            arguments: [{ ...whichPrompt(prompt), dialect: picked.description }],
        });
        const converted = vscode.Uri.parse(uri);
        await saveBeside(converted);
        return converted;
    } catch (error) {
        void vscode.window.showErrorMessage(`The prompt was not converted: ${(error as Error).message}`);
        return undefined;
    }
}

/** Saves the new prompt and the files created with it: `x.agentle.prompt`, `x.agentle.inputs.json`. */
async function saveBeside(prompt: vscode.Uri): Promise<void> {
    const start = prompt.path.replace(/[^./]*$/, '');
    const isNew = ({ uri }: vscode.TextDocument) => uri.scheme === prompt.scheme && uri.path.startsWith(start);
    for (const document of vscode.workspace.textDocuments.filter(isNew)) {
        await document.save();
    }
}
