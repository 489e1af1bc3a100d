// The messages of promptls. Made from the types in ../src; do not edit:
// UPDATE=1 cargo test -p promptls-protocol

export interface ClientNotifications {
    'promptls/cursor': CursorParams;
}

export interface Requests {
    'promptls/preview': [PreviewParams, PreviewAnswer | null];
    'promptls/cases': [PromptParams, PromptCases | null];
    'promptls/values': [ValuesParams, Array<ShownValue> | null];
    'promptls/tokens': [TokensParams, Array<PromptToken> | null];
    'promptls/inputs': [PromptParams, InputsForm | null];
    'promptls/messages': [PromptParams, Chat | null];
    'promptls/size': [SizeParams, Size | null];
    'promptls/compare': [CompareParams, Comparison | null];
    'promptls/prompts': [PromptsParams, PromptTree | null];
    'promptls/engine': [PromptParams, PromptEngine | null];
    'promptls/likelyPrompt': [LikelyPromptParams, LikelyPrompt | null];
    'promptls/templates': [TemplatesParams, TemplateList];
}

export interface ServerNotifications {
    'promptls/previewChanged': PreviewChangedParams;
    'promptls/promptsChanged': PromptsChangedParams;
}

export const selectCase = 'promptls.selectCase';
export const createInputs = 'promptls.createInputs';
export const setInput = 'promptls.setInput';
export const addPrompt = 'promptls.addPrompt';
export const nameEngine = 'promptls.nameEngine';
export const convertPrompt = 'promptls.convertPrompt';
export const createPrompt = 'promptls.createPrompt';
export const pullPrompt = 'promptls.pullPrompt';
export const pushPrompt = 'promptls.pushPrompt';

/** A case that can be shown. */
export type Case = {
    /** The name, from the name of its inputs file. */
    name: string,
    /** The URI of the inputs file. */
    uri: string | null,
    /** The number of errors of the prompt in this case. */
    errors: number,
    /** The number of warnings of the prompt in this case. */
    warnings: number,
    /** The URI of its resolved text, for `workspace/textDocumentContent`. */
    resolvedUri: string | null,
};

/** A resolved prompt as chat messages. */
export type Chat = {
    /** The case; `null` without any inputs. */
    case: string | null,
    /** The messages in order; at least one. */
    messages: Array<ChatMessage>,
    /** The error that the engine raises instead of sending the text. */
    error: EngineError | null,
};

/** A chat message in the common format of model APIs. `promptls resolve --format messages` prints a
 * list of them. */
export type ChatMessage = {
    /** The role of the sender. */
    role: Role,
    /** The text of the message. */
    content: string,
};

/** One problem: a line of `promptls check --format jsonl`. */
export type CheckLine = {
    /** [`CHECK_LINE_VERSION`]: increased when a field is removed or changes its meaning. */
    version: number,
    /** The code, as `promptls explain` accepts it. */
    code: string,
    /** The severity of the problem. */
    severity: Severity,
    /** The message, in one sentence. */
    message: string,
    /** The names that the problem refers to. */
    names: Array<string>,
    /** The path of the file. */
    file: string,
    /** The name of the prompt in the file. Omitted if the file is a single prompt, and for problems
     * of the whole file. */
    prompt?: string,
    /** The range in the file. */
    range: FileRange,
    /** Other locations that explain the problem. */
    related: Array<FileRelatedInformation>,
};

/** The problems of some prompts: `promptls check --format json`. */
export type CheckOutput = {
    /** [`CHECK_OUTPUT_VERSION`]: increased when a field is removed or changes its meaning. */
    version: number,
    /** The problems, sorted by file and position. */
    problems: Array<FileProblem>,
    /** The numbers of prompts and problems. */
    summary: CheckSummary,
};

/** The numbers of prompts and problems. */
export type CheckSummary = {
    /** Prompts that were read and checked. */
    prompts: number,
    /** Files that could not be read completely. Each has a problem with the reason. Also includes
     * folders and named files that could not be read; these are reported on stderr. */
    unread: number,
    /** Prompts that were found and whose text only the running program has, so that they were not
     * checked. Each has a problem with the code `computed-prompt`. */
    computed: number,
    /** The number of problems with severity `error`. */
    errors: number,
    /** The number of problems with severity `warning`. */
    warnings: number,
    /** The number of problems with severity `info`. */
    infos: number,
    /** The number of problems with severity `hint`. */
    hints: number,
};

