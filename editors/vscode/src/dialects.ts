/** The dialects, as the extension's own list of languages has them. */

import type * as vscode from 'vscode';

export interface Dialect {
    /** As `promptls.toml` and names of files have it: `adk`. */
    id: string;
    /** As people call it: `Google ADK`. */
    title: string;
}

export function dialects({ extension }: vscode.ExtensionContext): Dialect[] {
    const languages: { id: string; aliases?: string[] }[] = extension.packageJSON.contributes.languages;
    return languages.flatMap(({ id, aliases }) => {
        const title = /^Prompt \((.+)\)$/.exec(aliases?.[0] ?? '')?.[1];
        return title === undefined ? [] : [{ id: id.replace(/^prompt-/, ''), title }];
    });
}
