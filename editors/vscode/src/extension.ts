/**
 * promptls in VS Code.
 *
 * All that is known about prompts comes from the language server; here is only what VS Code
 * needs around it: the server's start, the preview, the case in the status bar.
 */

import * as vscode from 'vscode';
import { createInputs, pickCase } from './cases/case-commands';
import { CaseStatus } from './cases/case-status';
import { CurrentPrompt } from './current-prompt';
import { findPrompts } from './find-prompts';
import { GhostValues } from './ghost-values';
import { PreviewPanels } from './preview/preview-panels';
import { copyResolvedText, showResolvedText } from './resolved-text';
import { pathSetting } from './server/program';
import { Server } from './server/server';
import { VirtualDocuments, virtualScheme } from './virtual-documents';

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    const log = vscode.window.createOutputChannel('promptls', { log: true });
    const running = new Server(context, log);
    server = running;
    const current = new CurrentPrompt(running, context, log);
    const previews = new PreviewPanels(context.extensionUri, current, running);
    const ghosts = new GhostValues(running);
    const documents = new VirtualDocuments(running);

    /** Acts on the prompt that a code lens or a menu names, else on the current one. */
    const onPrompt = (action: () => unknown) => async (uri?: string | vscode.Uri) => {
        if (uri !== undefined) {
            await current.follow(uri.toString());
        }
        return action();
    };
    const { registerCommand } = vscode.commands;
    context.subscriptions.push(
        log,
        running,
        current,
        previews,
        ghosts,
        new CaseStatus(current),
        documents,
        vscode.workspace.registerTextDocumentContentProvider(virtualScheme, documents),
        registerCommand('promptls.openPreview', onPrompt(() => previews.open())),
        registerCommand('promptls.pinPreview', () => previews.togglePin()),
        registerCommand('promptls.diffCases', onPrompt(() => previews.compare())),
        registerCommand('promptls.diffLastCommit', onPrompt(() => previews.compare('HEAD'))),
        registerCommand('promptls.toggleGhostValues', () => ghosts.toggle()),
        registerCommand('promptls.copyResolvedText', onPrompt(() => copyResolvedText(current, running))),
        registerCommand('promptls.showResolvedText', onPrompt(() => showResolvedText(current))),
        registerCommand('promptls.findPrompts', () => findPrompts(context)),
        registerCommand('promptls.pickCase', onPrompt(() => pickCase(current, running))),
        registerCommand('promptls.newCase', onPrompt(() => createInputs(current, running))),
        registerCommand('promptls.restartServer', () => running.restart()),
        registerCommand('promptls.showLog', () => log.show()),
        current.onDidChange(() => tellMenus(current)),
        vscode.window.onDidChangeActiveTextEditor(() => tellMenus(current)),
        vscode.workspace.onDidChangeConfiguration((change) => {
            // Also when a workspace becomes trusted, if it names a server of its own.
            if (change.affectsConfiguration(pathSetting)) {
                void running.restart();
            }
        }),
    );
    await running.start();
}

export async function deactivate(): Promise<void> {
    await server?.stop();
}

/** Lets menus and keys know whether there is a prompt to act on. */
function tellMenus(current: CurrentPrompt): void {
    const front = vscode.window.activeTextEditor?.document;
    void vscode.commands.executeCommand('setContext', 'promptls.isPrompt', current.is(front));
    void vscode.commands.executeCommand('setContext', 'promptls.hasPrompt', current.prompt !== undefined);
}