/** The only argument of each command of the server. */
export type CommandArgument = {
    /** The URI of the prompt's file. */
    uri: string,
    /** The name of the prompt among those of its file. */
    task?: string,
    /** A position in the prompt, if `task` is missing. Without both, the first prompt. */
    position?: Position,
    /** The name of the case. */
    case?: string,
    /** The case whose values are copied to a new one. */
    from?: string,
    /** The dialect of a new prompt, by its name in `promptls.toml`. */
    dialect?: string,
    /** The engine of a prompt, by its name in `promptls.toml`. */
    engine?: string,
    /** The template of a new prompt. */
    template?: string,
    /** The arguments of the template, in its order. Missing or empty ones become placeholders. */
    arguments?: Array<string>,
    /** The language of a new prompt, such as `pt-BR`; the default is that of the settings. */
    language?: string,
    /** The description of the change, for the store. */
    message?: string,
    /** The value to change: the keys from the root of the inputs. */
    keys?: Array<string>,
    /** The new value, which may be `null`. If it is missing, the value is removed. */
    value?: unknown,
};

/** The params of `promptls/compare`: a prompt and the two sides to compare. */
export type CompareParams = {
    /** The URI of the prompt's file. */
    textDocument: TextDocumentIdentifier,
    /** The default case of both sides; without it, the selected case. */
    case?: string,
    /** The key of the prompt in a pack. */
    task?: string,
    /** A position in the prompt of a pack, if `task` is missing. Without both, the first prompt. */
    position?: Position,
    /** The older side, or the one to compare with. */
    left: Side,
    /** The newer side of the comparison. */
    right: Side,
};

/** A part of both texts. */
export type ComparedPart = {
    /** The part is equal in both texts. */
    same: boolean,
    /** Offsets into the left text. */
    left: [number, number],
    /** Offsets into the right text. */
    right: [number, number],
};

/** A resolved text to compare. */
export type ComparedText = {
    /** The name of its case; `null` without any inputs. */
    case: string | null,
    /** The revision; `null` for the present text. */
    revision: string | null,
    /** A note about the text in one sentence, for example that its inputs are newer than its
     * revision. `null` if there is none. */
    note: string | null,
    /** The text, resolved in this case. */
    text: string,
    /** The error that the engine raises instead of sending it. */
    error: EngineError | null,
};

/** Two texts and their differences. */
export type Comparison = {
    /** The text of `left`, with its case and revision. */
    left: ComparedText,
    /** The text of `right`, with its case and revision. */
    right: ComparedText,
    /** All parts of both texts, in order and without gaps. */
    parts: Array<ComparedPart>,
};

/** The effective settings: `promptls config --format json`. */
export type ConfigOutput = {
    /** [`CONFIG_OUTPUT_VERSION`]: increased when a field is removed or changes its meaning. */
    version: number,
    /** Each setting once, except those of rules and ignores. */
    settings: Array<Setting>,
};

/** The params of `promptls/cursor`, a notification without a response. */
export type CursorParams = {
    /** The document that contains the cursor. */
    textDocument: TextDocumentIdentifier,
    /** The position of the cursor. */
    position: Position,
};

/** The changes in texts that models receive: `promptls diff --format json`. */
export type DiffOutput = {
    /** [`DIFF_OUTPUT_VERSION`]: increased when a field is removed or changes its meaning. */
    version: number,
    /** The older revision; omitted if cases are compared. */
    from?: string,
    /** The newer revision; omitted for the present files. */
    to?: string,
    /** The number of compared texts. */
    compared: number,
    /** The texts that differ, sorted by file. */
    differences: Array<Difference>,
};

/** A text that differs, or exists only on one side. */
export type Difference = {
    /** The path of the prompt's file. */
    file: string,
    /** Its previous path, if it was moved. */
    moved_from?: string,
    /** Its name in the file; omitted if the file is a single prompt. */
    task?: string,
    /** The kind of change: a different, a new or a removed text. */
    kind: DifferenceKind,
    /** The older text; `null` if there was none. */
    left: ComparedText | null,
    /** The newer text; `null` if there is none. */
    right: ComparedText | null,
    /** The parts of both texts, in bytes; empty if one of them is missing. */
    parts: Array<ComparedPart>,
    /** The number of words only in the left text. */
    removed_words: number,
    /** The number of words only in the right text. */
    added_words: number,
    /** The number of tokens in the left text. */
    left_tokens: number,
    /** The number of tokens in the right text. */
    right_tokens: number,
};

/** The kind of change of a text. */
export type DifferenceKind = "changed" | "added" | "removed";

/** The file that a command has edited. The `workspace/applyEdit` request precedes this response. */
export type EditedInputs = {
    /** The URI of the file, or of the text file that an inputs file names. */
    uri: string,
    /** The position of the edited value after the edit, or of the first value in a new file. `null`
     * if it is unknown. */
    position: Position | null,
};

/** An engine that a rule could name. */
export type EngineChoice = {
    /** The engine in the syntax of `promptls.toml`: `adk-python@2.13`. */
    engine: string,
    /** The display name: `ADK for Python 2.13`. */
    title: string,
    /** The evidence that the project uses it: `uv.lock has google-adk 2.13.0`. Omitted if there is
     * none. */
    reason?: string,
};

