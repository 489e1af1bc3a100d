/** All previews: one that follows the editor in front, and those that are pinned to a prompt. */

import type { PageState } from 'promptls-page/page-state';
import * as vscode from 'vscode';
import type { CurrentPrompt } from '../current-prompt';
import type { Server } from '../server/server';
import { PreviewPanel } from './preview-panel';

export const viewType = 'promptls.preview';

export class PreviewPanels implements vscode.Disposable {
    private readonly panels = new Set<PreviewPanel>();
    private readonly changed = new vscode.EventEmitter<void>();
    /** Called when a prompt is shown or no longer shown. */
    readonly onDidChange = this.changed.event;
    private readonly subscriptions: vscode.Disposable[];

    constructor(
        private readonly extension: vscode.Uri,
        private readonly current: CurrentPrompt,
        private readonly server: Server,
    ) {
        const each = (act: (panel: PreviewPanel) => void) => () => this.panels.forEach(act);
        this.subscriptions = [
            current.onDidChange(each((panel) => panel.tellFront())),
            server.onLost(each((panel) => panel.tellLost())),
            server.onReady(each((panel) => panel.tellLost())),
            server.onPreviewChanged((uri) => this.panels.forEach((panel) => panel.tellChanged(uri))),
            vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) =>
                // Typing also moves the cursor; the text must not jump then.
                this.panels.forEach((panel) => panel.tellCursor(textEditor, kind !== undefined)),
            ),
            vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) =>
                this.panels.forEach((panel) => panel.sendScroll(textEditor)),
            ),
            vscode.window.registerWebviewPanelSerializer(viewType, {
                deserializeWebviewPanel: async (panel, state: Partial<PageState> | undefined) => {
                    this.fill(panel);
                    if (state?.uri !== undefined) {
                        void current.follow(state.uri);
                    }
                },
            }),
        ];
        server.middleware.didChange = async (change, next) => {
            await next(change);
            this.panels.forEach((panel) => panel.tellTyped(change.document.uri.toString()));
        };
    }

    /** Opens the preview of the current prompt, or brings it to the front. The focus stays. */
    open(): PreviewPanel {
        const panel = this.shownNow();
        if (panel !== undefined) {
            panel.view.reveal(undefined, true);
            return panel;
        }
        const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
        return this.fill(vscode.window.createWebviewPanel(viewType, 'Prompt Preview', column));
    }

    /** Whether a preview of this prompt can be seen. */
    isShown(uri: string): boolean {
        return [...this.panels].some((it) => it.view.visible && it.shows?.uri === uri);
    }

    /** Compares two cases of the current prompt, or a case with a revision. */
    compare(revision?: string): void {
        this.open().notify('page/compare', revision === undefined ? null : { revision });
    }

    /** Pins the preview to its prompt, or lets it follow again. */
    togglePin(): void {
        const all = [...this.panels];
        const panel = all.find((it) => it.view.active) ?? this.shownNow() ?? all.at(-1);
        panel?.notify('page/pin', { pinned: !panel.shows?.pinned });
    }

    dispose(): void {
        this.panels.forEach((panel) => panel.view.dispose());
        this.changed.dispose();
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    /** The panel that shows the current prompt: the following one, or one that is pinned to it. */
    private shownNow(): PreviewPanel | undefined {
        const all = [...this.panels];
        const uri = this.current.prompt?.uri;
        return all.find((it) => it.shows?.uri === uri && it.shows?.pinned) ?? all.find((it) => !it.shows?.pinned);
    }

    private fill(view: vscode.WebviewPanel): PreviewPanel {
        const panel = new PreviewPanel(this.extension, view, this.current, this.server, () => this.changed.fire());
        this.panels.add(panel);
        view.onDidChangeViewState(() => this.changed.fire());
        view.onDidDispose(() => {
            this.panels.delete(panel);
            this.changed.fire();
            this.updateMenus();
        });
        this.updateMenus();
        return panel;
    }

    private updateMenus(): void {
        void vscode.commands.executeCommand('setContext', 'promptls.hasPreview', this.panels.size > 0);
    }
}
