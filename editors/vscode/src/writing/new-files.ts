/** Files that quick fixes create are saved: else an empty file stays behind, with its text in a tab that nobody opened. */

import * as vscode from 'vscode';
import { isThere } from '../files';
import type { Server } from '../server/server';

const saveCommand = 'promptls.saveNewFiles';

export function saveNewFiles(server: Server): vscode.Disposable {
    server.middleware.resolveCodeAction = async (action, token, next) => {
        const resolved = (await next(action, token)) ?? action;
        const files = resolved.edit?.entries().map(([uri]) => uri) ?? [];
        const isNew = await Promise.all(files.map(async (uri) => !(await isThere(uri))));
        const created = files.filter((_, index) => isNew[index]);
        if (created.length > 0) {
            resolved.command = { title: 'Save the new files', command: saveCommand, arguments: created };
        }
        return resolved;
    };
    return vscode.commands.registerCommand(saveCommand, async (...files: vscode.Uri[]) => {
        for (const file of files) {
            await (await vscode.workspace.openTextDocument(file)).save();
        }
    });
}
