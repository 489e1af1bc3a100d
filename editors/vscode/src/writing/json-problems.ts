/** Removes duplicates of VS Code's own problems in JSON files: invalid JSON, and duplicate keys. */

import * as vscode from 'vscode';
import type { Server } from '../server/server';

export class JsonProblems implements vscode.Disposable {
    /** The server's problems in JSON files, and the function that shows some of them. */
    private readonly reports = new Map<string, { problems: vscode.Diagnostic[]; show: (some: vscode.Diagnostic[]) => void }>();
    private readonly subscription: vscode.Disposable;

    constructor(server: Server) {
        server.middleware.handleDiagnostics = (uri, problems, next) => {
            const key = uri.toString();
            if (problems.some((problem) => codeOf(problem) !== undefined)) {
                this.reports.set(key, { problems, show: (some) => next(uri, some) });
            } else {
                this.reports.delete(key);
            }
            next(uri, withoutTwins(uri, problems));
        };
        this.subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
            for (const uri of uris) {
                const reports = this.reports.get(uri.toString());
                if (reports === undefined) {
                    continue;
                }
                const some = withoutTwins(uri, reports.problems);
                const shown = vscode.languages.getDiagnostics(uri).filter((it) => it.source === 'promptls');
                if (some.length !== shown.length) {
                    reports.show(some);
                }
            }
        });
    }

    dispose(): void {
        this.subscription.dispose();
    }
}

/** The server's problems that VS Code also finds in JSON. */
const twins = ['invalid-inputs', 'invalid-declaration', 'duplicate-key'];

function codeOf({ code }: vscode.Diagnostic): string | undefined {
    const id = typeof code === 'object' ? code.value : code;
    return twins.find((it) => it === id);
}

/** The server's problems, except those that VS Code reports as well. */
function withoutTwins(uri: vscode.Uri, ours: vscode.Diagnostic[]): vscode.Diagnostic[] {
    const theirs = vscode.languages.getDiagnostics(uri).filter((it) => /^json/.test(it.source ?? ''));
    // An invalid file has one such problem, at different places in each report.
    const isBroken = theirs.some((it) => it.severity === vscode.DiagnosticSeverity.Error);
    return ours.filter((problem) => {
        const code = codeOf(problem);
        const isAtOne = theirs.some((it) => it.range.intersection(problem.range) !== undefined);
        return code === undefined || !(code === 'invalid-inputs' ? isBroken : isAtOne);
    });
}
