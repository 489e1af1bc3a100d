/** Makes a file a prompt, or a value of data in it, with a rule in promptls.toml. */

import * as path from 'node:path';
import * as vscode from 'vscode';
import { addPrompt } from '../server/protocol';
import type { CommandArgument, EditedInputs } from '../server/protocol';
import type { Server } from '../server/server';
import { pickDialect } from './pick-dialect';

/** The first choice of a dialect, and the start of the value that is the prompt. */
export interface LikelyChoice {
    dialect?: string;
    position?: CommandArgument['position'];
}

/**
 * Lets the user choose the dialect, writes the rule, and leaves the file in front: it has now a prompt. In
 * data, the rule is for the value at `likely.position`, else at the cursor.
 */
export async function treatAsPrompt(
    context: vscode.ExtensionContext,
    server: Server,
    file = vscode.window.activeTextEditor?.document.uri,
    likely: LikelyChoice = {},
): Promise<void> {
    if (file === undefined || server.client === undefined) {
        void vscode.window.showInformationMessage('Open a file to treat it as a prompt.');
        return;
    }
    const dialect = await pickDialect(context, `Treat ${path.posix.basename(file.path)} as a Prompt`, likely.dialect);
    if (dialect === undefined) {
        return;
    }
    const editor = vscode.window.activeTextEditor;
    const { line, character } = editor?.selection.active ?? new vscode.Position(0, 0);
    const cursor = editor?.document.uri.toString() === file.toString() ? { line, character } : undefined;
    const position = likely.position ?? cursor;
    try {
        const { uri } = await server.client.sendRequest<EditedInputs>('workspace/executeCommand', {
            command: addPrompt,
            arguments: [{ uri: file.toString(), dialect: dialect.id, ...(position && { position }) }],
        });
        const rules = vscode.Uri.parse(uri);
        await (await vscode.workspace.openTextDocument(rules)).save();
        if (vscode.window.activeTextEditor?.document.uri.toString() !== file.toString()) {
            await vscode.window.showTextDocument(file);
        }
    } catch (error) {
        void vscode.window.showErrorMessage(`The rule was not written: ${(error as Error).message}`);
    }
}
