/** Searches for prompts in a folder without rules. */

import * as vscode from 'vscode';
import { findProgram } from './server/program';
import { casesRequest } from './server/protocol';
import type { Server } from './server/server';

/** The maximum number of files that are checked to find a prompt. */
const mostTried = 200;

/**
 * Runs `promptls init` for a folder in a terminal, where it confirms before it writes. Returns an
 * existing prompt afterwards, one with inputs if possible.
 */
export async function findPrompts(context: vscode.ExtensionContext, server: Server): Promise<vscode.Uri | undefined> {
    const folders = vscode.workspace.workspaceFolders?.filter((it) => it.uri.scheme === 'file') ?? [];
    const found = await findProgram(context);
    if (folders.length === 0 || 'missing' in found) {
        const message = 'missing' in found ? found.missing : 'Open a folder to search it for prompts.';
        void vscode.window.showInformationMessage(message);
        return undefined;
    }
    const folder = folders.length === 1 ? folders[0] : await pickFolder(folders);
    if (folder === undefined) {
        return undefined;
    }
    // The terminal of a task stays when its program ends, so that its output can be read.
    const task = new vscode.Task(
        { type: 'process' },
        folder,
        'init',
        'promptls',
        new vscode.ProcessExecution(found.program, ['init'], { cwd: folder.uri.fsPath }),
    );
    task.presentationOptions = { focus: true, echo: false };
    const ended = taskEnded(await vscode.tasks.executeTask(task));
    return (await ended) === 0 ? firstPrompt(folder, server) : undefined;
}

async function pickFolder(folders: vscode.WorkspaceFolder[]): Promise<vscode.WorkspaceFolder | undefined> {
    const items = folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder }));
    return (await vscode.window.showQuickPick(items, { placeHolder: 'The folder to search for prompts' }))?.folder;
}

/** The exit code of a task. */
function taskEnded(execution: vscode.TaskExecution): Promise<number | undefined> {
    return new Promise((resolve) => {
        const listener = vscode.tasks.onDidEndTaskProcess((ended) => {
            if (ended.execution === execution) {
                listener.dispose();
                resolve(ended.exitCode);
            }
        });
    });
}

/** A prompt of a folder, by the current rules. */
async function firstPrompt(folder: vscode.WorkspaceFolder, server: Server): Promise<vscode.Uri | undefined> {
    const pattern = new vscode.RelativePattern(folder, '**/*.{prompt,md,txt,tmpl}');
    const files = await vscode.workspace.findFiles(pattern, '**/{node_modules,.git}/**', mostTried);
    let first: vscode.Uri | undefined;
    for (const file of files.sort((a, b) => a.path.localeCompare(b.path))) {
        // The server reports only open documents.
        await vscode.workspace.openTextDocument(file);
        const params = { textDocument: { uri: file.toString() } };
        const prompt = await server.client?.sendRequest(casesRequest, params).catch(() => null);
        if (prompt && prompt.cases.length > 0) {
            return file;
        }
        first ??= prompt ? file : undefined;
    }
    return first;
}
