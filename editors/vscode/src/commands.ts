/** The commands of the palette, of menus and of code lenses. */

import * as vscode from 'vscode';
import type { Position } from 'vscode-languageclient';
import { createInputs, newCase, pickCase } from './cases/case-commands';
import { pickEngine } from './engine/pick-engine';
import { findPrompts } from './find-prompts';
import { newPrompt } from './first-run/new-prompt';
import { openSample } from './first-run/sample-prompts';
import { treatAsPrompt } from './first-run/treat-as-prompt';
import { copyMessages, copyResolvedText, showResolvedText } from './resolved-text';
import { pullFromStore, pushToStore } from './stores';
import { convertPrompt } from './writing/convert-prompt';
import type { CurrentPrompt } from './current-prompt';
import type { PromptHint } from './first-run/prompt-hint';
import type { GhostValues } from './ghost-values';
import type { PreviewPanels } from './preview/preview-panels';
import type { Server } from './server/server';
import type { ClosingBraces } from './writing/closing-braces';

/** The objects that commands act on. */
export interface CommandTargets {
    context: vscode.ExtensionContext;
    log: vscode.LogOutputChannel;
    running: Server;
    current: CurrentPrompt;
    previews: PreviewPanels;
    ghosts: GhostValues;
    hint: PromptHint;
    closingBraces: ClosingBraces;
}

/** Registers all commands but those of the prompt tree; each ends with its registration. */
export function registerCommands(targets: CommandTargets): vscode.Disposable[] {
    const { context, log, running, current, previews, ghosts, hint, closingBraces } = targets;

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
    // In a workspace of code without prompts, the server starts only when a command needs it.
    const registerCommand = (name: string, act: (...given: never[]) => unknown) =>
        vscode.commands.registerCommand(name, (...given: never[]) =>
            running.client === undefined ? running.start().then(() => act(...given)) : act(...given),
        );
    return [
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
    ];
}

/** Whether the language of an editor is that of a prompt, which is known before the server responds. */
function isPrompt(editor: vscode.TextEditor | undefined): boolean {
    return editor !== undefined && /^prompt-/.test(editor.document.languageId);
}
