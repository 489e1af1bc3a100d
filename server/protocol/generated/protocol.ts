// What promptls says to programs. Made from the types in ../src; do not edit:
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
    /** As the name of its inputs file says it. */
    name: string,
    /** The inputs file. */
    uri: string | null,
    /** How many the prompt has in this case. */
    errors: number,
    /** How many the prompt has in this case. */
    warnings: number,
    /** Its resolved text as a document, for `workspace/textDocumentContent`. */
    resolvedUri: string | null,
};

/** A prompt with its inputs filled in, as messages. */
export type Chat = {
    /** The case; `null` without any inputs. */
    case: string | null,
    /** In order; at least one. */
    messages: Array<ChatMessage>,
    /** What the engine would say instead of sending the text. */
    error: EngineError | null,
};

/** A message of a chat, as the interfaces of models have it; also what `promptls resolve --format
 * messages` prints, in a list. */
export type ChatMessage = {
    /** Who says it. */
    role: Role,
    /** What is said. */
    content: string,
};

/** One problem: a line of `promptls check --format jsonl`. */
export type CheckLine = {
    /** [`CHECK_LINE_VERSION`]: grows when a field goes, or means something else. */
    version: number,
    /** Its code, as `promptls explain` takes it. */
    code: string,
    /** The severity. */
    severity: Severity,
    /** One sentence. */
    message: string,
    /** The names it is about. */
    names: Array<string>,
    /** The file. */
    file: string,
    /** The prompt in the file; left out where the file is the prompt, and for the whole file. */
    prompt?: string,
    /** Where in the file. */
    range: FileRange,
    /** Other places that belong to it. */
    related: Array<FileRelatedInformation>,
};

/** What is wrong with some prompts: `promptls check --format json`. */
export type CheckOutput = {
    /** [`CHECK_OUTPUT_VERSION`]: grows when a field goes, or means something else. */
    version: number,
    /** By file and place. */
    problems: Array<FileProblem>,
    /** How many. */
    summary: CheckSummary,
};

/** How much was found. */
export type CheckSummary = {
    /** Prompts that were read and checked. */
    prompts: number,
    /** Files that could not be read, or not all of them: each has a problem that says why. Folders
     * and named files that could not be read have a line on stderr, and count, too. */
    unread: number,
    /** Problems that are errors. */
    errors: number,
    /** Problems that are warnings. */
    warnings: number,
    /** Problems that are good to know. */
    infos: number,
    /** Problems that are hardly worth a line. */
    hints: number,
};

/** The only argument of each command of the server. */
export type CommandArgument = {
    /** The file of the prompt. */
    uri: string,
    /** Which prompt of a pack, by its key. */
    task?: string,
    /** Which prompt of a pack, if no key says it: the one there; without it, the first. */
    position?: Position,
    /** The case. */
    case?: string,
    /** The case whose values a new one starts with. */
    from?: string,
    /** The dialect of a new prompt, as `promptls.toml` calls it. */
    dialect?: string,
    /** The engine of a prompt, as `promptls.toml` names it. */
    engine?: string,
    /** The template of a new prompt. */
    template?: string,
    /** What its template takes, in its order; what is left out or empty becomes a placeholder. */
    arguments?: Array<string>,
    /** The language that a new prompt is written in, such as `pt-BR`; without it, the one of the
     * settings. */
    language?: string,
    /** Why a prompt was changed, for its store. */
    message?: string,
    /** Which value to change: the keys from the top of the inputs. */
    keys?: Array<string>,
    /** What it shall be, `null` too; without it, it goes. */
    value?: unknown,
};

/** What `promptls/compare` asks for. */
export type CompareParams = {
    /** The file of the prompt. */
    textDocument: TextDocumentIdentifier,
    /** The case of a side that says none; without it, the selected case. */
    case?: string,
    /** Which prompt of a pack, by its key. */
    task?: string,
    /** Which prompt of a pack, if no key says it: the one there; without it, the first. */
    position?: Position,
    /** The older one, or the one to compare with. */
    left: Side,
    /** The other. */
    right: Side,
};

