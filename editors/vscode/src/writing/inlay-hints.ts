/**
 * Filters the server's inlay hints: fewer if the preview shows the same, or if the settings
 * restrict them to the current line.
 */

import * as vscode from 'vscode';
import { InlayHintRequest } from 'vscode-languageclient';
import type { PreviewPanels } from '../preview/preview-panels';
import type { Server } from '../server/server';

const onlyCurrentLine = 'promptls.inlayHints.onlyCurrentLine';
const besidePreview = 'promptls.inlayHints.besidePreview';

/** The fields of a hint's data that are used here. */
interface HintData {
    of_block?: boolean;
}

export class InlayHints implements vscode.Disposable {
    private readonly subscriptions: vscode.Disposable[];
    /** The lines with hints, if the settings restrict them. */
    private lines = '';

    constructor(
        private readonly server: Server,
        private readonly previews: PreviewPanels,
    ) {
        this.subscriptions = [
            previews.onDidChange(() => this.drawAgain()),
            vscode.window.onDidChangeTextEditorSelection(({ textEditor: { document, selections } }) => {
                const lines = `${document.uri.toString()} ${selections.map((it) => it.active.line).join()}`;
                if (isSet(onlyCurrentLine) && lines !== this.lines) {
                    this.lines = lines;
                    this.drawAgain();
                }
            }),
            vscode.workspace.onDidChangeConfiguration((change) => {
                if (change.affectsConfiguration(onlyCurrentLine) || change.affectsConfiguration(besidePreview)) {
                    this.drawAgain();
                }
            }),
        ];
        server.middleware.provideInlayHints = async (document, range, token, next) => {
            const hints = (await next(document, range, token)) ?? [];
            return hints.filter((hint) => this.isDrawn(document, hint));
        };
    }

    dispose(): void {
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private isDrawn(document: vscode.TextDocument, hint: vscode.InlayHint): boolean {
        if (isSet(onlyCurrentLine)) {
            const editors = vscode.window.visibleTextEditors.filter((it) => it.document === document);
            const selections = editors.flatMap((it) => it.selections);
            if (!selections.some(({ active }) => active.line === hint.position.line)) {
                return false;
            }
        }
        // The effect of a block is not visible in its resolved text.
        const isOfBlock = (hint as { data?: HintData }).data?.of_block === true;
        return isOfBlock || isSet(besidePreview) || !this.previews.isShown(document.uri.toString());
    }

    private drawAgain(): void {
        const feature = this.server.client?.getFeature(InlayHintRequest.method);
        for (const { document } of vscode.window.visibleTextEditors) {
            feature?.getProvider(document)?.onDidChangeInlayHints.fire();
        }
    }
}

function isSet(setting: string): boolean {
    return vscode.workspace.getConfiguration().get(setting, false);
}

