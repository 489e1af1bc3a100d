/**
 * Saves files that quick fixes create: otherwise, an empty file stays on disk, with its text in a
 * tab that the user did not open.
 */

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