/** A piece of both texts. */
export type ComparedPart = {
    /** Whether it is the same in both. */
    same: boolean,
    /** Offsets into the left text. */
    left: [number, number],
    /** Offsets into the right text. */
    right: [number, number],
};

/** One of the texts. */
export type ComparedText = {
    /** `null` without any inputs. */
    case: string | null,
    /** `null` as it is now. */
    revision: string | null,
    /** What a reader must know about the text, in a sentence: that its inputs are newer than its
     * revision, for example. `null` for nothing. */
    note: string | null,
    /** The resolved text. */
    text: string,
    /** What the engine would say instead of sending it. */
    error: EngineError | null,
};

/** Two texts, and what is different. */
export type Comparison = {
    /** As it was asked for. */
    left: ComparedText,
    /** As it was asked for. */
    right: ComparedText,
    /** In order, without gaps. */
    parts: Array<ComparedPart>,
};

/** The settings that count: `promptls config --format json`. */
export type ConfigOutput = {
    /** [`CONFIG_OUTPUT_VERSION`]: grows when a field goes, or means something else. */
    version: number,
    /** Each once, but for those of rules and ignores. */
    settings: Array<Setting>,
};

/** Where the cursor is. */
export type CursorParams = {
    /** The document. */
    textDocument: TextDocumentIdentifier,
    /** Where in it. */
    position: Position,
};

/** What a model gets otherwise: `promptls diff --format json`. */
export type DiffOutput = {
    /** [`DIFF_OUTPUT_VERSION`]: grows when a field goes, or means something else. */
    version: number,
    /** Since when; left out where cases are compared. */
    from?: string,
    /** Until when; left out for files as they are. */
    to?: string,
    /** How many texts were compared. */
    compared: number,
    /** Those that are not the same, by file. */
    differences: Array<Difference>,
};

/** A text that is another one, or that is only on one side. */
export type Difference = {
    /** The file of the prompt. */
    file: string,
    /** Where it was before it moved. */
    moved_from?: string,
    /** What it is called in its file; left out where the file is the prompt. */
    task?: string,
    /** What became of it. */
    kind: DifferenceKind,
    /** The older one; `null` where there was none. */
    left: ComparedText | null,
    /** The newer one; `null` where there is none. */
    right: ComparedText | null,
    /** What is different, in bytes of the texts; nothing where one of them is missing. */
    parts: Array<ComparedPart>,
    /** Words that only the left text has there. */
    removed_words: number,
    /** Words that only the right text has there. */
    added_words: number,
    /** Tokens of the left text. */
    left_tokens: number,
    /** Tokens of the right text. */
    right_tokens: number,
};

/** What became of a text. */
export type DifferenceKind = "changed" | "added" | "removed";

/** The file that a command has edited, by a `workspace/applyEdit` before this answer. */
export type EditedInputs = {
    /** The file, or the text file that an inputs file names. */
    uri: string,
    /** Where the value is going to be, or the first one of a new file; `null` where that cannot be
     * said. */
    position: Position | null,
};

/** An engine that a rule could name. */
export type EngineChoice = {
    /** As it is written there: `adk-python@2.13`. */
    engine: string,
    /** In words: `ADK for Python 2.13`. */
    title: string,
    /** How we know that the project uses it: `uv.lock has google-adk 2.13.0`; left out if we do
     * not. */
    reason?: string,
};

/** The error that the engine would raise. */
export type EngineError = {
    /** What goes wrong. */
    kind: ErrorKind,
    /** The names it is about, in the engine's order. */
    names: Array<string>,
    /** In the engine's words where they are known. */
    message: string,
    /** The whole prompt, where the engine's error brings it; only `promptls resolve` tells it. */
    template?: string,
    /** What is sent all the same, in a sentence; left out where nothing is. */
    instead?: string,
};

/** What goes wrong in an engine. */
export type ErrorKind = "missing" | "type" | "validation" | "limit" | "unresolved" | "declaration" | "engine";

