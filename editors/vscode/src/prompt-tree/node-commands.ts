/** The commands for a prompt or a case in the tree. */

import * as vscode from 'vscode';
import { createInputs } from '../cases/case-commands';
import type { CurrentPrompt } from '../current-prompt';
import type { PreviewPanels } from '../preview/preview-panels';
import { copyMessages, copyResolvedText } from '../resolved-text';
import type { PromptNode, PromptParams } from '../server/protocol';
import type { Server } from '../server/server';
import { fileOf } from './prompt-tree';

export function registerNodeCommands(current: CurrentPrompt, previews: PreviewPanels, server: Server): vscode.Disposable {
    /** Opens the prompt of a node, and selects its case. */
    const open = async (node: PromptNode) => {
        const start = node.line === undefined ? undefined : new vscode.Position(node.line, 0);
        await vscode.window.showTextDocument(vscode.Uri.parse(node.uri), start && { selection: new vscode.Range(start, start) });
        await current.follow(node.uri);
        if (node.case !== undefined) {
            await current.select(node, node.case);
        }
    };
    const openWithPreview = async (node: PromptNode) => {
        await open(node);
        previews.open();
    };
    const commands: Record<string, (node: PromptNode) => unknown> = {
        openNode: (node) => (node.kind === 'case' ? openWithPreview(node) : open(node)),
        previewNode: openWithPreview,
        newCaseOfNode: async (node) => {
            await open(node);
            await createInputs(current, server);
        },
        openInputsOfNode: (node) => vscode.window.showTextDocument(fileOf(node)),
        revealNode: (node) => vscode.commands.executeCommand('revealInExplorer', fileOf(node)),
        copyPathOfNode: (node) => vscode.commands.executeCommand('copyFilePath', fileOf(node)),
        copyTextOfNode: async (node) => copyResolvedText(await paramsOf(node), server),
        copyMessagesOfNode: async (node) => copyMessages(await paramsOf(node), server),
    };
    const registered = Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(`promptls.${name}`, run));
    return vscode.Disposable.from(...registered);
}

/**
 * The parameters for the prompt of a node. Opens its document, so that the server has it without an
 * editor.
 */
async function paramsOf({ uri, task, case: name }: PromptNode): Promise<PromptParams> {
    await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    return { textDocument: { uri }, ...(task !== undefined && { task }), ...(name !== undefined && { case: name }) };
}
