/** Which documents the server is told about. */

import * as vscode from 'vscode';
import type { DocumentFilter } from 'vscode-languageclient';
import type { Hosts } from '../hosts/hosts';

/** The languages that say the dialect; a document in one of them is a prompt, whatever its name. */
const dialectLanguages = [
    'prompt-agentensemble',
    'prompt-adk',
    'prompt-entaingine',
    'prompt-promptpack',
    'prompt-agentle',
    'prompt-langfuse',
];

/**
 * VS Code calls the language of its own `*.prompt.md` files `prompt`. It checks all that is in
 * that language as a prompt of its chat, so our files are in another, `prompt-file`; and the
 * server takes all that is in it for ours, so nothing is asked for by that language.
 */
const fileNames = [
    '**/*.prompt',
    '**/*.pack.{json,yaml,yml}',
    '**/*.inputs.{json,jsonc,yaml,yml,toml}',
    '**/*.variables.{json,jsonc,yaml,yml,toml}',
    '**/promptls.toml',
];

/**
 * What rules in promptls.toml can make a prompt, inputs or the text of a value. The server says
 * nothing of those that are none of them.
 */
const otherLanguages = ['plaintext', 'markdown', 'json', 'jsonc', 'yaml'];

export function documentSelector(hosts: Hosts): DocumentFilter[] {
    // A virtual workspace has a scheme of its own. Other documents, such as the old version beside
    // a change, are not edited and get no problems.
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