/** A value that can be edited by itself. */
export type Field = {
    /** The keys from the top of the inputs. */
    keys: Array<string>,
    /** The same as it is written in the prompt. */
    path: string,
    /** What kind of value it takes. */
    type: FieldType,
    /** The value that counts; left out if there is none. */
    value?: unknown,
    /** Where the value comes from. */
    from: FieldOrigin,
    /** Where it is written. */
    location?: Location,
    /** The only values that are allowed. */
    options?: unknown[],
    /** What its declaration says about it. */
    description?: string,
    /** What else is asked of it, each in a few words. */
    rules: Array<string>,
    /** Whether the engine fails without it. */
    required: boolean,
    /** Whether the prompt uses it. */
    used: boolean,
    /** What is wrong with it. */
    problems: Array<FieldProblem>,
};

/** Where the value of a field comes from. */
export type FieldOrigin = "inputs" | "default" | "file" | "runtime" | "missing";

/** What is wrong with a field. */
export type FieldProblem = {
    /** The severity. */
    severity: Severity,
    /** One sentence. */
    message: string,
};

/** What kind of value a field takes. */
export type FieldType = "text" | "integer" | "number" | "boolean" | "list" | "object" | "any";

/** A stretch of one of the files. */
export type FilePlace = {
    /** The file. */
    file: string,
    /** Where in the file. */
    range: FileRange,
};

/** A place in a file. */
export type FilePosition = {
    /** From 0. */
    line: number,
    /** From 0, in characters. */
    character: number,
    /** From the start of the file, from 0. */
    byte: number,
};

/** A problem of a prompt or of a file that belongs to it. */
export type FileProblem = {
    /** Its code, as `promptls explain` takes it. */
    code: string,
    /** The severity. */
    severity: Severity,
    /** One sentence. */
    message: string,
    /** The names it is about. */
    names: Array<string>,
    /** The file. */
    file: string,
    /** The prompt in the file; left out where the file is the prompt, and for the whole file. */
    prompt?: string,
    /** Where in the file. */
    range: FileRange,
    /** Other places that belong to it. */
    related: Array<FileRelatedInformation>,
};

/** A stretch of a file. */
export type FileRange = {
    /** Its first character. */
    start: FilePosition,
    /** The one behind its last. */
    end: FilePosition,
};

/** A place that helps to understand a problem. */
export type FileRelatedInformation = {
    /** The file. */
    file: string,
    /** Where in the file. */
    range: FileRange,
    /** What is to be seen there. */
    message: string,
};

/** A piece of the text that has one origin, in bytes. */
export type FileRun = {
    /** The bytes of the text. */
    output: [number, number],
    /** What it is; neither `missing` nor `runtime`, which only previews tell. */
    kind: RunKind,
    /** The bytes of the prompt. */
    source: [number, number],
    /** The name or path of the placeholder. */
    path?: string,
    /** The file in which the value is written. */
    file?: string,
    /** The bytes of that file. */
    value?: [number, number],
    /** The fragments and loops that it came through, outermost first. */
    via?: Array<Via>,
    /** What a mixed piece was built from. */
    parts?: Array<FileRun>,
};

/** A prompt, and where it is written. All offsets are in bytes. */
export type FoundPrompt = {
    /** The file. */
    file: string,
    /** What it is called in its file; `null` where the file is the prompt. */
    name: string | null,
    /** The id of the dialect that it is read as. */
    dialect: string,
    /** The engine that it is resolved for, where one is named, or follows from the file. */
    engine?: string,
    /** The language of the file; `prompt` where the file is the prompt. */
    language: string,
    /** Why it is one: a place of a framework, a mark, a rule, a name. */
    why: string,
    /** From the first byte of it in the file to the last. */
    range: [number, number],
    /** The text. */
    text: string,
    /** Runs of the text: from and to there, from and to in the file. */
    map: Array<[number, number, number, number]>,
    /** The parts of the text that only the running program knows; each is U+FFFC there. */
    holes: Array<[number, number]>,
};

/** That one reads the other. */
export type GraphEdge = {
    /** Who reads: a position in the nodes. */
    from: number,
    /** What is read: a position in the nodes. */
    to: number,
    /** The case that it is; left out where it is not inputs of a prompt. */
    case?: string,
};

