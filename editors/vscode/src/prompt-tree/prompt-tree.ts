/**
 * The prompts of the workspace in the Explorer, with their cases, problems and tokens.
 *
 * The data comes from the server. A level is requested when it is expanded, and again when the
 * server reports a change. The view is visible only if there are prompts.
 */

import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { counted } from '../cases/problem-counts';
import { promptsRequest } from '../server/protocol';
import type { PromptNode, PromptTree as Level } from '../server/protocol';
import type { Server } from '../server/server';

/**
 * The scheme of the nodes' URIs, so that other extensions do not decorate them. Their figures are
 * in the query.
 */
const nodeScheme = 'promptls-node';

/** The delay between two requests, in milliseconds: figures may be that much older than the text. */
const betweenLooks = 300;

export class PromptTree implements vscode.TreeDataProvider<PromptNode>, vscode.FileDecorationProvider, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<PromptNode | undefined>();
    readonly onDidChangeTreeData = this.changed.event;
    /** The nodes of the view, by `keyOf`. */
    private nodes = new Map<string, PromptNode>();
    /** The files that may have changed; `undefined` for everything. */
    private old: Set<string> | undefined = new Set();
    private looking: Promise<void> | undefined;
    private readonly subscriptions: vscode.Disposable[];

    constructor(private readonly server: Server) {
        this.subscriptions = [
            vscode.window.createTreeView('promptls.prompts', { treeDataProvider: this, showCollapseAll: true }),
            vscode.window.registerFileDecorationProvider(this),
            server.onReady(() => this.look([])),
            server.onPromptsChanged((uris) => this.look(uris)),
        ];
    }

    async getChildren(node?: PromptNode): Promise<PromptNode[]> {
        const level = await this.request(node && { uri: node.uri, ...(node.task !== undefined && { task: node.task }) });
        if (node === undefined) {
            this.nodes.clear();
            await vscode.commands.executeCommand('setContext', 'promptls.hasPrompts', (level?.children.length ?? 0) > 0);
        }
        for (const child of level?.children ?? []) {
            this.nodes.set(keyOf(child), child);
        }
        return level?.children ?? [];
    }

    getTreeItem(node: PromptNode): vscode.TreeItem {
        const { None, Collapsed } = vscode.TreeItemCollapsibleState;
        const item = new vscode.TreeItem(node.name, node.hasChildren ? Collapsed : None);
        const tokens = node.tokens === undefined ? undefined : `${node.tokens.toLocaleString('en')} tokens`;
        const atMost = tokens !== undefined && node.hasChildren ? `at most ${tokens} in a case` : tokens;
        const words = [node.name, counted(node), atMost].filter(Boolean).join(', ');
        item.id = keyOf(node);
        item.contextValue = node.kind;
        item.resourceUri = standIn(node);
        item.iconPath = icons[node.kind];
        item.tooltip = words;
        item.accessibilityInformation = { label: words };
        if (tokens !== undefined) {
            item.description = tokens;
        }
        if (node.kind === 'prompt' || node.kind === 'case') {
            item.command = { command: 'promptls.openNode', title: 'Open', arguments: [node] };
        }
        return item;
    }

    provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
        if (uri.scheme !== nodeScheme) {
            return undefined;
        }
        const figures = new URLSearchParams(uri.query);
        const errors = Number(figures.get('errors'));
        const warnings = Number(figures.get('warnings'));
        if (errors + warnings === 0) {
            return undefined;
        }
        const colour = errors > 0 ? 'list.errorForeground' : 'list.warningForeground';
        const badge = errors + warnings > 99 ? '9+' : String(errors + warnings);
        return new vscode.FileDecoration(badge, counted({ errors, warnings }), new vscode.ThemeColor(colour));
    }

    dispose(): void {
        this.changed.dispose();
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    /** Requests some files again, or everything if there are none; one request is pending at a time. */
    private look(uris: string[]): void {
        this.old = uris.length === 0 ? undefined : this.old && new Set([...this.old, ...uris]);
        this.looking ??= this.lookAtOld().finally(() => {
            this.looking = undefined;
        });
    }

    private async lookAtOld(): Promise<void> {
        while (this.old === undefined || this.old.size > 0) {
            const { old } = this;
            this.old = new Set();
            if (old === undefined) {
                await this.lookAtAll();
            }
            for (const uri of old ?? []) {
                await this.lookAt(uri);
            }
            await setTimeout(betweenLooks);
        }
    }

    /** A visible view requests its expanded nodes; otherwise only the existence of prompts is checked. */
    private async lookAtAll(): Promise<void> {
        const level = await this.request();
        await vscode.commands.executeCommand('setContext', 'promptls.hasPrompts', (level?.children.length ?? 0) > 0);
        this.changed.fire(undefined);
    }

    private async lookAt(uri: string): Promise<void> {
        const shown = this.nodes.get(keyOf({ uri }));
        const level = shown && (await this.request({ uri }));
        if (shown && level?.node) {
            this.changed.fire(Object.assign(shown, level.node));
        }
    }

    /** `null` if there are no prompts, or the server does not support the request. */
    private async request(params: { uri?: string; task?: string } = {}): Promise<Level | null> {
        const { client } = this.server;
        if (!client?.initializeResult?.capabilities.experimental?.promptls?.methods?.includes(promptsRequest.method)) {
            return null;
        }
        // It fails only if the server ends meanwhile; the next one is requested again.
        return client.sendRequest(promptsRequest, params).catch(() => null);
    }
}

/** The file of a node; for a case, its inputs. */
export function fileOf(node: PromptNode): vscode.Uri {
    return vscode.Uri.parse(node.inputs ?? node.uri);
}

const icons = {
    folder: vscode.ThemeIcon.Folder,
    pack: vscode.ThemeIcon.File,
    prompt: vscode.ThemeIcon.File,
    case: new vscode.ThemeIcon('beaker'),
};

function keyOf({ uri, task, case: name }: Pick<PromptNode, 'uri' | 'task' | 'case'>): string {
    return JSON.stringify([uri, task, name]);
}

function standIn({ uri, task, case: name, errors, warnings }: PromptNode): vscode.Uri {
    return vscode.Uri.from({
        scheme: nodeScheme,
        path: vscode.Uri.parse(uri).path,
        query: `errors=${errors}&warnings=${warnings}`,
        fragment: [task, name].filter(Boolean).join('/'),
    });
}
