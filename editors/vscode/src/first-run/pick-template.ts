/** Lets the user choose the template of a new prompt. */

import * as vscode from 'vscode';
import { templatesRequest } from '../server/protocol';
import type { TemplateItem, TemplateList } from '../server/protocol';
import type { Server } from '../server/server';

/** A template with its arguments; without a template, the prompt is empty. */
export interface Beginning {
    template?: string;
    arguments: string[];
}

const title = 'New Prompt from Template';

/** The templates of a folder, and the dialect of its project. `undefined` with a server without templates. */
export async function templatesIn(server: Server, folder: vscode.Uri): Promise<TemplateList | undefined> {
    const list = await server.client
        ?.sendRequest(templatesRequest, { folder: folder.toString() })
        .catch((error: Error) => void vscode.window.showWarningMessage(`There are no templates: ${error.message}`));
    return list ?? undefined;
}

/** `undefined` if the user cancels. Without templates, there is nothing to choose. */
export async function pickTemplate(list: TemplateList | undefined): Promise<Beginning | undefined> {
    if (list === undefined) {
        return { arguments: [] };
    }
    if (list.broken.length > 0) {
        void vscode.window.showWarningMessage(list.broken.join('\n'));
    }
    const items: (vscode.QuickPickItem & { template?: TemplateItem })[] = [
        { label: '$(file) Empty Prompt' },
        { label: '', kind: vscode.QuickPickItemKind.Separator },
        ...list.templates.map((template) => ({ label: template.name, description: template.summary, template })),
    ];
    const placeHolder = 'The template to start from';
    const picked = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
    if (picked === undefined) {
        return undefined;
    }
    if (picked.template === undefined) {
        return { arguments: [] };
    }
    const values = await askArguments(picked.template);
    return values && { template: picked.template.name, arguments: values };
}

/** Lets the user enter the arguments in order; an empty one becomes a placeholder. */
async function askArguments(template: TemplateItem): Promise<string[] | undefined> {
    const values: string[] = [];
    for (const { name, description, example } of template.arguments) {
        const value = await vscode.window.showInputBox({
            title: `${title}: ${template.name}`,
            prompt: `${description || name}; leave it empty for a placeholder`,
            placeHolder: example,
            ignoreFocusOut: true,
        });
        if (value === undefined) {
            return undefined;
        }
        values.push(value);
    }
    return values;
}
