/**
 * A client that restarts its server after a crash.
 *
 * VS Code has the text of open documents, so it is simply sent to the new server again.
 */

import * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn } from 'vscode-languageclient/node';
import type { CloseHandlerResult, LanguageClientOptions, Middleware, StaticFeature } from 'vscode-languageclient/node';
import { takeEdits } from './apply-edit';
import type { Hosts } from '../hosts/hosts';
import { documentSelector } from './document-selector';

/** The delays before each restart, in milliseconds; after the last one, the client gives up. */
export const restartDelays = [0, 1000, 2000, 4000];

/** The setting for formatting JSON and TOML sidecars as well, for which other formatters exist. */
export const sidecarsSetting = 'promptls.formatting.sidecars';

/** Crashes older than this are not counted, in milliseconds. */
const endsCountFor = 3 * 60 * 1000;

/**
 * Makes the server push problems, immediately and also for inputs files that are not open. Pulling
 * them, as this release of the client does, skips documents that were closed and opened again.
 */
const pushedProblems: StaticFeature = {
    fillClientCapabilities: (capabilities) => {
        delete capabilities.textDocument?.diagnostic;
        delete capabilities.workspace?.diagnostics;
    },
    initialize: () => {},
    getState: () => ({ kind: 'static' }),
    clear: () => {},
};

/** Writes errors to the log. The extension shows them to the user once, with possible actions. */
class QuietClient extends LanguageClient {
    override error(message: string, data?: unknown): void {
        super.error(message, data, false);
    }
}

/** A client, from start to shutdown, across all restarts of its server. */
export class RestartingClient {
    readonly client: LanguageClient;
    /** Whether the workspace was trusted at the start, when the server receives what it may read. */
    readonly isTrusted = vscode.workspace.isTrusted;
    /** Whether the server has ever responded: one that never did is not restarted. */
    hasStarted = false;
    private isShuttingDown = false;
    private ends: number[] = [];
    private wake: () => void = () => {};

    constructor(
        log: vscode.LogOutputChannel,
        readonly program: string,
        hosts: Hosts,
        middleware: Middleware,
        private readonly giveUp: () => void,
    ) {
        const options: LanguageClientOptions = {
            documentSelector: documentSelector(hosts),
            initializationOptions: {
                preview: true,
                pages: true,
                trusted: this.isTrusted,
                // VS Code shows those of one server; see host-colours.ts.
                hostSemanticTokens: false,
                formatsSidecars: vscode.workspace.getConfiguration().get(sidecarsSetting, false),
                commands: ['promptls.openPreview', 'promptls.pickCase', 'promptls.newCase', 'promptls.diffStored', 'promptls.leavePlaceholder'],
            },
            middleware,
            synchronize: { configurationSection: 'promptls' },
            outputChannel: log,
            revealOutputChannelOn: RevealOutputChannelOn.Never,
            initializationFailedHandler: () => false,
            errorHandler: {
                error: () => ({ action: ErrorAction.Continue, handled: true }),
                closed: () => this.closed(),
            },
        };
        this.client = new QuietClient(
            'promptls',
            'promptls',
            { command: program, args: ['lsp'] },
            options,
        );
        this.client.registerFeature(pushedProblems);
        takeEdits(this.client);
    }

    async shutDown(): Promise<void> {
        this.isShuttingDown = true;
        this.wake();
        await this.client.dispose();
    }

    /** Handles an unexpected end of the server. */
    private async closed(): Promise<CloseHandlerResult> {
        const stay = { action: CloseAction.DoNotRestart, handled: true };
        if (!this.hasStarted || this.isShuttingDown) {
            return stay;
        }
        const now = Date.now();
        this.ends = [...this.ends.filter((end) => now - end < endsCountFor), now];
        const wait = restartDelays[this.ends.length - 1];
        if (wait === undefined) {
            this.giveUp();
            return stay;
        }
        await new Promise<void>((resolve) => {
            this.wake = resolve;
            setTimeout(resolve, wait);
        });
        return this.isShuttingDown ? stay : { action: CloseAction.Restart, handled: true };
    }
}
