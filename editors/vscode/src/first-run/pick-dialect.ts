/** Lets the user choose the dialect of a prompt. */

import * as vscode from 'vscode';
import { dialects } from '../dialects';
import type { Dialect } from '../dialects';

/** `likely` is the id of the first choice. */
export async function pickDialect(
    context: vscode.ExtensionContext,
    title: string,
    likely?: string,
): Promise<Dialect | undefined> {
    const items = dialects(context)
        .map((dialect) => ({ label: dialect.title, description: dialect.id, dialect }))
        .sort((a, b) => Number(b.dialect.id === likely) - Number(a.dialect.id === likely));
    const picked = await vscode.window.showQuickPick(items, { title, placeHolder: 'The engine that reads it' });
    return picked?.dialect;
}
