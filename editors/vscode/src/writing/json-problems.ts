/** Says once what VS Code says of JSON files as well: that one cannot be read, or has a key twice. */

import * as vscode from 'vscode';
import type { Server } from '../server/server';

export class JsonProblems implements vscode.Disposable {
    /** What the server says of JSON files, and how to show some of it. */
    private readonly told = new Map<string, { problems: vscode.Diagnostic[]; show: (some: vscode.Diagnostic[]) => void }>();
    private readonly subscription: vscode.Disposable;

    constructor(server: Server) {
        server.middleware.handleDiagnostics = (uri, problems, next) => {
            const key = uri.toString();
            if (problems.some((problem) => codeOf(problem) !== undefined)) {
                this.told.set(key, { problems, show: (some) => next(uri, some) });
            } else {
                this.told.delete(key);
            }
            next(uri, withoutTwins(uri, problems));
        };
        this.subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
            for (const uri of uris) {
                const told = this.told.get(uri.toString());
                if (told === undefined) {
                    continue;
                }
                const some = withoutTwins(uri, told.problems);
                const shown = vscode.languages.getDiagnostics(uri).filter((it) => it.source === 'promptls');
                if (some.length !== shown.length) {
                    told.show(some);
                }
            }
        });
    }

    dispose(): void {
        this.subscription.dispose();
    }
}

/** Which problems of ours VS Code finds in JSON, too. */
const twins = ['invalid-inputs', 'invalid-declaration', 'duplicate-key'];

function codeOf({ code }: vscode.Diagnostic): string | undefined {
    const id = typeof code === 'object' ? code.value : code;
    return twins.find((it) => it === id);
}

/** Ours, but for those that VS Code has a word for. */
function withoutTwins(uri: vscode.Uri, ours: vscode.Diagnostic[]): vscode.Diagnostic[] {
    const theirs = vscode.languages.getDiagnostics(uri).filter((it) => /^json/.test(it.source ?? ''));
    // A file that does not parse has one such problem, and each says another place.
    const isBroken = theirs.some((it) => it.severity === vscode.DiagnosticSeverity.Error);
    return ours.filter((problem) => {
        const code = codeOf(problem);
        const isAtOne = theirs.some((it) => it.range.intersection(problem.range) !== undefined);
        return code === undefined || !(code === 'invalid-inputs' ? isBroken : isAtOne);
    });
}
