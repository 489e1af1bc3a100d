/** Looking for prompts in a folder that has no rules yet. */

import * as vscode from 'vscode';
import { findProgram } from './server/program';

/** Lets `promptls init` look through the folder, in a terminal, where it asks before it writes. */
export async function findPrompts(context: vscode.ExtensionContext): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.find((it) => it.uri.scheme === 'file');
    const found = await findProgram(context);
    if (folder === undefined || 'missing' in found) {
        const message = 'missing' in found ? found.missing : 'Open a folder to look for prompts in it.';
        void vscode.window.showInformationMessage(message);
        return;
    }
    // A task's terminal stays when its program ends, so that its last words can be read.
    const task = new vscode.Task(
        { type: 'process' },
        folder,
        'init',
        'promptls',
        new vscode.ProcessExecution(found.program, ['init'], { cwd: folder.uri.fsPath }),
    );
    task.presentationOptions = { focus: true, echo: false };
    await vscode.tasks.executeTask(task);
}
