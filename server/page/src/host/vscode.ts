/** VS Code's panel as the host. */

import { Connection } from './connection';

interface VsCode {
    postMessage(message: unknown): void;
    getState(): unknown;
    setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCode;

/** The panel, if the page is in one. */
export function vscodeHost(): Connection | undefined {
    if (typeof acquireVsCodeApi !== 'function') {
        return undefined;
    }
    const vscode = acquireVsCodeApi();
    const storage = { read: () => vscode.getState(), write: (state: unknown) => vscode.setState(state) };
    const connection = new Connection(
        (message) => vscode.postMessage(message),
        storage,
        (ready) => {
            addEventListener('message', ({ data }) => connection.receive(data));
            ready();
        },
    );
    return connection;
}