/** The error that the engine would raise. */
export type EngineError = {
    /** The kind of failure, such as `missing` for a name without a value. */
    kind: ErrorKind,
    /** The affected names, in the engine's order. */
    names: Array<string>,
    /** The message of the engine, where it is known. */
    message: string,
    /** The whole prompt, if the engine's error contains it. Only `promptls resolve` includes it. */
    template?: string,
    /** The text that is sent in spite of the error, described in one sentence. Omitted if none is
     * sent. */
    instead?: string,
};

/** The kind of failure in an engine. */
export type ErrorKind = "missing" | "type" | "validation" | "limit" | "unresolved" | "declaration" | "engine";

/** A value that can be edited separately. */
export type Field = {
    /** The keys from the root of the inputs. */
    keys: Array<string>,
    /** The same path, in the syntax of the prompt. */
    path: string,
    /** The type of its values. */
    type: FieldType,
    /** The effective value; omitted if there is none. */
    value?: unknown,
    /** The source of the value. */
    from: FieldOrigin,
    /** The range of the value in its source; omitted if it has none. */
    location?: Location,
    /** The allowed values, if they are restricted. */
    options?: unknown[],
    /** The description in its declaration; omitted if there is none. */
    description?: string,
    /** Other constraints of the declaration, each in a few words. */
    rules: Array<string>,
    /** The engine fails without a value. */
    required: boolean,
    /** The prompt uses the value. */
    used: boolean,
    /** The problems of the value. */
    problems: Array<FieldProblem>,
};

/** The source of a field's value. */
export type FieldOrigin = "inputs" | "default" | "file" | "runtime" | "missing";

/** A problem of a field. */
export type FieldProblem = {
    /** The severity of the problem. */
    severity: Severity,
    /** The message, in one sentence. */
    message: string,
};

/** The type of a field's values. */
export type FieldType = "text" | "integer" | "number" | "boolean" | "list" | "object" | "any";

/** A range of one of the files. */
export type FilePlace = {
    /** The path of the file. */
    file: string,
    /** The range in the file. */
    range: FileRange,
};

/** A position in a file. */
export type FilePosition = {
    /** The line, from 0; editors show it from 1. */
    line: number,
    /** The column, from 0, in characters. */
    character: number,
    /** The offset in the file, from 0, in bytes. */
    byte: number,
};

/** A problem of a prompt or one of its related files. */
export type FileProblem = {
    /** The code, as `promptls explain` accepts it. */
    code: string,
    /** The severity of the problem. */
    severity: Severity,
    /** The message, in one sentence. */
    message: string,
    /** The names that the problem refers to. */
    names: Array<string>,
    /** The path of the file. */
    file: string,
    /** The name of the prompt in the file. Omitted if the file is a single prompt, and for problems
     * of the whole file. */
    prompt?: string,
    /** The range in the file. */
    range: FileRange,
    /** Other locations that explain the problem. */
    related: Array<FileRelatedInformation>,
};

/** A range of a file. */
export type FileRange = {
    /** The position of its first character. */
    start: FilePosition,
    /** The position after its last character. */
    end: FilePosition,
};

/** A location that explains a problem. */
export type FileRelatedInformation = {
    /** The path of the file. */
    file: string,
    /** The range in the file. */
    range: FileRange,
    /** A description of the location. */
    message: string,
};

/** A part of the text with one source, in bytes. */
export type FileRun = {
    /** The range in the text. */
    output: [number, number],
    /** The kind of source. Never `missing` or `runtime`, which occur only in previews. */
    kind: RunKind,
    /** The range in the prompt. */
    source: [number, number],
    /** The name or path of the placeholder; omitted for other kinds. */
    path?: string,
    /** The path of the file that contains the value. */
    file?: string,
    /** The range in that file. */
    value?: [number, number],
    /** The fragments and loops that it passed through, outermost first. */
    via?: Array<Via>,
    /** The sources of a mixed run. */
    parts?: Array<FileRun>,
};

/** A prompt and its source. All offsets are in bytes. */
export type FoundPrompt = {
    /** The path of the file. */
    file: string,
    /** Its name in the file; `null` if the file is a single prompt. */
    name: string | null,
    /** The id of the dialect that it is parsed as. */
    dialect: string,
    /** The engine that it is resolved for; omitted if none is named or follows from the file. */
    engine?: string,
    /** The language of the file; `prompt` if the file is a single prompt. */
    language: string,
    /** The reason why it is a prompt: an API of a framework, a mark, a rule, a name. */
    why: string,
    /** The start and the exclusive end of the prompt in the file. */
    range: [number, number],
    /** The text of the prompt, without escapes of the file. */
    text: string,
    /** Runs of the text: start and end in the text, start and end in the file. */
    map: Array<[number, number, number, number]>,
    /** The parts of the text that are known only at run time; each is U+FFFC in the text. */
    holes: Array<[number, number]>,
};

