/** A VS Code panel as the host. */

import { Connection } from './connection';

interface VsCode {
    postMessage(message: unknown): void;
    getState(): unknown;
    setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCode;

/** The host of a page in a panel; `undefined` elsewhere. */
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
