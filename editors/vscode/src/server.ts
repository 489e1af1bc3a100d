/**
 * Starts the language server, and starts it again when it ends by accident.
 *
 * What is open is VS Code's own, so a new server is simply told of it again.
 */

import * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, State } from 'vscode-languageclient/node';
import type { CloseHandlerResult, LanguageClientOptions, StaticFeature } from 'vscode-languageclient/node';
import { findProgram, pathSetting } from './program';
import { previewChanged } from './protocol';
import { documentSelector } from './selector';

/** How long to wait before each new start, in milliseconds; after the last one we give up. */
const waits = [0, 1000, 2000, 4000];

/** Ends that lie further back than this are forgotten, in milliseconds. */
const memory = 3 * 60 * 1000;

const openSettings = 'Open Settings';
const showLog = 'Show Log';
const restart = 'Restart Server';

export class Server implements vscode.Disposable {
    private current: Run | undefined;
    /** Starts and stops follow one another, however fast they are asked for. */
    private queue: Promise<void> = Promise.resolve();
    private readonly ready = new vscode.EventEmitter<void>();
    private readonly lost = new vscode.EventEmitter<void>();
    private readonly changed = new vscode.EventEmitter<string>();

    /** A server answers, for the first time or again. */
    readonly onReady = this.ready.event;
    /** No server answers any more; perhaps a new one will. */
    readonly onLost = this.lost.event;
    /** What was said about the prompt at an address may be old. The client library tells one listener only. */
    readonly onPreviewChanged = this.changed.event;

    constructor(
        private readonly context: vscode.ExtensionContext,
        private readonly log: vscode.LogOutputChannel,
    ) {}

    /** The client, while the server answers. */
    get client(): LanguageClient | undefined {
        return this.current?.client.isRunning() ? this.current.client : undefined;
    }

    /** Starts the server. Whatever goes wrong is told to the user. */
    start(): Promise<void> {
        return this.enqueue(() => this.startNow());
    }

    /** Ends the server, if there is one, and starts it as the settings are now. */
    restart(): Promise<void> {
        return this.enqueue(async () => {
            await this.stopNow();
            await this.startNow();
        });
    }

    stop(): Promise<void> {
        return this.enqueue(() => this.stopNow());
    }

    dispose(): void {
        void this.stop();
        this.ready.dispose();
        this.lost.dispose();
        this.changed.dispose();
    }

    private enqueue(task: () => Promise<void>): Promise<void> {
        this.queue = this.queue.then(task).catch((error: unknown) => this.log.error(String(error)));
        return this.queue;
    }

    private async startNow(): Promise<void> {
        const found = await findProgram(this.context);
        if ('missing' in found) {
            this.log.error(found.missing);
            void this.tell(found.missing, openSettings, showLog);
            return;
        }
        this.log.info(`starting ${found.program}`);
        const run = new Run(this.log, found.program, () => this.giveUp());
        this.current = run;
        run.client.onDidChangeState(({ newState }) => {
            if (newState === State.Running) {
                void this.answers(run.client);
            } else if (this.current === run) {
                this.lost.fire();
            }
        });
        try {
            await run.client.start();
            // The start of a program that ends at once succeeds, as the client sees it.
            if (!run.client.isRunning()) {
                throw new Error('it has ended');
            }
            run.hasStarted = true;
        } catch (error) {
            this.log.error(`${found.program}: ${String(error)}`);
            void this.tell(`${found.program} does not start as a language server`, openSettings, showLog);
        }
    }

    private async answers(client: LanguageClient): Promise<void> {
        // Until the start is complete, the server does not know what is open.
        await client.start();
        this.checkVersion(client);
        client.onNotification(previewChanged, ({ textDocument }) => this.changed.fire(textDocument.uri));
        this.ready.fire();
    }

    private async stopNow(): Promise<void> {
        const run = this.current;
        this.current = undefined;
        if (run !== undefined) {
            this.lost.fire();
            await run.end().catch((error: unknown) => this.log.debug(String(error)));
        }
    }

    private giveUp(): void {
        this.log.error('the server ended too often; it is not started again');
        void this.tell(
            `The promptls server ended ${waits.length + 1} times and is not started again`,
            restart,
            showLog,
        );
    }

    /** Says so if the server is of another release than the extension. */
    private checkVersion(client: LanguageClient): void {
        const theirs = client.initializeResult?.serverInfo?.version ?? 'of an unknown version';
        const ours: string = this.context.extension.packageJSON.version;
        if (release(theirs) === release(ours)) {
            return;
        }
        const message =
            `The promptls server is ${theirs}, and the extension ${ours}. ` +
            'Some features may be missing until both are of the same release';
        this.log.warn(message);
        // Once is enough: it may well be on purpose.
        const told = 'toldOfVersions';
        if (this.context.globalState.get(told) !== message) {
            void this.context.globalState.update(told, message);
            void this.follow(vscode.window.showWarningMessage(message, openSettings, showLog));
        }
    }

    private tell(message: string, ...ways: string[]): Promise<void> {
        return this.follow(vscode.window.showErrorMessage(message, ...ways));
    }

    /** Does what the user picks in a message. */
    private async follow(message: Thenable<string | undefined>): Promise<void> {
        const way = await message;
        if (way === openSettings) {
            await vscode.commands.executeCommand('workbench.action.openSettings', pathSetting);
        } else if (way === showLog) {
            this.log.show();
        } else if (way === restart) {
            await this.restart();
        }
    }
}

/** The part of a version that has to fit: 0.1 of 0.1.3. */
function release(version: string): string {
    return version.split('.').slice(0, 2).join('.');
}

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

/** A client, from start to stop, through all new starts of its server. */
class Run {
    readonly client: LanguageClient;
    /** Whether the server has ever answered: one that never did is not started again. */
    hasStarted = false;
    private isEnding = false;
    private ends: number[] = [];
    private wake: () => void = () => {};

    constructor(
        log: vscode.LogOutputChannel,
        program: string,
        private readonly giveUp: () => void,
    ) {
        const options: LanguageClientOptions = {
            documentSelector: documentSelector(),
            initializationOptions: {
                preview: true,
                pages: true,
                commands: ['promptls.openPreview', 'promptls.pickCase'],
            },
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
    }

    async end(): Promise<void> {
        this.isEnding = true;
        this.wake();
        await this.client.dispose();
    }

    /** The server has ended without being asked to. */
    private async closed(): Promise<CloseHandlerResult> {
        const stay = { action: CloseAction.DoNotRestart, handled: true };
        if (!this.hasStarted || this.isEnding) {
            return stay;
        }
        const now = Date.now();
        this.ends = [...this.ends.filter((end) => now - end < memory), now];
        const wait = waits[this.ends.length - 1];
        if (wait === undefined) {
            this.giveUp();
            return stay;
        }
        await new Promise<void>((resolve) => {
            this.wake = resolve;
            setTimeout(resolve, wait);
        });
        return this.isEnding ? stay : { action: CloseAction.Restart, handled: true };
    }
}
