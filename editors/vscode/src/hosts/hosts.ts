/**
 * Prompts that are strings in code: whether the server is told of the code of this workspace.
 *
 * Most code has no prompts, and its editor must not notice us. So code counts only where something
 * says that prompts are in it: a `promptls.toml`, a manifest that names a framework, or a file in
 * front that imports one or has a mark. Until then no server is started for it.
 */

import * as vscode from 'vscode';
import type { DocumentFilter } from 'vscode-languageclient';

import { codeSigns, languages, manifestSigns, manifests } from './signs';

export const hostsSetting = 'promptls.hosts';

const elsewhere = '**/{node_modules,.venv,venv,target,build,dist}/**';

/** So many manifests are looked at. */
const mostManifests = 100;

/** Signs stand far above; a file that is longer is looked at up to here, in characters. */
const head = 100_000;

export class Hosts implements vscode.Disposable {
    private areThere = false;
    private looking: Promise<boolean> | undefined;
    private readonly found = new vscode.EventEmitter<void>();
    /** Code counts from now on, or not any more. */
    readonly onDidChange = this.found.event;
    private readonly subscriptions: vscode.Disposable[];

    constructor() {
        const look = (document: vscode.TextDocument) => void this.look(document);
        this.subscriptions = [
            vscode.workspace.onDidOpenTextDocument(look),
            vscode.workspace.onDidSaveTextDocument(look),
            vscode.workspace.onDidChangeConfiguration((change) => {
                if (change.affectsConfiguration(hostsSetting)) {
                    if (this.areThere) {
                        this.found.fire();
                    }
                    void this.lookAtAll();
                }
            }),
        ];
    }

    /** The documents of code that the server is told of. */
    selector(scheme: string): DocumentFilter[] {
        return this.areThere ? wanted().map((language) => ({ scheme, language })) : [];
    }

    /** Looks at what is open, and returns whether code counts. */
    async lookAtAll(): Promise<boolean> {
        for (const document of vscode.workspace.textDocuments) {
            await this.look(document);
        }
        return this.areThere;
    }

    dispose(): void {
        this.found.dispose();
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private async look(document: vscode.TextDocument): Promise<void> {
        if (this.areThere || document.uri.scheme === 'git' || !wanted().includes(document.languageId)) {
            return;
        }
        const start = document.getText(new vscode.Range(new vscode.Position(0, 0), document.positionAt(head)));
        this.looking ??= isSaidInWorkspace();
        if ((hasOne(start, codeSigns) || (await this.looking)) && !this.areThere) {
            this.areThere = true;
            this.found.fire();
        }
    }
}

/** Whether a document is code, whatever is in it. */
export function isCode(document: vscode.TextDocument): boolean {
    return languages.includes(document.languageId);
}

/** The languages of code that the user wants to be looked at. */
function wanted(): string[] {
    const settings = vscode.workspace.getConfiguration(hostsSetting);
    const chosen = settings.get('languages', languages);
    return settings.get('enabled', true) ? languages.filter((it) => chosen.includes(it)) : [];
}

function hasOne(text: string, signs: string[]): boolean {
    return signs.some((sign) => text.includes(sign));
}

async function isSaidInWorkspace(): Promise<boolean> {
    const configs = await vscode.workspace.findFiles('**/promptls.toml', elsewhere, 1);
    if (configs.length > 0) {
        return true;
    }
    for (const manifest of await vscode.workspace.findFiles(`**/{${manifests.join(',')}}`, elsewhere, mostManifests)) {
        try {
            const bytes = await vscode.workspace.fs.readFile(manifest);
            if (hasOne(new TextDecoder().decode(bytes), manifestSigns)) {
                return true;
            }
        } catch {
            // It is gone, or nobody may read it.
        }
    }
    return false;
}
