/** Selects the host of the page. */

import type { Connection } from './connection';
import { htmlFileHost } from './html-file';
import { socketHost } from './socket';
import { vscodeHost } from './vscode';

export function pickHost(): Connection {
    return vscodeHost() ?? htmlFileHost() ?? socketHost();
}
