/** The page of the preview in a webview. */

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The HTML of a webview. Its policy allows only the page's script, and nothing from other origins. */
export function webviewHtml(webview: vscode.Webview, dist: vscode.Uri): string {
    const nonce = randomBytes(16).toString('base64url');
    const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
    const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Prompt Preview</title>
<link rel="stylesheet" nonce="${nonce}" href="${uri('page.css')}">
</head>
<body>
<div id="app"></div>
<script nonce="${nonce}" src="${uri('page.js')}"></script>
</body>
</html>`;
}
