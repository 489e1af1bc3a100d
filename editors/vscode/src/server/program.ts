/** The `promptls` program: from the setting, the extension, or `PATH`. */

import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';

export const pathSetting = 'promptls.server.path';

const fileName = process.platform === 'win32' ? 'promptls.exe' : 'promptls';

/** The absolute path of the program, or the reason why there is none. */
export async function findProgram(
    context: vscode.ExtensionContext,
): Promise<{ program: string } | { missing: string }> {
    const set = vscode.workspace.getConfiguration().get<string>(pathSetting, '').trim();
    if (set !== '') {
        const program = absolute(set);
        return (await isProgram(program))
            ? { program }
            : { missing: `${pathSetting} is set to ${program}, which cannot be started` };
    }
    const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(path.isAbsolute);
    const bundled = context.asAbsolutePath(path.join('bin', fileName));
    for (const program of [bundled, ...folders.map((folder) => path.join(folder, fileName))]) {
        if (await isProgram(program)) {
            return { program };
        }
    }
    return {
        missing:
            'The promptls program is neither in this extension nor on PATH. ' +
            `Install it, or set its path in the setting ${pathSetting}`,
    };
}

function absolute(set: string): string {
    if (set.startsWith('~/')) {
        return path.join(os.homedir(), set.slice(2));
    }
    const folder = vscode.workspace.workspaceFolders?.find((it) => it.uri.scheme === 'file');
    return path.resolve(folder?.uri.fsPath ?? os.homedir(), set);
}

async function isProgram(file: string): Promise<boolean> {
    try {
        await fs.access(file, fs.constants.X_OK);
        return (await fs.stat(file)).isFile();
    } catch {
        return false;
    }
}