/** A dependency: one node reads another. */
export type GraphEdge = {
    /** The node that reads, by its index. */
    from: number,
    /** The node that is read, by its index. */
    to: number,
    /** The case, if the edge is from a prompt to its inputs; otherwise omitted. */
    case?: string,
    /** The placeholder, if the edge is from a prompt to the agent or the code that sets its value;
     * otherwise omitted. */
    name?: string,
};

/** A prompt, or something that prompts read. */
export type GraphNode = {
    /** The kind of the node. */
    kind: NodeKind,
    /** The path of its file. */
    file: string,
    /** Its name in the file; omitted if it is the whole file. */
    name?: string,
};

/** The dependencies between prompts and files: `promptls graph --format json`. */
export type GraphOutput = {
    /** [`GRAPH_OUTPUT_VERSION`]: increased when a field is removed or changes its meaning. */
    version: number,
    /** The nodes, sorted by kind and file. */
    nodes: Array<GraphNode>,
    /** The edges, sorted by the node that reads. */
    edges: Array<GraphEdge>,
};

/** A form for the inputs of a case. */
export type InputsForm = {
    /** The name of the case; `null` without any inputs. */
    case: string | null,
    /** The URI of the inputs file to edit; `null` if there is none yet. */
    uri: string | null,
    /** All values that can be edited. */
    fields: Array<Field>,
};

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

/** The probable dialect of a text that neither its name nor a rule makes a prompt. */
export type LikelyPrompt = {
    /** The id of the dialect. */
    dialect: string,
    /** The reasons, strongest first. Code in them is in backticks. */
    reasons: Array<string>,
    /** In a data file, the value that is probably a prompt; `None` for a whole file. */
    value?: LikelyValue,
};

/** The params of `promptls/likelyPrompt`: a document that may be a prompt. */
export type LikelyPromptParams = {
    /** The document to examine; its unsaved text is used if it is open. */
    textDocument: TextDocumentIdentifier,
};

/** A value of a data file that is probably a prompt. */
export type LikelyValue = {
    /** Its key path, such as `agents.one.prompt`. */
    path: string,
    /** Its start, as the `position` of `promptls.addPrompt`. */
    position: Position,
};

/** The files that are prompts: `promptls check --list --format json`. */
export type ListOutput = {
    /** The prompts, sorted by file. */
    prompts: Array<ListedPrompt>,
};

/** The reason why a file is a prompt. */
export type ListedBy = "rule" | "name" | "content" | "force";

/** A prompt, and the reason why it is one. */
export type ListedPrompt = {
    /** The path of the file. */
    file: string,
    /** Its name in the file; omitted if the file is a single prompt. */
    task: string | null,
    /** The reason why the file is a prompt. */
    by: ListedBy,
    /** The rule that applies to it; omitted if there is none. */
    rule: ListedRule | null,
    /** The id of the dialect that it is parsed as. */
    dialect: string,
    /** The engine that it is resolved for, such as `adk-python@2.13`; omitted if none is named. */
    engine?: string,
    /** The dialect was detected, because nothing names it. */
    is_guessed: boolean,
    /** The names of its cases. */
    cases: Array<string>,
};

/** A rule of a `promptls.toml`. */
export type ListedRule = {
    /** The path of the `promptls.toml`. */
    file: string,
    /** The number of the rule in that file, from 1. */
    number: number,
};

/** A range of any document. */
export type Location = {
    /** The URI of the document. */
    uri: string,
    /** The range in the document. */
    range: Range,
};

/** Replaces a range of the old map, and moves the runs after it. */
export type MapEdit = {
    /** The range of runs in the old map. */
    range: [number, number],
    /** The new runs of the range. */
    runs: Array<Run>,
    /** The distance by which the runs after the range are moved. */
    moved: Moved,
};

/** A message of the chat that the text is sent as. */
export type Message = {
    /** The role of the sender. */
    role: Role,
    /** The range of the line that names the role; empty if there is none. */
    heading: [number, number],
    /** The range of the message's text. */
    body: [number, number],
};

/** The distance by which runs are moved. It applies to all their offsets in the text, and to their
 * positions in the prompt from `from` on. */
export type Moved = {
    /** The distance in the text, in its units. */
    output: number,
    /** The position in the old prompt before which positions are unchanged. */
    from: Position,
    /** The number of lines in the prompt. */
    line: number,
    /** The number of columns, only for positions in the line of `from`. */
    character: number,
};