/** A prompt, or something that prompts read. */
export type GraphNode = {
    /** What it is. */
    kind: NodeKind,
    /** The file that it is, or stands in. */
    file: string,
    /** What it is called in its file; left out where it is the file. */
    name?: string,
};

/** Who reads what: `promptls graph --format json`. */
export type GraphOutput = {
    /** [`GRAPH_OUTPUT_VERSION`]: grows when a field goes, or means something else. */
    version: number,
    /** By kind and file. */
    nodes: Array<GraphNode>,
    /** By who reads. */
    edges: Array<GraphEdge>,
};

/** The inputs of a case, to be filled in. */
export type InputsForm = {
    /** `null` without any inputs. */
    case: string | null,
    /** The inputs file that edits go to; `null` if there is none yet. */
    uri: string | null,
    /** The values there are. */
    fields: Array<Field>,
};

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

/** What a text is most likely that no name and no rule makes a prompt. */
export type LikelyPrompt = {
    /** The id of the dialect. */
    dialect: string,
    /** Why, in words with code in backquotes, the strongest reasons first. */
    reasons: Array<string>,
};

/** Which document. */
export type LikelyPromptParams = {
    /** The document. */
    textDocument: TextDocumentIdentifier,
};

/** Which files are prompts: `promptls check --list --format json`. */
export type ListOutput = {
    /** By file. */
    prompts: Array<ListedPrompt>,
};

/** Why a file is a prompt. */
export type ListedBy = "rule" | "name" | "content" | "force";

/** A prompt, and why it is one. */
export type ListedPrompt = {
    /** The file. */
    file: string,
    /** What it is called there; left out where the file is the prompt. */
    task: string | null,
    /** Why the file is one. */
    by: ListedBy,
    /** The rule that counts for it; left out where none does. */
    rule: ListedRule | null,
    /** The dialect that it is read in. */
    dialect: string,
    /** The engine that it is resolved for, where one is named: `adk-python@2.13`. */
    engine?: string,
    /** Whether nobody said that dialect. */
    is_guessed: boolean,
    /** The names of its cases. */
    cases: Array<string>,
};

/** A rule of a `promptls.toml`. */
export type ListedRule = {
    /** The file. */
    file: string,
    /** Which of its rules, from 1. */
    number: number,
};

/** A stretch of a document that may be another. */
export type Location = {
    /** The document. */
    uri: string,
    /** Where in it. */
    range: Range,
};

/** The same for the map; what stands behind it is moved. */
export type MapEdit = {
    /** Which runs of the old map. */
    range: [number, number],
    /** What stands there now. */
    runs: Array<Run>,
    /** How far the runs behind are moved. */
    moved: Moved,
};

/** A message of the chat that the text is sent as. */
export type Message = {
    /** Who says it. */
    role: Role,
    /** The line that names the role; empty where nothing does. */
    heading: [number, number],
    /** What is said. */
    body: [number, number],
};

/** How far runs are moved: all of them in the text, and their places in the prompt from one place on. */
export type Moved = {
    /** Units of the text. */
    output: number,
    /** In the old prompt: places before it stay as they are. */
    from: Position,
    /** Lines of the prompt. */
    line: number,
    /** Columns, for places in the line of `from` alone. */
    character: number,
};

/** Who names the engine of a prompt. */
export type NamedBy = "rule" | "setting" | "language";

/** What reads or is read. */
export type NodeKind = "prompt" | "inputs" | "variables" | "fragment" | "text" | "config";

/** Where a setting comes from. */
export type Origin = {
    /** Of which kind that is. */
    kind: OriginKind,
    /** The `promptls.toml`; left out for the others. */
    file?: string,
    /** The line in that file, from 1. */
    line?: number,
};

/** Of which kind the origin of a setting is. */
export type OriginKind = "config" | "name" | "content" | "beside" | "default";

/** What a placeholder brings, in all its places. */
export type PlaceholderSize = {
    /** Its name or path. */
    path: string,
    /** Unicode's. */
    characters: number,
    /** Those that have their middle in it. */
    tokens: number,
    /** In how many places it stands. */
    count: number,
};

/** A place in a document. */
export type Position = {
    /** From 0. */
    line: number,
    /** From 0, in the units that client and server have agreed on; UTF-16 if they have not. */
    character: number,
};

