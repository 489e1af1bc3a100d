/** Wraps the lines of packs: a template is one line of JSON, however long it is, or prose in YAML. */

import * as vscode from 'vscode';

const packName = /\.pack\.(json|ya?ml)$/;

const setting = 'promptls.packs.wordWrap';

export class PackWrap implements vscode.Disposable {
    /** The wrapped packs. A later choice of the user has priority until the file is closed. */
    private readonly wrapped = new WeakSet<vscode.TextDocument>();
    private readonly subscription: vscode.Disposable;

    constructor() {
        this.subscription = vscode.window.onDidChangeActiveTextEditor((editor) => void this.wrap(editor));
        void this.wrap(vscode.window.activeTextEditor);
    }

    dispose(): void {
        this.subscription.dispose();
    }

    private async wrap(editor: vscode.TextEditor | undefined): Promise<void> {
        if (editor === undefined || !packName.test(editor.document.uri.path)) {
            return;
        }
        const { document } = editor;
        const isWrapped = vscode.workspace.getConfiguration('editor', document).get('wordWrap') !== 'off';
        const isWanted = vscode.workspace.getConfiguration().get(setting, true);
        if (isWanted && !isWrapped && !this.wrapped.has(document)) {
            this.wrapped.add(document);
            // Settings apply to languages only, and these are JSON and YAML. For the editor in
            // front, this command is the only way.
            await vscode.commands.executeCommand('editor.action.toggleWordWrap');
        }
    }
}
