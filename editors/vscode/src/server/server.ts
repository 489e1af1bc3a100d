/**
 * The language server for the rest of the extension: starts, restarts and shuts it down, and
 * reports when it is ready.
 */

import * as vscode from 'vscode';
import { State } from 'vscode-languageclient/node';
import type { LanguageClient, Middleware } from 'vscode-languageclient/node';
import type { Hosts } from '../hosts/hosts';
import { findProgram, pathSetting } from './program';
import { previewChanged, promptsChanged } from './protocol';
import { RestartingClient, restartDelays } from './restarting-client';

const openSettings = 'Open Settings';
const showLog = 'Show Log';
const restart = 'Restart Server';

export class Server implements vscode.Disposable {
    /** Hooks for requests and responses, which other modules set; for each server that is started. */
    readonly middleware: Middleware = {};
    private current: RestartingClient | undefined;
    private begun: Promise<void> | undefined;
    /** Starts and stops run sequentially, however fast they are requested. */
    private queue: Promise<void> = Promise.resolve();
    private readonly ready = new vscode.EventEmitter<void>();
    private readonly lost = new vscode.EventEmitter<void>();
    private readonly changed = new vscode.EventEmitter<string>();
    private readonly promptsAged = new vscode.EventEmitter<string[]>();

    /** Called when a server is ready, for the first time or again. */
    readonly onReady = this.ready.event;
    /** Called when the server has ended; another one may follow. */
    readonly onLost = this.lost.event;
    /**
     * Called when data about the prompt with a URI may be outdated. The client library supports
     * only one listener.
     */
    readonly onPreviewChanged = this.changed.event;
    /**
     * Called when data about the prompts of the workspace may be outdated: for some files, or for
     * all if there are none.
     */
    readonly onPromptsChanged = this.promptsAged.event;

    constructor(
        private readonly context: vscode.ExtensionContext,
        private readonly log: vscode.LogOutputChannel,
        private readonly hosts: Hosts,
    ) {}

    /** The client, while the server is running. */
    get client(): LanguageClient | undefined {
        return this.current?.client.isRunning() ? this.current.client : undefined;
    }

    /** Starts the server unless it was started already. Errors are shown to the user. */
    start(): Promise<void> {
        this.begun ??= this.enqueue(() => this.startNow());
        return this.begun;
    }

    /** Shuts the server down, if there is one, and starts it with the current settings. */
    restart(): Promise<void> {
        if (this.begun === undefined) {
            return this.start();
        }
        return this.enqueue(async () => {
            await this.stopNow();
            await this.startNow();
        });
    }

    /** Restarts the server if it was started with other settings. Does nothing if it was not started yet. */
    async renew(areOther = false): Promise<void> {
        if (this.begun === undefined) {
            return;
        }
        return this.enqueue(async () => {
            const found = await findProgram(this.context);
            const run = this.current;
            const isSame = 'program' in found && run?.program === found.program;
            if (areOther || !isSame || run.isTrusted !== vscode.workspace.isTrusted) {
                await this.stopNow();
                await this.startNow();
            }
        });
    }

    /** Shuts the server down, if there is one. */
    stop(): Promise<void> {
        return this.enqueue(() => this.stopNow());
    }

    dispose(): void {
        void this.stop();
        this.ready.dispose();
        this.lost.dispose();
        this.changed.dispose();
        this.promptsAged.dispose();
    }

    private enqueue(task: () => Promise<void>): Promise<void> {
        this.queue = this.queue.then(task).catch((error: unknown) => this.log.error(String(error)));
        return this.queue;
    }

    private async startNow(): Promise<void> {
        const found = await findProgram(this.context);
        if ('missing' in found) {
            this.log.error(found.missing);
            void this.showError(found.missing, openSettings, showLog);
            return;
        }
        this.log.info(`starting ${found.program}`);
        const run = new RestartingClient(this.log, found.program, this.hosts, this.middleware, () => this.giveUp());
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
            // For the client, the start of a program that ends at once succeeds.
            if (!run.client.isRunning()) {
                throw new Error('it has ended');
            }
            run.hasStarted = true;
        } catch (error) {
            this.log.error(`${found.program}: ${String(error)}`);
            void this.showError(`${found.program} does not start as a language server`, openSettings, showLog);
        }
    }

    private async answers(client: LanguageClient): Promise<void> {
        // Until the start is complete, the server has not received the open documents.
        await client.start();
        this.checkVersion(client);
        client.onNotification(previewChanged, ({ textDocument }) => this.changed.fire(textDocument.uri));
        client.onNotification(promptsChanged, ({ uris }) => this.promptsAged.fire(uris));
        this.ready.fire();
    }

    private async stopNow(): Promise<void> {
        const run = this.current;
        this.current = undefined;
        if (run !== undefined) {
            this.lost.fire();
            await run.shutDown().catch((error: unknown) => this.log.debug(String(error)));
        }
    }

    private giveUp(): void {
        this.log.error('the server stopped too often; it is not restarted');
        void this.showError(
            `The promptls server stopped ${restartDelays.length + 1} times and is not restarted`,
            restart,
            showLog,
        );
    }

    /** Warns if the server has another release than the extension. */
    private checkVersion(client: LanguageClient): void {
        const theirs = client.initializeResult?.serverInfo?.version ?? 'of an unknown version';
        const ours: string = this.context.extension.packageJSON.version;
        if (release(theirs) === release(ours)) {
            return;
        }
        const message =
            `The promptls server is ${theirs}, but the extension is ${ours}. ` +
            'Some features may be missing until both have the same version';
        this.log.warn(message);
        // Once is enough: it may be intentional.
        const key = 'toldOfVersions';
        if (this.context.globalState.get(key) !== message) {
            void this.context.globalState.update(key, message);
            void this.actOn(vscode.window.showWarningMessage(message, openSettings, showLog));
        }
    }

    private showError(message: string, ...ways: string[]): Promise<void> {
        return this.actOn(vscode.window.showErrorMessage(message, ...ways));
    }

    /** Performs the action that the user selects in a message. */
    private async actOn(message: Thenable<string | undefined>): Promise<void> {
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

/** The compatible part of a version: 0.1 of 0.1.3. */
function release(version: string): string {
    return version.split('.').slice(0, 2).join('.');
}
