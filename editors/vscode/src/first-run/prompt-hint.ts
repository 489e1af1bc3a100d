/**
 * Reports that the text in front, or a value in it, resembles a prompt but is not treated as one.
 *
 * It is an item in the status bar, in the place of a prompt's case: it does not interrupt, and can
 * be dismissed for a workspace. The server detects likely prompts.
 */

import * as path from 'node:path';
import * as vscode from 'vscode';
import { dialects } from '../dialects';
import { likelyPromptRequest } from '../server/protocol';
import type { LikelyPrompt } from '../server/protocol';
import type { Server } from '../server/server';
import { treatAsPrompt } from './treat-as-prompt';
import type { LikelyChoice } from './treat-as-prompt';

/** The languages of texts and data that are sent to the server, though nothing makes them prompts. */
const languages = ['markdown', 'plaintext', 'yaml', 'json', 'jsonc', 'toml'];

/** The key under which dismissal is stored. */
const dismissedKey = 'dismissedPromptHint';

const command = 'promptls.showPromptHint';

/** The name of what looks like a prompt: the file, or a value in it. */
function subject(file: vscode.Uri, { value }: LikelyPrompt): string {
    const name = path.posix.basename(file.path);
    return value ? `${value.path} in ${name}` : name;
}

function choice({ dialect, value }: LikelyPrompt): LikelyChoice {
    return { dialect, ...(value && { position: value.position }) };
}

export class PromptHint implements vscode.Disposable {
    private readonly item: vscode.StatusBarItem;
    private readonly subscriptions: vscode.Disposable[];
    /** The file of the item. */
    private hint: { file: vscode.Uri; likely: LikelyPrompt } | undefined;

    constructor(
        private readonly context: vscode.ExtensionContext,
        private readonly server: Server,
    ) {
        this.item = vscode.window.createStatusBarItem('promptls.hint', vscode.StatusBarAlignment.Right, 100);
        this.item.name = 'Likely Prompt';
        this.item.text = '$(question) Prompt?';
        this.item.command = command;
        const lookAgain = () => void this.look();
        this.subscriptions = [
            vscode.commands.registerCommand(command, () => this.offer()),
            vscode.window.onDidChangeActiveTextEditor(lookAgain),
            vscode.workspace.onDidSaveTextDocument(lookAgain),
            server.onReady(lookAgain),
            server.onLost(lookAgain),
            // A new rule may have made it a prompt.
            server.onPreviewChanged((uri) => uri === this.hint?.file.toString() && lookAgain()),
        ];
    }

    /** The likely choice for a file, by default for the one in front. */
    choice(file = vscode.window.activeTextEditor?.document.uri): LikelyChoice | undefined {
        const { hint } = this;
        return hint?.file.toString() === file?.toString() ? hint && choice(hint.likely) : undefined;
    }

    dispose(): void {
        this.item.dispose();
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    /** Checks the text in front. */
    private async look(): Promise<void> {
        const document = vscode.window.activeTextEditor?.document;
        if (this.hint?.file.toString() !== document?.uri.toString()) {
            this.show(undefined);
        }
        if (document === undefined || !this.isCandidate(document)) {
            this.show(undefined);
            return;
        }
        const params = { textDocument: { uri: document.uri.toString() } };
        const likely = await this.server.client?.sendRequest(likelyPromptRequest, params).catch(() => null);
        // Another editor may have come to the front meanwhile.
        if (document === vscode.window.activeTextEditor?.document) {
            this.show(likely ? { file: document.uri, likely } : undefined);
        }
    }

    private isCandidate({ uri, languageId }: vscode.TextDocument): boolean {
        const isDismissed = this.context.workspaceState.get(dismissedKey, false);
        // A rule belongs to a workspace folder.
        return !isDismissed && languages.includes(languageId) && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    }

    private show(hint: typeof this.hint): void {
        this.hint = hint;
        void vscode.commands.executeCommand('setContext', 'promptls.isLikelyPrompt', hint !== undefined);
        if (hint === undefined) {
            this.item.hide();
            return;
        }
        const { file, likely } = hint;
        const name = subject(file, likely);
        this.item.tooltip = new vscode.MarkdownString()
            .appendText(`${name} looks like a prompt for ${this.engine(likely)}, and is not read as one:`)
            .appendMarkdown(likely.reasons.map((reason) => `\n- ${reason}`).join(''));
        this.item.accessibilityInformation = { label: `${name} looks like a prompt` };
        this.item.show();
    }

    private engine({ dialect }: LikelyPrompt): string {
        return dialects(this.context).find(({ id }) => id === dialect)?.title ?? dialect;
    }

    private async offer(): Promise<void> {
        if (this.hint === undefined) {
            return;
        }
        const { file, likely } = this.hint;
        const items = [
            {
                label: likely.value ? 'Treat This Value as a Prompt…' : 'Treat This File as a Prompt…',
                act: () => treatAsPrompt(this.context, this.server, file, choice(likely)),
            },
            { label: 'Find Prompts in This Folder', act: () => vscode.commands.executeCommand('promptls.findPrompts') },
            { label: 'Not in This Workspace', act: () => this.context.workspaceState.update(dismissedKey, true) },
        ];
        const title = `${subject(file, likely)} looks like a prompt for ${this.engine(likely)}`;
        const picked = await vscode.window.showQuickPick(items, { title });
        await picked?.act();
        await this.look();
    }
}