/** The source that names the engine of a prompt. */
export type NamedBy = "rule" | "setting" | "language" | "project" | "framework";

/** The kind of a node. */
export type NodeKind = "prompt" | "inputs" | "variables" | "fragment" | "text" | "config" | "code";

/** The origin of a setting. */
export type Origin = {
    /** The kind of the origin. */
    kind: OriginKind,
    /** The path of the `promptls.toml`; omitted for other origins. */
    file?: string,
    /** The line in that file, from 1. */
    line?: number,
};

/** The kind of a setting's origin. */
export type OriginKind = "config" | "name" | "content" | "beside" | "default";

/** The total contribution of a placeholder. */
export type PlaceholderSize = {
    /** The name or path of the placeholder. */
    path: string,
    /** The number of Unicode characters. */
    characters: number,
    /** The number of tokens whose middle is in its values. */
    tokens: number,
    /** The number of its uses in the text. */
    count: number,
};

/** A position in a document. */
export type Position = {
    /** The line, from 0; editors show it from 1. */
    line: number,
    /** The column, from 0, in the negotiated encoding; UTF-16 by default. */
    character: number,
};

/** The prefix of the text that is the same in all cases. */
export type Prefix = {
    /** The offset of the first difference. */
    end: number,
    /** The number of complete tokens in it. */
    tokens: number,
    /** The prefix is long enough to be shown as cacheable: 256 tokens or more. */
    cacheable: boolean,
    /** The number of compared cases. With a single one, the prefix ends at the first placeholder. */
    cases: number,
    /** The source of the first difference; `null` if the texts are equal. */
    until: PrefixEnd | null,
};

/** The source of the text that ends a prefix. */
export type PrefixEnd = {
    /** The placeholder or block; `null` if none can be named. */
    path: string | null,
    /** The range in the prompt. */
    source: Range,
};

/** A resolved prompt: all of it, or the changes since the preview with the given `resultId`. */
export type PreviewAnswer = {
    /** For clients that sent a `previousResultId`. */
    resultId?: string,
    /** The URI of the prompt's file. */
    uri: string,
    /** The version of its text; `null` if it is not open. */
    version: number | null,
    /** The id of the dialect. */
    dialect: string,
    /** The engine that it is resolved for, such as `adk-python@2.13`; omitted if none is named. */
    engine?: string,
    /** The key of the prompt in a pack. */
    task?: string,
    /** The shown case; `null` without any inputs. */
    case: string | null,
    /** All cases of the prompt. */
    cases: Array<Case>,
    /** The error that the engine raises instead of sending the text. */
    error: EngineError | null,
    /** The problems in the shown case. */
    problems: Array<Problem>,
    /** The messages that `promptls resolve --format messages` prints; at least one. */
    messages: Array<Message>,
    /** The root names that the prompt uses, sorted. */
    names: Array<string>,
    /** The size of the text. */
    stats: Stats,
    /** The reason why the preview does not match the files: one of them cannot be parsed, so its
     * last valid version is shown. */
    stale: string | null,
} & (PreviewText | {
    /** The edits that turn the previous preview into this one. */
    edits: PreviewEdits,
});

/** Previous results about this prompt may be stale. */
export type PreviewChangedParams = {
    /** The URI of the prompt's file. */
    textDocument: TextDocumentIdentifier,
    /** The version of its text; `null` if it is not open. */
    version: number | null,
};

/** The changes that turn one preview into another. */
export type PreviewEdits = {
    /** The edit of the text. */
    text: TextEdit,
    /** The edit of its map. */
    map: MapEdit,
};

/** The params of `promptls/preview`: a prompt and the case to show. */
export type PreviewParams = {
    /** The URI of the prompt's file. */
    textDocument: TextDocumentIdentifier,
    /** The case to show; without one, the selected case. */
    case?: string,
    /** The key of the prompt in a pack. */
    task?: string,
    /** A position in the prompt of a pack, if `task` is missing. Without both, the first prompt. */
    position?: Position,
    /** The `resultId` of the preview that the client has, so that the response may contain only
     * changes. Empty if it has none. Omitted by clients that support only whole previews. */
    previousResultId?: string,
};

/** A resolved text with its source map. */
export type PreviewText = {
    /** The text that the engine sends. If the engine would fail, parts that cannot be resolved are
     * unchanged. */
    text: string,
    /** The sources of the text, in order and without gaps. */
    map: Array<Run>,
};

/** A problem of a prompt or one of its related files. */
export type Problem = {
    /** The code, as `promptls explain` accepts it. */
    code: string,
    /** The severity of the problem. */
    severity: Severity,
    /** The message, in one sentence. */
    message: string,
    /** The names that the problem refers to. */
    names: Array<string>,
    /** The location of the problem. */
    location: Location,
    /** Other locations that explain the problem. */
    related: Array<RelatedInformation>,
};

