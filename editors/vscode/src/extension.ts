/**
 * promptls in VS Code.
 *
 * All information about prompts comes from the language server. The extension provides only what VS
 * Code needs around it: the server's start, the preview, the case in the status bar.
 */

import * as vscode from 'vscode';
import type { Position } from 'vscode-languageclient';
import { createInputs, newCase, pickCase } from './cases/case-commands';
import { CaseStatus } from './cases/case-status';
import { SizeStatus } from './cases/size-status';
import { CurrentPrompt } from './current-prompt';
import { EngineStatus } from './engine/engine-status';
import { pickEngine } from './engine/pick-engine';
import { findPrompts } from './find-prompts';
import { newPrompt } from './first-run/new-prompt';
import { PromptHint } from './first-run/prompt-hint';
import { openSample } from './first-run/sample-prompts';
import { treatAsPrompt } from './first-run/treat-as-prompt';
import { GhostValues } from './ghost-values';
import { HostColours } from './hosts/host-colours';
import { Hosts, isCode } from './hosts/hosts';
import { PreviewPanels } from './preview/preview-panels';
import { PromptTree } from './prompt-tree/prompt-tree';
import { registerNodeCommands } from './prompt-tree/node-commands';
import { copyMessages, copyResolvedText, showResolvedText } from './resolved-text';
import { documentSelector } from './server/document-selector';
import { pathSetting } from './server/program';
import { sidecarsSetting } from './server/restarting-client';
import { Server } from './server/server';
import { pullFromStore, pushToStore } from './stores';
import { VirtualDocuments, virtualScheme } from './virtual-documents';
import { closeBehindCursor } from './writing/closed-behind';
import { ClosingBraces } from './writing/closing-braces';
import { convertPrompt } from './writing/convert-prompt';
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

    /** Acts on the prompt of a code lens or a menu, else on the current one. */
    const onPrompt = (action: () => unknown) => async (uri?: string | vscode.Uri, position?: Position) => {
        if (uri !== undefined) {
            // A menu passes other values in its place.
            await current.follow(uri.toString(), typeof position?.line === 'number' ? position : undefined);
        }
        return action();
    };
    /** Without an open prompt, opens a sample. */
    const onSomePrompt = (action: () => unknown) => async (uri?: string | vscode.Uri, position?: Position) => {
        const isThere = uri !== undefined || current.prompt !== undefined || isPrompt(vscode.window.activeTextEditor);
        return isThere ? onPrompt(action)(uri, position) : onPrompt(action)(await openSample(context));
    };
    const openFound = async (prompt: vscode.Uri | undefined) => {
        if (prompt !== undefined) {
            await vscode.window.showTextDocument(prompt, { preview: false });
            await onPrompt(() => previews.open())(prompt);
        }
    };
    closeBehindCursor(running);
    // In a workspace of code without prompts, the server starts only when a command needs it.
    const registerCommand = (name: string, act: (...given: never[]) => unknown) =>
        vscode.commands.registerCommand(name, (...given: never[]) =>
            running.client === undefined ? running.start().then(() => act(...given)) : act(...given),
        );
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
        registerCommand('promptls.openPreview', onSomePrompt(() => previews.open())),
        registerCommand('promptls.pinPreview', () => previews.togglePin()),
        registerCommand('promptls.diffCases', onSomePrompt(() => previews.compare())),
        registerCommand('promptls.diffLastCommit', onPrompt(() => previews.compare('HEAD'))),
        registerCommand('promptls.diffStored', onPrompt(() => previews.compare(`store:${current.prompt?.store ?? ''}`))),
        registerCommand('promptls.pullFromStore', onPrompt(() => pullFromStore(current, running))),
        registerCommand('promptls.pushToStore', onPrompt(() => pushToStore(current, running))),
        registerCommand('promptls.toggleGhostValues', () => ghosts.toggle()),
        registerCommand('promptls.copyResolvedText', onPrompt(() => copyResolvedText(current.params, running))),
        registerCommand('promptls.copyMessages', onPrompt(() => copyMessages(current.params, running))),
        registerCommand('promptls.showResolvedText', onPrompt(() => showResolvedText(current))),
        registerCommand('promptls.findPrompts', async () => openFound(await findPrompts(context, running))),
        registerCommand('promptls.newPrompt', async () => openFound(await newPrompt(context, running))),
        registerCommand('promptls.insertSection', () =>
            vscode.commands.executeCommand('editor.action.codeAction', { kind: 'refactor.rewrite.insertSection', apply: 'never' }),
        ),
        registerCommand('promptls.openSample', async () => openFound(await openSample(context))),
        registerCommand('promptls.treatAsPrompt', (file?: vscode.Uri) => treatAsPrompt(context, running, file, hint.choice(file))),
        // Registered directly, because it must run before the next key press, without waiting for
        // the server.
        vscode.commands.registerCommand('promptls.leavePlaceholder', () => closingBraces.left()),
        registerCommand('promptls.pickCase', onPrompt(() => pickCase(current, running))),
        registerCommand(
            'promptls.convertToDialect',
            onPrompt(async () => openFound(await convertPrompt(context, current, running))),
        ),
        registerCommand('promptls.pickEngine', onPrompt(() => pickEngine(current, running))),
        // Above a prompt, the command creates its first inputs file.
        registerCommand('promptls.newCase', (uri?: string, position?: Position) =>
            uri === undefined ? newCase(current, running) : onPrompt(() => createInputs(current, running))(uri, position),
        ),
        registerCommand('promptls.restartServer', () => running.restart()),
        registerCommand('promptls.showLog', () => log.show()),
        hosts.onDidChange(() => void running.restart()),
        vscode.workspace.onDidOpenTextDocument((document) => {
            if (isOurs(document, hosts)) {
                void running.start();
            }
        }),
        current.onDidChange(() => tellMenus(current)),
        vscode.window.onDidChangeActiveTextEditor(() => tellMenus(current)),
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
    const isInSight = vscode.workspace.textDocuments.some((document) => isOurs(document, hosts)) || isPreviewOpen();
    if (isInSight) {
        await running.start();
    } else {
        // VS Code searches files only once extensions are active, so activation must not wait for
        // it.
        void areThere(hosts).then((are) => (are ? running.start() : undefined));
    }
}

/** Whether the workspace contains files for the server. Code alone may contain none. */
async function areThere(hosts: Hosts): Promise<boolean> {
    return (await vscode.workspace.findFiles(promptFiles, undefined, 1)).length > 0 || hosts.lookAtAll();
}

/** Whether a preview was restored from the last session. */
function isPreviewOpen(): boolean {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    return tabs.some(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('promptls.preview'));
}

/** Whether the server needs a document that is no code. */
function isOurs(document: vscode.TextDocument, hosts: Hosts): boolean {
    return !isCode(document) && vscode.languages.match(documentSelector(hosts), document) > 0;
}

export async function deactivate(): Promise<void> {
    await server?.stop();
}

/** Whether the language of an editor is that of a prompt, which is known before the server responds. */
function isPrompt(editor: vscode.TextEditor | undefined): boolean {
    return editor !== undefined && /^prompt-/.test(editor.document.languageId);
}

/** Sets the context for menus and keys: whether there is a prompt to act on. */
function tellMenus(current: CurrentPrompt): void {
    const front = vscode.window.activeTextEditor?.document;
    void vscode.commands.executeCommand('setContext', 'promptls.isPrompt', current.is(front));
    void vscode.commands.executeCommand('setContext', 'promptls.hasPrompt', current.prompt !== undefined);
    void vscode.commands.executeCommand('setContext', 'promptls.isPulled', current.prompt?.store !== undefined);
}