/** How much of the text is the same in all cases. */
export type Prefix = {
    /** Offset of the first difference. */
    end: number,
    /** Those that are whole. */
    tokens: number,
    /** Whether it is long enough to be shown as a cacheable start: 256 tokens or more. */
    cacheable: boolean,
    /** How many cases were compared. With one, it ends at the first placeholder. */
    cases: number,
    /** What ends it; `null` if the texts are the same. */
    until: PrefixEnd | null,
};

/** What ends a prefix. */
export type PrefixEnd = {
    /** The placeholder or block; `null` where none can be named. */
    path: string | null,
    /** Where it is in the prompt. */
    source: Range,
};

/** A prompt with its inputs filled in: all of it, or what changed in the one whose `resultId` was
 * given. */
export type PreviewAnswer = {
    /** For clients that gave a `previousResultId`. */
    resultId?: string,
    /** The file of the prompt. */
    uri: string,
    /** The version of its text; `null` if it is not open. */
    version: number | null,
    /** The id of the dialect. */
    dialect: string,
    /** The engine that it is resolved for, where one is named: `adk-python@2.13`. */
    engine?: string,
    /** Which prompt of a pack: the key it stands under. */
    task?: string,
    /** The case that is shown; `null` without any inputs. */
    case: string | null,
    /** All that can be shown. */
    cases: Array<Case>,
    /** What the engine would say instead of sending the text. */
    error: EngineError | null,
    /** What is wrong in the case that is shown. */
    problems: Array<Problem>,
    /** The messages that `promptls resolve --format messages` prints; at least one. */
    messages: Array<Message>,
    /** The root names that the prompt uses, sorted. */
    names: Array<string>,
    /** How much text it is. */
    stats: Stats,
    /** Why this is not what the files say now: one that counts cannot be read, and what it last
     * said is shown. */
    stale: string | null,
} & (PreviewText | {
    /** How to make it of the one before. */
    edits: PreviewEdits,
});

/** What was said about this prompt may be old. */
export type PreviewChangedParams = {
    /** The file of the prompt. */
    textDocument: TextDocumentIdentifier,
    /** The version of its text; `null` if it is not open. */
    version: number | null,
};

/** How to make a preview of an older one. */
export type PreviewEdits = {
    /** In the text. */
    text: TextEdit,
    /** In its map. */
    map: MapEdit,
};

/** What `promptls/preview` asks for. */
export type PreviewParams = {
    /** The file of the prompt. */
    textDocument: TextDocumentIdentifier,
    /** The case to show; without one, the selected case. */
    case?: string,
    /** Which prompt of a pack, by its key. */
    task?: string,
    /** Which prompt of a pack, if no key says it: the one there; without it, the first. */
    position?: Position,
    /** The `resultId` of the preview that the client has: then the answer may say what changed in
     * it. Empty for none. Left out by clients that take whole previews only. */
    previousResultId?: string,
};

/** A resolved text, and where all of it comes from. */
export type PreviewText = {
    /** What the engine sends; where it would fail, what could be resolved, the rest as written. */
    text: string,
    /** In order, without gaps. */
    map: Array<Run>,
};

/** A problem of a prompt or of a file that belongs to it. */
export type Problem = {
    /** Its code, as `promptls explain` takes it. */
    code: string,
    /** The severity. */
    severity: Severity,
    /** One sentence. */
    message: string,
    /** The names it is about. */
    names: Array<string>,
    /** Where it is. */
    location: Location,
    /** Other places that belong to it. */
    related: Array<RelatedInformation>,
};

/** A prompt and its cases, without its text. */
export type PromptCases = {
    /** The file of the prompt. */
    uri: string,
    /** The version of its text; `null` if it is not open. */
    version: number | null,
    /** Which prompt of a pack: the key it stands under. */
    task?: string,
    /** The case that is shown; `null` without any inputs. */
    case: string | null,
    /** All that can be shown. */
    cases: Array<Case>,
    /** The store that it was pulled from; left out if it was not. */
    store?: string,
    /** The engine that it is resolved for, where one is named: `adk-python@2.13`. */
    engine?: string,
    /** The resolved text in the case that is shown, as a document for
     * `workspace/textDocumentContent`. */
    resolvedUri: string | null,
};

