/**
 * promptls in VS Code.
 *
 * All information about prompts comes from the language server. The extension provides only what VS
 * Code needs around it: the server's start, the preview, the case in the status bar.
 */

import * as vscode from 'vscode';
import { CaseStatus } from './cases/case-status';
import { SizeStatus } from './cases/size-status';
import { registerCommands } from './commands';
import { CurrentPrompt } from './current-prompt';
import { EngineStatus } from './engine/engine-status';
import { PromptHint } from './first-run/prompt-hint';
import { GhostValues } from './ghost-values';
import { HostColours } from './hosts/host-colours';
import { hasDataSign, Hosts, isCode } from './hosts/hosts';
import { PreviewPanels } from './preview/preview-panels';
import { PromptTree } from './prompt-tree/prompt-tree';
import { registerNodeCommands } from './prompt-tree/node-commands';
import { documentSelector, isNamed } from './server/document-selector';
import { pathSetting } from './server/program';
import { sidecarsSetting } from './server/restarting-client';
import { Server } from './server/server';
import { VirtualDocuments, virtualScheme } from './virtual-documents';
import { closeBehindCursor } from './writing/closed-behind';
import { ClosingBraces } from './writing/closing-braces';
import { InlayHints } from './writing/inlay-hints';
import { JsonProblems } from './writing/json-problems';
import { saveNewFiles } from './writing/new-files';
import { PackWrap } from './writing/pack-wrap';

/** Files that indicate prompts by their names. */
const promptFiles = '**/{promptls.toml,*.prompt,*.pack.json,*.pack.yaml,*.pack.yml}';

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    const log = vscode.window.createOutputChannel('promptls', { log: true });
    const hosts = new Hosts();
    const running = new Server(context, log, hosts);
    server = running;
    const current = new CurrentPrompt(running, context, log);
    const previews = new PreviewPanels(context.extensionUri, current, running);
    const ghosts = new GhostValues(running);
    const documents = new VirtualDocuments(running);
    const hint = new PromptHint(context, running);
    const closingBraces = new ClosingBraces();
    const startFor = (document: vscode.TextDocument): void => {
        if (isOurs(document, hosts)) {
            void running.start();
        }
    };

    closeBehindCursor(running);
    context.subscriptions.push(
        log,
        hosts,
        running,
        new HostColours(running),
        current,
        previews,
        ghosts,
        new CaseStatus(current),
        new SizeStatus(current, running),
        new EngineStatus(current, running),
        hint,
        closingBraces,
        new InlayHints(running, previews),
        new JsonProblems(running),
        new PackWrap(),
        new PromptTree(running),
        registerNodeCommands(current, previews, running),
        saveNewFiles(running),
        documents,
        vscode.workspace.registerTextDocumentContentProvider(virtualScheme, documents),
        ...registerCommands({ context, log, running, current, previews, ghosts, hint, closingBraces }),
        hosts.onDidChange(() => void running.restart()),
        vscode.workspace.onDidOpenTextDocument(startFor),
        vscode.workspace.onDidSaveTextDocument(startFor),
        current.onDidChange(() => updateMenus(current)),
        vscode.window.onDidChangeActiveTextEditor(() => updateMenus(current)),
        vscode.workspace.onDidChangeConfiguration((change) => {
            // Also when a workspace becomes trusted, if it sets the path of a server.
            if (change.affectsConfiguration(pathSetting)) {
                void running.renew();
            } else if (change.affectsConfiguration(sidecarsSetting)) {
                void running.renew(true);
            }
        }),
        vscode.workspace.onDidGrantWorkspaceTrust(() => void running.renew()),
    );
    // No event reports documents that were open before. If code among them counts, the server
    // starts with it, or again, whatever else the workspace contains.
    void hosts.lookAtAll();
    const isInSight = vscode.workspace.textDocuments.some((document) => isOurs(document, hosts)) || isPreviewOpen();
    if (isInSight) {
        await running.start();
    } else {
        // VS Code searches files only once extensions are active, so activation must not wait for
        // it.
        void arePromptFiles().then((are) => (are ? running.start() : undefined));
    }
}

/** Whether the workspace contains files that are prompts by their names. */
async function arePromptFiles(): Promise<boolean> {
    return (await vscode.workspace.findFiles(promptFiles, undefined, 1)).length > 0;
}

/** Whether a preview was restored from the last session. */
function isPreviewOpen(): boolean {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    return tabs.some(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('promptls.preview'));
}

/**
 * Whether the server needs a document that is no code. Much YAML has nothing to do with prompts; in
 * a workspace with a promptls.toml, the server is started anyway.
 */
function isOurs(document: vscode.TextDocument, hosts: Hosts): boolean {
    if (isCode(document) || (document.languageId === 'yaml' && !isNamed(document) && !hasDataSign(document))) {
        return false;
    }
    return vscode.languages.match(documentSelector(hosts), document) > 0;
}

export async function deactivate(): Promise<void> {
    await server?.stop();
}

/** Sets the context for menus and keys: whether there is a prompt to act on. */
function updateMenus(current: CurrentPrompt): void {
    const front = vscode.window.activeTextEditor?.document;
    void vscode.commands.executeCommand('setContext', 'promptls.isPrompt', current.is(front));
    void vscode.commands.executeCommand('setContext', 'promptls.hasPrompt', current.prompt !== undefined);
    void vscode.commands.executeCommand('setContext', 'promptls.isPulled', current.prompt?.store !== undefined);
}