/** A prompt and its cases, without its text. */
export type PromptCases = {
    /** The URI of the prompt's file. */
    uri: string,
    /** The version of its text; `null` if it is not open. */
    version: number | null,
    /** The key of the prompt in a pack. */
    task?: string,
    /** The selected case; `null` without any inputs. */
    case: string | null,
    /** All cases of the prompt. */
    cases: Array<Case>,
    /** The store that it was pulled from; omitted if it was not. */
    store?: string,
    /** The engine that it is resolved for, such as `adk-python@2.13`; omitted if none is named. */
    engine?: string,
    /** The URI of the resolved text in the selected case, for `workspace/textDocumentContent`. */
    resolvedUri: string | null,
};

/** The engine of a prompt, and the possible choices. */
export type PromptEngine = {
    /** The URI of the prompt's file. */
    uri: string,
    /** The id of the dialect. */
    dialect: string,
    /** A short text for a status bar: `ADK for Python 2.13, as in uv.lock`. */
    label: string,
    /** The same in sentences, with the engines that the project uses. */
    about: string,
    /** The named engines; the first one determines what is displayed. Empty if the specification of
     * the dialect applies. */
    engines: Array<string>,
    /** The source of the names; `null` if no engine is named. */
    namedBy: NamedBy | null,
    /** The engines that could be named: first those that the project uses, then the newest of the
     * others. */
    choices: Array<EngineChoice>,
};

/** A prompt, or a place whose prompt is not read. */
export type PromptEntry = FoundPrompt | UnreadPrompt;

/** A folder, a file, a prompt or a case. */
export type PromptNode = {
    /** The kind of the node. */
    kind: PromptNodeKind,
    /** The display name. If a folder contains only another folder, it names both. */
    name: string,
    /** The URI of the folder, or of the file that contains the prompt. */
    uri: string,
    /** The key of the prompt in a pack. */
    task?: string,
    /** The line of the file where a prompt of a pack begins, from 0. */
    line?: number,
    /** The name of a case. */
    case?: string,
    /** The URI of the inputs file of a case. */
    inputs?: string,
    /** The number of errors in the node, as `promptls check` counts them; in a case, those of this
     * case. */
    errors: number,
    /** The number of warnings, counted in the same way. */
    warnings: number,
    /** The number of tokens of the text in a case; for a prompt, the maximum over its cases.
     * Omitted for folders and packs. */
    tokens?: number,
    /** The node has children, which another `promptls/prompts` returns. */
    hasChildren: boolean,
};

/** The kind of a node. */
export type PromptNodeKind = "folder" | "pack" | "prompt" | "case";

/** Identifies a prompt and a case. */
export type PromptParams = {
    /** The URI of the prompt's file. */
    textDocument: TextDocumentIdentifier,
    /** The case; without one, the selected case. */
    case?: string,
    /** The key of the prompt in a pack. */
    task?: string,
    /** A position in the prompt of a pack, if `task` is missing. Without both, the first prompt. */
    position?: Position,
};

/** A part of a placeholder, or another token with a meaning in a prompt. */
export type PromptToken = {
    /** The range in the document. */
    range: Range,
    /** The kind: the name of a semantic token type of the Language Server Protocol. */
    kind: string,
    /** It names something that has no value. */
    isMissing: boolean,
};

/** A node and its children. */
export type PromptTree = {
    /** The requested node; `null` for the whole workspace. */
    node: PromptNode | null,
    /** Its children: folders first; prompts of a pack and cases in source order. */
    children: Array<PromptNode>,
};

/** The files whose previous results are stale. */
export type PromptsChangedParams = {
    /** The URIs of files that may have changed, while their folders have not. Empty if any file or
     * folder may have changed. */
    uris: Array<string>,
};

/** The prompts in some files: `promptls prompts --format json`. */
export type PromptsOutput = Array<PromptEntry>;

/** The params of `promptls/prompts`: a node of the tree. */
export type PromptsParams = {
    /** The URI of a folder, or of a file that contains prompts; without one, the whole workspace. */
    uri?: string,
    /** The key of the prompt in a pack. */
    task?: string,
};

/** A range of a document. */
export type Range = {
    /** The position of its first character. */
    start: Position,
    /** The position after its last character. */
    end: Position,
};

/** A location that explains a problem. */
export type RelatedInformation = {
    /** The location, in any file. */
    location: Location,
    /** A description of the location. */
    message: string,
};