/** The engine of a prompt. */
export type PromptEngine = {
    /** The file of the prompt. */
    uri: string,
    /** The id of the dialect. */
    dialect: string,
    /** For a status, in a few words: `ADK for Python 2.13, as in uv.lock`. */
    label: string,
    /** The same in sentences, with what the project uses. */
    about: string,
    /** The engines that are named, the one that is shown first; empty where the document of the
     * dialect counts. */
    engines: Array<string>,
    /** Who names them; `null` where nobody does. */
    namedBy: NamedBy | null,
    /** What could be named: first what the project uses, then the newest of the others. */
    choices: Array<EngineChoice>,
};

/** A folder, a file, a prompt or a case. */
export type PromptNode = {
    /** Which of these. */
    kind: PromptNodeKind,
    /** For people. That of a folder which has nothing but another one names both. */
    name: string,
    /** The folder; else the file that holds the prompt. */
    uri: string,
    /** Which prompt of a pack: the key it stands under. */
    task?: string,
    /** The line of the file where a prompt of a pack begins, from 0. */
    line?: number,
    /** The name of a case. */
    case?: string,
    /** The inputs file of a case. */
    inputs?: string,
    /** How many are there, as `promptls check` finds them; in a case, those of this case. */
    errors: number,
    /** As `errors`. */
    warnings: number,
    /** How many the text has in a case, and at most in any case of a prompt; left out for folders
     * and packs. */
    tokens?: number,
    /** Whether there is something below it. */
    hasChildren: boolean,
};

/** What a node is. */
export type PromptNodeKind = "folder" | "pack" | "prompt" | "case";

/** Which prompt, in which case. */
export type PromptParams = {
    /** The file of the prompt. */
    textDocument: TextDocumentIdentifier,
    /** The case; without one, the selected case. */
    case?: string,
    /** Which prompt of a pack, by its key. */
    task?: string,
    /** Which prompt of a pack, if no key says it: the one there; without it, the first. */
    position?: Position,
};

/** A part of a placeholder, or of what else means something in a prompt. */
export type PromptToken = {
    /** Where it stands. */
    range: Range,
    /** What it is: the name of a semantic token type of the Language Server Protocol. */
    kind: string,
    /** Whether it names something that has no value. */
    isMissing: boolean,
};

/** A node, and what is right below it. */
export type PromptTree = {
    /** The one that was asked about; `null` for the whole workspace. */
    node: PromptNode | null,
    /** What is in it: folders first, prompts of a pack and cases as they are written. */
    children: Array<PromptNode>,
};

/** What is old of what was said about prompts. */
export type PromptsChangedParams = {
    /** The files that may be others now, where their folders are not; empty if anything may be. */
    uris: Array<string>,
};

/** The prompts that are there: `promptls prompts --format json`. */
export type PromptsOutput = Array<FoundPrompt>;

/** Which node of the tree is asked about. */
export type PromptsParams = {
    /** A folder, or a file that holds prompts; without one, the whole workspace. */
    uri?: string,
    /** Which prompt of a pack, by its key. */
    task?: string,
};

/** A stretch of a document. */
export type Range = {
    /** Its first character. */
    start: Position,
    /** The one behind its last. */
    end: Position,
};

/** A place that helps to understand a problem. */
export type RelatedInformation = {
    /** Where. */
    location: Location,
    /** What is to be seen there. */
    message: string,
};

/** What became of a prompt: `promptls resolve --format json`. */
export type ResolveOutput = {
    /** The id of the dialect it was read as. */
    dialect: string,
    /** The engine that it is resolved for, where one is named: `adk-python@2.13`. */
    engine?: string,
    /** The case; `null` where there is none. */
    case: string | null,
    /** What the engine sends; where it would fail, what could be resolved, the rest as written. */
    text: string,
    /** What the engine would say instead. */
    error: EngineError | null,
    /** What is wrong. */
    problems: Array<FileProblem>,
    /** Where each byte of the text came from. */
    map: Array<FileRun>,
    /** The root names that the prompt uses, sorted. */
    names: Array<string>,
};

