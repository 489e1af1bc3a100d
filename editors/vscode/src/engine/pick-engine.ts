/** Sets the engine of the current prompt, with a rule in promptls.toml. */

import * as vscode from 'vscode';
import { whichPrompt } from '../current-prompt';
import type { CurrentPrompt } from '../current-prompt';
import { engineRequest, nameEngine } from '../server/protocol';
import type { EditedInputs } from '../server/protocol';
import type { Server } from '../server/server';

/** Lets the user choose the engine, those used by the project first, and writes the rule. */
export async function pickEngine(current: CurrentPrompt, server: Server): Promise<void> {
    const { prompt, position } = current;
    const { client } = server;
    if (prompt === undefined || client === undefined) {
        void vscode.window.showInformationMessage('Open a prompt to set its engine.');
        return;
    }
    try {
        const params = { textDocument: { uri: prompt.uri }, ...(position && { position }) };
        const answer = await client.sendRequest(engineRequest, params);
        if (answer === null) {
            return;
        }
        if (answer.namedBy === 'language') {
            void vscode.window.showInformationMessage(answer.about);
            return;
        }
        // Without a version, an engine is the newest one.
        const isNamed = (engine: string) =>
            answer.engines.some((named) => engine === named || engine.startsWith(`${named}@`));
        const choices: (vscode.QuickPickItem & { engine?: string })[] = answer.choices.map(
            ({ engine, title, reason }) => ({
                label: title,
                description: [engine, isNamed(engine) ? 'current' : ''].filter(Boolean).join('  '),
                engine,
                ...(reason !== undefined && { detail: reason }),
            }),
        );
        choices.push({ label: 'None in the Rule', description: 'the engine of the project, else as documented' });
        const picked = await vscode.window.showQuickPick(choices, {
            title: 'Engine of This Prompt',
            placeHolder: 'The engine that sends it, for promptls.toml',
        });
        if (picked === undefined) {
            return;
        }
        const { uri } = await client.sendRequest<EditedInputs>('workspace/executeCommand', {
            command: nameEngine,
            arguments: [{ ...whichPrompt(prompt), engine: picked.engine }],
        });
        await (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri))).save();
    } catch (error) {
        void vscode.window.showErrorMessage(`The engine was not set: ${(error as Error).message}`);
    }
}