/** A resolved prompt: `promptls resolve --format json`. */
export type ResolveOutput = {
    /** The id of the dialect that it is parsed as. */
    dialect: string,
    /** The engine that it is resolved for, such as `adk-python@2.13`; omitted if none is named. */
    engine?: string,
    /** The case; `null` without any inputs. */
    case: string | null,
    /** The text that the engine sends. If the engine would fail, parts that cannot be resolved are
     * unchanged. */
    text: string,
    /** The error that the engine raises instead. */
    error: EngineError | null,
    /** The problems of the prompt and its related files. */
    problems: Array<FileProblem>,
    /** The source of each byte of the text. */
    map: Array<FileRun>,
    /** The root names that the prompt uses, sorted. */
    names: Array<string>,
};

/** The role of a message's sender. */
export type Role = "system" | "developer" | "user" | "assistant" | "tool" | "function";

/** The reason why nothing is sent for a row. */
export type RowError = {
    /** The kind of failure in the engine; `null` if the row cannot be read. */
    kind: ErrorKind | null,
    /** The affected names, in the engine's order. */
    names: Array<string>,
    /** The message of the engine, where it is known. */
    message: string,
};

/** A resolved row or case: a line of `promptls resolve --rows` and `--all-cases`.
 *
 * Exactly one of `text`, `messages` and `error` is present. */
export type RowOutput = {
    /** The number of the row, from 0. */
    row?: number,
    /** The name of the case. */
    case?: string,
    /** The text that the engine sends. */
    text?: string,
    /** The same as chat messages. */
    messages?: Array<ChatMessage>,
    /** The reason why nothing is sent. */
    error?: RowError,
};

/** A part of the text with one source. */
export type Run = {
    /** The range in the text, as offsets. */
    output: [number, number],
    /** The kind of source, such as `value` for a placeholder. */
    kind: RunKind,
    /** The range in the prompt. */
    source: Range,
    /** The name or path of the placeholder; omitted for other kinds. */
    path?: string,
    /** The location of the value. */
    value?: Location,
    /** The fragments and loops that it passed through, outermost first. */
    via?: Array<Via>,
    /** The sources of a mixed run. */
    parts?: Array<Run>,
};

/** The kind of a run's source. */
export type RunKind = "literal" | "value" | "escape" | "mixed" | "missing" | "runtime";

/** A setting and its origin. */
export type Setting = {
    /** The name of the setting. */
    name: string,
    /** The value; `null` if there is none. */
    value: JsonValue,
    /** The origin of the value. */
    from: Origin,
};

/** The severity of a problem. */
export type Severity = "error" | "warning" | "info" | "hint";

/** A part of a text. */
export type Share = {
    /** The number of Unicode characters. */
    characters: number,
    /** The number of tokens whose middle is in the part. */
    tokens: number,
};

/** A text to draw in place of a placeholder. */
export type ShownValue = {
    /** The range of the placeholder. */
    range: Range,
    /** The text, on one line. */
    text: string,
    /** The kind of the text. */
    kind: ValueKind,
};

/** One of two texts to compare. */
export type Side = {
    /** The case; the default is that of the params. A case that the revision does not have yet uses
     * the inputs of the newer side. These are the present files, or else the right side. */
    case?: string,
    /** A git revision: `HEAD` for the last commit, a branch, a tag. Or `store:NAME` or
     * `store:NAME:LABEL` for the text in the store that the prompt was pulled from. Without it,
     * the present text. */
    revision?: string,
};

/** The size of a text, for a model and for its cache. */
export type Size = {
    /** The version of the prompt; `null` if it is not open. */
    version: number | null,
    /** The measured case; `null` without any inputs. */
    case: string | null,
    /** The token encoding that was used. */
    encoding: string,
    /** All supported token encodings, as values of `encoding`. */
    encodings: Array<string>,
    /** The number of tokens in the whole text. */
    tokens: number,
    /** The maximum that `promptls.toml` allows. */
    maxTokens: number | null,
    /** The text of the prompt itself. */
    literal: Share,
    /** The contributions of placeholders, largest first. */
    placeholders: Array<PlaceholderSize>,
    /** The prefix that is the same in all cases. */
    prefix: Prefix,
};

/** The params of `promptls/size`: a prompt, a case and an encoding. */
export type SizeParams = {
    /** The URI of the prompt's file. */
    textDocument: TextDocumentIdentifier,
    /** The case; without one, the selected case. */
    case?: string,
    /** The key of the prompt in a pack. */
    task?: string,
    /** A position in the prompt of a pack, if `task` is missing. Without both, the first prompt. */
    position?: Position,
    /** The token encoding to use; the default is that of `promptls.toml`. */
    encoding?: string,
};

/** The size of a text. */
export type Stats = {
    /** The length in bytes of UTF-8. */
    bytes: number,
    /** The number of Unicode characters, not of grapheme clusters. */
    characters: number,
    /** The number of words, separated by whitespace. */
    words: number,
    /** The number of lines; the last one needs no line break. */
    lines: number,
};

