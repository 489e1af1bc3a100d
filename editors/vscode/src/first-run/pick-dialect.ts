/** Asks which engine reads a prompt. */

import * as vscode from 'vscode';
import { dialects } from '../dialects';
import type { Dialect } from '../dialects';

export async function pickDialect(context: vscode.ExtensionContext, title: string): Promise<Dialect | undefined> {
    const items = dialects(context).map((dialect) => ({ label: dialect.title, description: dialect.id, dialect }));
    const picked = await vscode.window.showQuickPick(items, { title, placeHolder: 'The engine that reads it' });
    return picked?.dialect;
}
