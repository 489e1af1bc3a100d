/** The dialects, from the extension's list of languages. */

import type * as vscode from 'vscode';

export interface Dialect {
    /** The id in `promptls.toml` and file names: `adk`. */
    id: string;
    /** The display name: `Google ADK`. */
    title: string;
}

export function dialects({ extension }: vscode.ExtensionContext): Dialect[] {
    const languages: { id: string; aliases?: string[] }[] = extension.packageJSON.contributes.languages;
    return languages.flatMap(({ id, aliases }) => {
        const title = /^Prompt \((.+)\)$/.exec(aliases?.[0] ?? '')?.[1];
        return title === undefined ? [] : [{ id: id.replace(/^prompt-/, ''), title }];
    });
}
