/** Whether a file exists. */

import * as vscode from 'vscode';

export async function isThere(file: vscode.Uri): Promise<boolean> {
    try {
        await vscode.workspace.fs.stat(file);
        return true;
    } catch {
        return false;
    }
}
