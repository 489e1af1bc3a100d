/** The documents that are sent to the server. */

import * as vscode from 'vscode';
import type { DocumentFilter } from 'vscode-languageclient';
import type { Hosts } from '../hosts/hosts';

/** The languages that determine the dialect; a document in one of them is a prompt, whatever its name. */
const dialectLanguages = [
    'prompt-agentensemble',
    'prompt-adk',
    'prompt-entaingine',
    'prompt-promptpack',
    'prompt-agentle',
    'prompt-langfuse',
    'prompt-format',
];

/**
 * VS Code uses the language `prompt` for its own `*.prompt.md` files. It validates all documents in
 * that language as prompts of its chat, so promptls files have another one, `prompt-file`. The
 * server treats all documents in the language `prompt` as its own, so this selector does not
 * include it.
 */
const fileNames = [
    '**/*.prompt',
    '**/*.pack.{json,yaml,yml}',
    '**/*.inputs.{json,jsonc,yaml,yml,toml}',
    '**/*.variables.{json,jsonc,yaml,yml,toml}',
    '**/promptls.toml',
];

/**
 * Documents that rules in promptls.toml can make a prompt, inputs or the text of a value. The
 * server reports nothing about others.
 */
const otherLanguages = ['plaintext', 'markdown', 'json', 'jsonc', 'yaml'];

/** Whether a document is a prompt or one of its files by its name. */
export function isNamed(document: vscode.TextDocument): boolean {
    return fileNames.some((pattern) => vscode.languages.match({ pattern }, document) > 0);
}

export function documentSelector(hosts: Hosts): DocumentFilter[] {
    // A virtual workspace has its own scheme. Other documents, such as the old version in a diff,
    // are not edited and get no problems.
    const folders = vscode.workspace.workspaceFolders ?? [];
    const schemes = new Set(['file', ...folders.map((folder) => folder.uri.scheme)]);
    return [
        ...dialectLanguages.map((language) => ({ scheme: 'untitled', language })),
        ...[...schemes].flatMap((scheme) => [
            ...dialectLanguages.map((language) => ({ scheme, language })),
            ...otherLanguages.map((language) => ({ scheme, language })),
            ...fileNames.map((pattern) => ({ scheme, pattern })),
            ...hosts.selector(scheme),
        ]),
    ];
}
