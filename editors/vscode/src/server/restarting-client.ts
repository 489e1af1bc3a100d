/**
 * A client that starts its server again when that ends by accident.
 *
 * What is open is VS Code's own, so a new server is simply told of it again.
 */

import * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn } from 'vscode-languageclient/node';
import type { CloseHandlerResult, LanguageClientOptions, Middleware, StaticFeature } from 'vscode-languageclient/node';
import { takeEdits } from './apply-edit';
import type { Hosts } from '../hosts/hosts';
import { documentSelector } from './document-selector';

/** How long to wait before each new start, in milliseconds; after the last one we give up. */
export const restartDelays = [0, 1000, 2000, 4000];

/** Whether JSON and TOML of ours is formatted as well, for which there are other formatters. */
export const sidecarsSetting = 'promptls.formatting.sidecars';

/** Ends that lie further back than this are forgotten, in milliseconds. */
const endsCountFor = 3 * 60 * 1000;

/**
 * Has the server tell problems by itself, at once and of inputs files that are not open, too.
 * Asking for them instead, as this release of the client does, leaves out documents that were
 * closed and opened again.
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

/** Writes to the log what goes wrong. The user is told by us, once, with what can be done. */
class QuietClient extends LanguageClient {
    override error(message: string, data?: unknown): void {
        super.error(message, data, false);
    }
}

/** A client, from start to shutdown, through all new starts of its server. */
export class RestartingClient {
    readonly client: LanguageClient;
    /** Whether the workspace was, at the start: the server is told then what it may read. */
    readonly isTrusted = vscode.workspace.isTrusted;
    /** Whether the server has ever answered: one that never did is not started again. */
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

    /** The server has ended without being asked to. */
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