/** The sizes of prompts: `promptls stats --format json`. */
export type StatsOutput = {
    /** [`STATS_OUTPUT_VERSION`]: increased when a field is removed or changes its meaning. */
    version: number,
    /** Each prompt in each of its cases, sorted by file. */
    texts: Array<TextStats>,
};

/** An argument of a template. */
export type TemplateArgument = {
    /** The name of the placeholder that remains if the argument is missing. */
    name: string,
    /** The description; empty if the template has none. */
    description: string,
    /** An example value; empty if the template has none. */
    example: string,
};

/** A template for a new prompt. */
export type TemplateItem = {
    /** The name of the template. */
    name: string,
    /** Its purpose, in one line. */
    summary: string,
    /** Its arguments, in the order of `promptls.createPrompt`. */
    arguments: Array<TemplateArgument>,
};

/** The templates that are available in a folder. */
export type TemplateList = {
    /** The language of the templates. */
    language: string,
    /** The dialect of the engine that the project around the folder uses; `None` unless there is
     * exactly one. */
    dialect?: string,
    /** The templates, in display order. */
    templates: Array<TemplateItem>,
    /** The reasons why other files are not valid templates. */
    broken: Array<string>,
};

/** The params of `promptls/templates`: a folder and a language. */
export type TemplatesParams = {
    /** The folder of the new prompt, whose `promptls.toml` may name templates. */
    folder: string,
    /** The language of the new prompt; the default is that of the settings. */
    language?: string,
};

/** A document as the Language Server Protocol identifies it, without a version. */
export type TextDocumentIdentifier = {
    /** The URI of the document. */
    uri: string,
};

/** Replaces a range of the old text. */
export type TextEdit = {
    /** Offsets into the old text. */
    range: [number, number],
    /** The new text of the range. */
    new: string,
};

/** The size of a resolved text. */
export type TextStats = {
    /** The path of the prompt's file. */
    file: string,
    /** Its name in the file; omitted if the file is a single prompt. */
    task?: string,
    /** The case; `null` without any inputs. */
    case: string | null,
    /** The token encoding. For models with another one, the numbers are estimates. */
    encoding: string,
    /** The engine would fail; the text then contains unresolved parts. */
    fails: boolean,
    /** The number of Unicode characters in the whole text. */
    characters: number,
    /** The number of tokens in the whole text. */
    tokens: number,
    /** The number of Unicode characters from the prompt itself. */
    literal_characters: number,
    /** The number of tokens from the prompt itself. */
    literal_tokens: number,
    /** The number of tokens at the start that are the same in all cases. */
    prefix_tokens: number,
    /** The contributions of placeholders, largest first. */
    placeholders: Array<PlaceholderSize>,
    /** The cost of sending it once, by the models of the price table; empty without a table. */
    costs: { [key in string]: number },
};

/** The params of `promptls/tokens`: a document and its visible range. */
export type TokensParams = {
    /** The document that contains the prompts. */
    textDocument: TextDocumentIdentifier,
    /** The visible range of the document. */
    range: Range,
};

/** A prompt whose text only the running program has. All offsets are in bytes. */
export type UnreadPrompt = {
    /** The path of the file. */
    file: string,
    /** The start and the exclusive end of its place in the file. */
    range: [number, number],
    /** The reason why it is not read. */
    unread: string,
};

/** The first name of a path that a prompt uses, or that is declared for it. */
export type UsedVariable = {
    /** The name, without the rest of its path. */
    name: string,
    /** The text is incomplete without a value, or the name is declared as required. */
    required: boolean,
    /** The type of its values; omitted if none is declared. */
    type?: string,
    /** Its description; omitted if none is declared. */
    description?: string,
    /** Its uses in the prompt and its fragments; empty if it is only declared. */
    uses: Array<FilePlace>,
};

/** The kind of a text that is drawn in place of a placeholder. */
export type ValueKind = "value" | "missing" | "runtime";

/** The params of `promptls/values`: a document, its visible range and a case. */
export type ValuesParams = {
    /** The document that contains the prompts. */
    textDocument: TextDocumentIdentifier,
    /** The visible range of the document. */
    range: Range,
    /** The case; without one, the selected case. */
    case?: string,
};

/** The names that a prompt uses: `promptls vars --format json`. */
export type VarsOutput = {
    /** The id of the dialect that it is parsed as. */
    dialect: string,
    /** The engine that it is resolved for, such as `adk-python@2.13`; omitted if none is named. */
    engine?: string,
    /** The first names of paths, sorted. */
    variables: Array<UsedVariable>,
};

/** A fragment, or an item of a loop, that output passed through. */
export type Via = {
    /** The name of the fragment. */
    fragment: string,
} | {
    /** The path in the header of the loop. */
    each: string,
    /** The index of the item, from 0. */
    item: number,
};