/** Who says a message of a chat. */
export type Role = "system" | "developer" | "user" | "assistant" | "tool" | "function";

/** Why nothing is sent for a row. */
export type RowError = {
    /** What goes wrong in the engine; `null` if the row cannot be read. */
    kind: ErrorKind | null,
    /** The names it is about, in the engine's order. */
    names: Array<string>,
    /** In the engine's words where they are known. */
    message: string,
};

/** What became of a row, or of a case: a line of `promptls resolve --rows` and `--all-cases`.
 *
 * There is one of `text`, `messages` and `error`. */
export type RowOutput = {
    /** Which row, from 0. */
    row?: number,
    /** Which case. */
    case?: string,
    /** What the engine sends. */
    text?: string,
    /** The same as chat messages. */
    messages?: Array<ChatMessage>,
    /** Why there is nothing to send. */
    error?: RowError,
};

/** A piece of the text that has one origin. */
export type Run = {
    /** Offsets into the text. */
    output: [number, number],
    /** What it is. */
    kind: RunKind,
    /** Where it comes from in the prompt. */
    source: Range,
    /** The name or path of the placeholder. */
    path?: string,
    /** Where the value is written. */
    value?: Location,
    /** The fragments and loops that it came through, outermost first. */
    via?: Array<Via>,
    /** What a mixed piece was built from. */
    parts?: Array<Run>,
};

/** What a piece of a text is. */
export type RunKind = "literal" | "value" | "escape" | "mixed" | "missing" | "runtime";

/** A setting, and where it comes from. */
export type Setting = {
    /** What it is called. */
    name: string,
    /** What it is; `null` for nothing. */
    value: JsonValue,
    /** Where it comes from. */
    from: Origin,
};

/** The severity of a problem. */
export type Severity = "error" | "warning" | "info" | "hint";

/** A part of a text. */
export type Share = {
    /** Unicode's. */
    characters: number,
    /** Those that have their middle in it. */
    tokens: number,
};

/** What stands in the place of a placeholder. */
export type ShownValue = {
    /** The placeholder. */
    range: Range,
    /** In one line. */
    text: string,
    /** What the text is. */
    kind: ValueKind,
};

/** One of two texts to compare. */
export type Side = {
    /** Without one, that of the params. A case that its revision does not have has the inputs of the
     * newer side: of the current files, else of the right side. */
    case?: string,
    /** What git calls the commit: `HEAD` for the last one, a branch, a tag. Or `store:NAME` for what
     * the store has that the prompt was pulled from, or `store:NAME:LABEL`. Without one, as it is
     * now. */
    revision?: string,
};

/** How large a text is, for a model and for its cache. */
export type Size = {
    /** The version of the prompt; `null` if it is not open. */
    version: number | null,
    /** The case that is measured; `null` without any inputs. */
    case: string | null,
    /** Which tokens were counted. */
    encoding: string,
    /** Which can be. */
    encodings: Array<string>,
    /** Of the whole text. */
    tokens: number,
    /** The most that `promptls.toml` allows. */
    maxTokens: number | null,
    /** The text of the prompt itself. */
    literal: Share,
    /** What placeholders bring, the largest first. */
    placeholders: Array<PlaceholderSize>,
    /** How much is the same in all cases. */
    prefix: Prefix,
};

/** What `promptls/size` asks for. */
export type SizeParams = {
    /** The file of the prompt. */
    textDocument: TextDocumentIdentifier,
    /** The case; without one, the selected case. */
    case?: string,
    /** Which prompt of a pack, by its key. */
    task?: string,
    /** Which prompt of a pack, if no key says it: the one there; without it, the first. */
    position?: Position,
    /** The tokens to count; without them, those that `promptls.toml` says. */
    encoding?: string,
};

/** How much text it is. */
export type Stats = {
    /** In UTF-8. */
    bytes: number,
    /** Unicode's, not what people may see as one. */
    characters: number,
    /** What stands between blanks. */
    words: number,
    /** The last one need not end. */
    lines: number,
};

