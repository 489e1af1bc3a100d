/** The server's messages beyond LSP, for the client library. */

import type { Preview, Requests, ServerNotifications } from 'promptls-page/protocol';
import { NotificationType, RequestType } from 'vscode-languageclient';

export type { Case, CommandArgument, EditedInputs, LikelyPrompt, Preview, PromptCases, PromptEngine, PromptNode, PromptParams, PromptToken, PromptTree, ShownValue, Size, TemplateItem, TemplateList } from 'promptls-page/protocol';
export { addPrompt, convertPrompt, createInputs, createPrompt, nameEngine, pullPrompt, pushPrompt, selectCase } from 'promptls-page/protocol';

type Request<M extends keyof Requests> = RequestType<Requests[M][0], Requests[M][1], void>;

/** Without a `previousResultId`, so the response is a whole preview. */
export const previewRequest = new RequestType<Requests['promptls/preview'][0], Preview | null, void>('promptls/preview');

export const casesRequest: Request<'promptls/cases'> = new RequestType('promptls/cases');

export const engineRequest: Request<'promptls/engine'> = new RequestType('promptls/engine');

export const sizeRequest: Request<'promptls/size'> = new RequestType('promptls/size');

export const messagesRequest: Request<'promptls/messages'> = new RequestType('promptls/messages');

export const promptsRequest: Request<'promptls/prompts'> = new RequestType('promptls/prompts');

export const templatesRequest: Request<'promptls/templates'> = new RequestType('promptls/templates');

export const valuesRequest: Request<'promptls/values'> = new RequestType('promptls/values');

export const tokensRequest: Request<'promptls/tokens'> = new RequestType('promptls/tokens');

export const likelyPromptRequest: Request<'promptls/likelyPrompt'> = new RequestType('promptls/likelyPrompt');

export const previewChanged = new NotificationType<ServerNotifications['promptls/previewChanged']>(
    'promptls/previewChanged',
);

export const promptsChanged = new NotificationType<ServerNotifications['promptls/promptsChanged']>(
    'promptls/promptsChanged',
);
