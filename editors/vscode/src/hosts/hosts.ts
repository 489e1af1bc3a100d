/**
 * Prompts in strings of code: whether the server needs the code of this workspace.
 *
 * Most code contains no prompts, and editing it must not be affected. So code counts only with
 * evidence of prompts: a `promptls.toml`, a manifest that names a framework, or a file in front
 * that imports one or contains a mark. Until then, no server is started for code.
 */

import * as vscode from 'vscode';
import type { DocumentFilter } from 'vscode-languageclient';

import { codeSigns, dataSigns, languages, manifestSigns, manifests } from './signs';

export const hostsSetting = 'promptls.hosts';

const elsewhere = '**/{node_modules,.venv,venv,target,build,dist}/**';

/** The maximum number of manifests that are read. */
const mostManifests = 100;

/** Signs are near the start; of a longer file, only this many characters are searched. */
const head = 100_000;

export class Hosts implements vscode.Disposable {
    private areThere = false;
    private looking: Promise<boolean> | undefined;
    private readonly found = new vscode.EventEmitter<void>();
    /** Called when code starts or stops to count. */
    readonly onDidChange = this.found.event;
    private readonly subscriptions: vscode.Disposable[];

    constructor() {
        const look = (document: vscode.TextDocument) => void this.look(document);
        this.subscriptions = [
            vscode.workspace.onDidOpenTextDocument(look),
            vscode.workspace.onDidSaveTextDocument(look),
            vscode.workspace.onDidChangeTextDocument((event) => {
                if (!this.areThere && hasNewSign(event)) {
                    look(event.document);
                }
            }),
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

    /** The documents of code that are sent to the server. */
    selector(scheme: string): DocumentFilter[] {
        return this.areThere ? enabledLanguages().map((language) => ({ scheme, language })) : [];
    }

    /**
     * Checks open documents and manifests; if code counts, `onDidChange` reports it. Signs in the
     * documents are found before this returns.
     */
    async lookAtAll(): Promise<void> {
        await Promise.all(vscode.workspace.textDocuments.map((document) => this.look(document)));
    }

    dispose(): void {
        this.found.dispose();
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private async look(document: vscode.TextDocument): Promise<void> {
        if (this.areThere || document.uri.scheme === 'git' || !enabledLanguages().includes(document.languageId)) {
            return;
        }
        const start = startOf(document);
        this.looking ??= isFoundInWorkspace();
        if ((hasOne(start, codeSigns) || (await this.looking)) && !this.areThere) {
            this.areThere = true;
            this.found.fire();
        }
    }
}

/** Whether the language of a document is code, whatever its contents. */
export function isCode(document: vscode.TextDocument): boolean {
    return languages.includes(document.languageId);
}

/** Whether a document of data has a sign of prompts. */
export function hasDataSign(document: vscode.TextDocument): boolean {
    // Some signs begin with the line end before a key, which a first line does not have.
    return hasOne(`\n${startOf(document)}`, dataSigns);
}

function startOf(document: vscode.TextDocument): string {
    return document.getText(new vscode.Range(new vscode.Position(0, 0), document.positionAt(head)));
}

/** The languages of code that the user has enabled. */
function enabledLanguages(): string[] {
    const settings = vscode.workspace.getConfiguration(hostsSetting);
    const chosen = settings.get('languages', languages);
    return settings.get('enabled', true) ? languages.filter((it) => chosen.includes(it)) : [];
}

/**
 * Whether a line that was edited has a sign. Only these lines are read, because this happens at each
 * key press in code that may have no prompts.
 */
function hasNewSign({ document, contentChanges }: vscode.TextDocumentChangeEvent): boolean {
    return contentChanges.some(({ range, text }) => {
        const { line } = range.start;
        const { end } = document.lineAt(Math.min(line, document.lineCount - 1)).range;
        const start = document.getText(new vscode.Range(new vscode.Position(line, 0), end));
        return hasOne(start, codeSigns) || hasOne(text, codeSigns);
    });
}

function hasOne(text: string, signs: string[]): boolean {
    return signs.some((sign) => text.includes(sign));
}

async function isFoundInWorkspace(): Promise<boolean> {
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
            // The file was deleted, or is not readable.
        }
    }
    return false;
}