/** How large prompts are: `promptls stats --format json`. */
export type StatsOutput = {
    /** [`STATS_OUTPUT_VERSION`]: grows when a field goes, or means something else. */
    version: number,
    /** By file, each prompt in each of its cases. */
    texts: Array<TextStats>,
};

/** What a template takes. */
export type TemplateArgument = {
    /** The placeholder that it is if it is not given. */
    name: string,
    /** What it means, if the template says so. */
    description: string,
    /** A value that shows what is meant, if the template has one. */
    example: string,
};

/** A template. */
export type TemplateItem = {
    /** What it is called. */
    name: string,
    /** What it is for, in a line. */
    summary: string,
    /** What it takes, in the order of `promptls.createPrompt`. */
    arguments: Array<TemplateArgument>,
};

/** The templates that count in a folder. */
export type TemplateList = {
    /** The language that they are in. */
    language: string,
    /** In their order. */
    templates: Array<TemplateItem>,
    /** What keeps other files from being templates. */
    broken: Array<string>,
};

/** What `promptls/templates` asks for. */
export type TemplatesParams = {
    /** The folder that the prompt is going to be in: its `promptls.toml` may name templates. */
    folder: string,
    /** The language that the prompt is written in; without it, the one of the settings. */
    language?: string,
};

/** Which document. */
export type TextDocumentIdentifier = {
    /** Its address. */
    uri: string,
};

/** What stands in the place of a stretch of the old text. */
export type TextEdit = {
    /** Offsets into the old text. */
    range: [number, number],
    /** What stands there now. */
    new: string,
};

/** How large a text is that a prompt becomes. */
export type TextStats = {
    /** The file of the prompt. */
    file: string,
    /** What it is called in its file; left out where the file is the prompt. */
    task?: string,
    /** The case; `null` without any inputs. */
    case: string | null,
    /** Which tokens were counted: for models that have others, the numbers are estimates. */
    encoding: string,
    /** Whether the engine would fail: then it is what could be resolved. */
    fails: boolean,
    /** Unicode's, of all of it. */
    characters: number,
    /** Of all of it. */
    tokens: number,
    /** Unicode's, of the prompt itself. */
    literal_characters: number,
    /** Of the prompt itself. */
    literal_tokens: number,
    /** At the start, what is the same in all cases. */
    prefix_tokens: number,
    /** What placeholders bring, the largest first. */
    placeholders: Array<PlaceholderSize>,
    /** What sending it once costs, by the models of the table of prices; empty without one. */
    costs: { [key in string]: number },
};

/** What `promptls/tokens` asks for. */
export type TokensParams = {
    /** The document. */
    textDocument: TextDocumentIdentifier,
    /** What is on the screen. */
    range: Range,
};

/** A first name that a prompt uses, or that is declared for it. */
export type UsedVariable = {
    /** The name. */
    name: string,
    /** Whether the text lacks something without a value, or the name is declared as required. */
    required: boolean,
    /** The type of its values; left out where none is declared. */
    type?: string,
    /** What it is for; left out where nothing is declared. */
    description?: string,
    /** Where it is written in the prompt and in its fragments; nowhere if it is only declared. */
    uses: Array<FilePlace>,
};

/** What stands in the place of a placeholder. */
export type ValueKind = "value" | "missing" | "runtime";

/** What `promptls/values` asks for. */
export type ValuesParams = {
    /** The document. */
    textDocument: TextDocumentIdentifier,
    /** What is on the screen. */
    range: Range,
    /** The case; without one, the selected case. */
    case?: string,
};

/** The names that a prompt uses: `promptls vars --format json`. */
export type VarsOutput = {
    /** The id of the dialect it was read as. */
    dialect: string,
    /** The engine that it is resolved for, where one is named: `adk-python@2.13`. */
    engine?: string,
    /** First names, sorted. */
    variables: Array<UsedVariable>,
};

/** A fragment or a loop item that output came through. */
export type Via = {
    /** Its name. */
    fragment: string,
} | {
    /** The path in the header of the loop. */
    each: string,
    /** Which item, from 0. */
    item: number,
};
