/**
 * Prompts that are strings in code: whether the server is told of the code of this workspace.
 *
 * Most code has no prompts, and its editor must not notice us. So code counts only where something
 * says that prompts are in it: a `promptls.toml`, a manifest that names a framework, or a file in
 * front that imports one or has a mark. Until then no server is started for it.
 */

import * as vscode from 'vscode';
import type { DocumentFilter } from 'vscode-languageclient';

export const hostsSetting = 'promptls.hosts';

/** The languages of code, and what files in it are called. */
const languages: Record<string, string> = {
    python: 'py',
    java: 'java',
    kotlin: 'kt',
    go: 'go',
    typescript: 'ts',
    typescriptreact: 'tsx',
    javascript: 'js',
    javascriptreact: 'jsx',
};

/** What frameworks are called in manifests and imports, and how marks begin. */
const signs = /google[.-]adk|google\/adk|org\/adk|adk-java|net\.agentensemble|com\.paragon|agentle|promptls:|language=prompt-/;

/** The files that say what a project uses. */
const manifests = '**/{pyproject.toml,requirements*.txt,setup.py,Pipfile,package.json,go.mod,pom.xml,build.gradle,build.gradle.kts,libs.versions.toml}';
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
        if ((signs.test(start) || (await this.looking)) && !this.areThere) {
            this.areThere = true;
            this.found.fire();
        }
    }
}

/** Whether a document is code, whatever is in it. */
export function isCode(document: vscode.TextDocument): boolean {
    return document.languageId in languages;
}

/** The languages of code that the user wants to be looked at. */
function wanted(): string[] {
    const settings = vscode.workspace.getConfiguration(hostsSetting);
    const all = Object.keys(languages);
    return settings.get('enabled', true) ? all.filter((it) => settings.get('languages', all).includes(it)) : [];
}

async function isSaidInWorkspace(): Promise<boolean> {
    const configs = await vscode.workspace.findFiles('**/promptls.toml', elsewhere, 1);
    if (configs.length > 0) {
        return true;
    }
    for (const manifest of await vscode.workspace.findFiles(manifests, elsewhere, mostManifests)) {
        try {
            const bytes = await vscode.workspace.fs.readFile(manifest);
            if (signs.test(new TextDecoder().decode(bytes))) {
                return true;
            }
        } catch {
            // It is gone, or nobody may read it.
        }
    }
    return false;
}
