/** The page: what is shown, and who is asked for it. */

import { Pane } from './controls';
import { element } from './dom';
import { Footer } from './footer';
import type { Front, Start } from './host';
import type { Connection } from './host/connection';
import { Help } from './help';
import { Latest } from './latest';
import { NewCase } from './newcase';
import { Notices } from './notices';
import { InputsPane } from './panes/inputs';
import { ProblemsPane } from './panes/problems';
import { SizePane, prefixLabel } from './panes/size';
import { Pace } from './pace';
import { selectedText } from './place';
import { Pointing } from './pointing';
import { runsAt } from './positions';
import { Previews } from './previews';
import {
    type CommandArgument,
    type Location,
    type Position,
    type Preview,
    type PromptParams,
    type Size,
    createInputs,
    selectCase,
    setInput,
} from './protocol';
import { type Remembered, type ViewName, recalled } from './remembered';
import { Scrolling } from './scrolling';
import { Tints } from './tints';
import { Toolbar } from './toolbar';
import { Tooltip } from './tooltip';
import { CasesView } from './views/cases';
import { CompareView } from './views/compare';
import { MarkdownView } from './views/markdown';
import { MessagesView } from './views/messages';
import { TextView } from './views/text';
import type { View } from './views/view';
import { fileName, placeName } from './words';

const nothing: Start['can'] = { reveal: false, follow: false, edit: false, save: false, saveAs: false };

export class App {
    private readonly remembered: Remembered;
    private can = nothing;
    /** The prompt that is shown. */
    private front: Front = { uri: null };
    /** The prompt that is in front while the page is pinned to another one. */
    private waiting: Front | undefined;
    private isPinned = false;
    private preview: Preview | undefined;
    private size: Size | undefined;
    private cursor: { uri: string; position: Position } | undefined;
    /** Files that were edited here. */
    private unsaved: readonly { name: string }[] = [];
    private frame: number | undefined;

    private readonly pace = new Pace();
    private readonly tooltip = new Tooltip();
    private readonly textView = new TextView();
    private readonly compareView: CompareView;
    private readonly views: View[];
    private readonly toolbar: Toolbar;
    private readonly notices: Notices;
    private readonly footer: Footer;
    private readonly inputs: InputsPane;
    private readonly sizes: SizePane;
    private readonly problems: ProblemsPane;
    private readonly newCase: NewCase;
    private readonly help = new Help();
    private readonly scrolling: Scrolling;
    private readonly pointing: Pointing;
    private readonly stage = element('main.stage');
    private readonly side = element('aside.side', { 'aria-label': 'Inputs, size and problems' });
    private readonly empty = element('p.empty.nothing', { hidden: true, role: 'status' });

    private readonly previewQuestion: Latest<PromptParams, Preview | null>;
    private readonly sizeQuestion: Latest<null, Size | null>;

    constructor(
        root: HTMLElement,
        private readonly host: Connection,
    ) {
        this.remembered = recalled(host.memory);
        const ask = this.ask.bind(this);
        const previews = new Previews((params) => host.request('promptls/preview', params));
        this.previewQuestion = new Latest(
            (params) => {
                this.pace.asked();
                return previews.ask(params);
            },
            (preview) => this.take(preview),
            ({ message }) => this.failed(message),
        );
        this.sizeQuestion = new Latest(
            () => host.request('promptls/size', { ...this.params(), ...(this.remembered.encoding ? { encoding: this.remembered.encoding } : {}) }),
            (size) => this.takeSize(size),
            ({ message }) => this.sizes.fail(message),
        );

        this.compareView = new CompareView(
            (sides) => host.request('promptls/compare', { ...this.params(), ...sides }),
            { isInline: this.remembered.isInline || innerWidth < 600, showsAll: this.remembered.showsAll },
            (state) => this.remember(state),
        );
        const cases = new CasesView(
            // Who names no earlier one gets all of it.
            (name) => host.request('promptls/preview', { ...this.params(), case: name }) as Promise<Preview | null>,
            (name) => this.selectCase(name),
        );
        this.views = [this.textView, new MarkdownView(), new MessagesView(), cases, this.compareView];

        this.toolbar = new Toolbar(this.views, this.remembered, {
            selectCase: (name) => this.selectCase(name),
            newCase: () => this.askForCase(),
            show: (view) => this.show(view),
            setWhitespace: (isOn) => this.redraw({ showsWhitespace: isOn }),
            setScrollsTogether: (isOn) => this.remember({ scrollsTogether: isOn }),
            setPinned: (isPinned) => this.pin(isPinned),
            setSide: (isShown) => this.showSide(isShown),
            copy: () => void this.copy(),
            save: () => void this.save(),
            help: () => this.help.open(),
        });
        this.newCase = new NewCase(this.toolbar.newCase, (name) => this.createCase(name));
        this.notices = new Notices({
            undo: () => ask('page/undo', null),
            save: () => ask('page/save', null),
        });
        this.footer = new Footer({
            go: (location) => this.go(location),
            showProblems: () => this.openPane(this.problems.pane),
            showSize: () => this.openPane(this.sizes.pane),
        });
        this.inputs = new InputsPane(this.pane('Inputs', 'inputs'), {
            ask: () => host.request('promptls/inputs', this.params()),
            set: (keys, value, name) => this.setInput(keys, value, name),
            go: (location) => this.go(location),
            create: () => void this.command(createInputs, {}).then((error) => error && this.footer.say(error)),
            complain: (message) => this.footer.say(message),
        });
        this.sizes = new SizePane(
            this.pane('Size', 'size'),
            (encoding) => {
                this.remember({ encoding });
                this.sizeQuestion.ask(null);
            },
            (path) => this.goToOutput(path),
            () => this.goToPrefix(),
        );
        this.problems = new ProblemsPane(this.pane('Problems', 'problems'), (location) => this.go(location));
        this.side.append(this.inputs.pane.element, this.sizes.pane.element, this.problems.pane.element);

        this.stage.append(this.empty, ...this.views.map((it) => it.element));
        const main = element('div.main', {}, this.stage, this.side);
        root.append(this.toolbar.element, this.newCase.element, this.notices.element, main, this.footer.element, this.tooltip.element, this.help.element);

        this.pointing = new Pointing(this.stage, this.tooltip, {
            flows: () => this.view.flows,
            uri: () => this.preview?.uri,
            canReveal: () => this.can.reveal,
            go: (location) => this.go(location),
        });
        this.scrolling = new Scrolling(this.textView, {
            isTogether: () => this.remembered.scrollsTogether && this.can.reveal,
            scrolled: (line) => this.preview && host.tell('page/scrolled', { uri: this.preview.uri, line }),
            settled: (scroll) => this.preview && this.remember({ uri: this.preview.uri, scroll }),
        });
        this.show(this.remembered.view);
        this.showSide(this.remembered.showsSide);
        const { isPinned, uri } = this.remembered;
        if (isPinned && uri !== undefined) {
            this.isPinned = true;
            this.front = { uri };
            this.toolbar.showPinned(true);
        }
        this.listen();
    }

    private get view(): View {
        return this.views.find((it) => it.name === this.remembered.view) ?? this.textView;
    }

    private pane(title: string, name: string): Pane {
        const isOpen = !this.remembered.closed.includes(name);
        return new Pane(title, name, isOpen, (isNowOpen) => {
            const others = this.remembered.closed.filter((it) => it !== name);
            this.remember({ closed: isNowOpen ? others : [...others, name] });
            if (isNowOpen && name === 'inputs') {
                this.inputs.refresh();
            }
        });
    }

    private listen(): void {
        const { host } = this;
        host.on('promptls/previewChanged', ({ textDocument: { uri } }) => {
            if (uri === this.front.uri) {
                this.pace.changed();
                this.refresh();
            }
        });
        host.on('page/front', (front) => (this.isPinned ? (this.waiting = front) : this.follow(front)));
        host.on('page/cursor', ({ uri, position, reveal }) => {
            this.cursor = { uri, position };
            this.light(reveal);
        });
        host.on('page/scroll', ({ uri, line }) => {
            if (uri === this.preview?.uri && this.remembered.scrollsTogether && this.view === this.textView) {
                this.scrolling.toLine(line);
            }
        });
        host.on('page/unsaved', ({ files }) => {
            this.unsaved = files;
            this.showUnsaved();
        });
        host.on('page/can', (can) => {
            this.showCan(can);
            this.inputs.refresh();
        });
        host.on('page/compare', () => this.show('compare', true));
        host.on('page/lost', ({ message }) => this.notices.showLost(message));
        host.on('page/pin', ({ pinned }) => this.pin(pinned));

        document.addEventListener('keydown', (event) => this.key(event));
        document.addEventListener('copy', (event) => this.copySelection(event));
        new ResizeObserver(() => this.view.flows.forEach((it) => it.resized())).observe(this.stage);
        for (const { scroller } of this.views) {
            scroller.addEventListener('scroll', () => this.view.flows.forEach((it) => it.fillVisible()), { passive: true });
        }
        // Once fonts are there, rows are as high as they will be.
        void document.fonts?.ready.then(() => this.view.flows.forEach((it) => it.resized()));
        host.open(() => void this.start());
    }

    private async start(): Promise<void> {
        try {
            const { front, can } = await this.host.request('page/start', null);
            this.showCan(can);
            if (this.isPinned && this.front.uri !== null) {
                this.waiting = front;
                this.refresh();
            } else {
                this.follow(front);
            }
        } catch (error) {
            this.footer.say((error as Error).message);
        }
    }

    private showCan(can: Start['can']): void {
        this.can = can;
        this.toolbar.showCan(can);
        this.inputs.canEdit = can.edit;
        this.showUnsaved();
    }

    private showUnsaved(): void {
        this.notices.showUnsaved(this.can.save ? this.unsaved : []);
    }

    private params(): PromptParams {
        const { uri, position } = this.front;
        return { textDocument: { uri: uri ?? '' }, ...(position ? { position } : {}) };
    }

    /** Shows that prompt from now on. */
    private follow(front: Front): void {
        const isOther = front.uri !== this.front.uri;
        this.front = front;
        if (front.uri === null) {
            this.showNothing(front.message ?? 'Open a prompt to see what will be sent.');
            return;
        }
        if (isOther) {
            this.previewQuestion.forget();
            this.sizeQuestion.forget();
            this.size = undefined;
            this.compareView.forget();
            this.inputs.forget();
        }
        this.refresh();
    }

    private refresh(): void {
        if (this.front.uri !== null) {
            this.previewQuestion.ask(this.params());
        }
    }

    private take(preview: Preview | null): void {
        this.pace.answered();
        if (preview === null) {
            this.showNothing('This file is no prompt.');
            return;
        }
        const old = this.preview;
        const isOther = old?.uri !== preview.uri || old.task !== preview.task;
        this.preview = preview;
        if (isOther) {
            const { uri, scroll } = this.remembered;
            this.remember({ uri: preview.uri, scroll: (uri === preview.uri && scroll) || 0 });
            this.tellShown();
        }
        this.draw(isOther);
    }

    private failed(message: string): void {
        if (this.preview === undefined) {
            this.showNothing(message);
        } else {
            this.footer.say(message);
        }
    }

    private showNothing(message: string): void {
        this.previewQuestion.forget();
        this.preview = undefined;
        this.size = undefined;
        this.empty.hidden = false;
        this.empty.textContent = message;
        this.stage.classList.add('is-empty');
        this.notices.showError(undefined);
        this.notices.showStale(null);
        this.problems.show([]);
        this.inputs.forget();
    }

    /** Draws in the next frame, once, whatever comes until then. */
    private draw(isOther = false): void {
        this.isOther ||= isOther;
        this.frame ??= requestAnimationFrame(() => {
            this.frame = undefined;
            const wasOther = this.isOther;
            this.isOther = false;
            if (this.preview !== undefined) {
                this.drawNow(this.preview, wasOther);
            }
        });
    }
    private isOther = false;

    private drawNow(preview: Preview, isOther: boolean): void {
        this.empty.hidden = true;
        this.stage.classList.remove('is-empty');
        const tints = new Tints(preview);
        const drawn = this.drawView(preview, tints);
        if (isOther) {
            this.scrolling.restore(this.remembered.scroll ?? 0);
        }
        this.toolbar.showCases(preview);
        this.notices.showError(preview.error?.message);
        this.notices.showStale(preview.stale);
        this.footer.show(preview, tints);
        this.problems.show(preview.problems);
        this.sizes.showStats(preview.stats);
        this.light(false);
        this.pace.drawn(drawn);
        this.inputs.refresh();
        // The text comes first; to count its tokens may take longer than to draw it.
        requestIdleCallback(() => this.sizeQuestion.ask(null), { timeout: 300 });
    }

    private drawView(preview: Preview, tints = new Tints(preview)): number {
        const { showsWhitespace } = this.remembered;
        return this.view.show({ preview, tints, showsWhitespace, prefix: this.prefix(preview) });
    }

    private prefix({ text }: Preview): { end: number; label: string } | undefined {
        const prefix = this.size?.prefix;
        return prefix && { end: Math.min(prefix.end, text.length), label: prefixLabel(prefix) };
    }

    private takeSize(size: Size | null): void {
        const old = JSON.stringify(this.size?.prefix);
        this.size = size ?? undefined;
        this.sizes.show(size);
        if (JSON.stringify(size?.prefix) !== old && this.preview !== undefined && this.view === this.textView) {
            this.drawView(this.preview);
            this.light(false);
        }
    }

    private tellShown(): void {
        if (this.preview !== undefined) {
            const { uri, task = null } = this.preview;
            this.host.tell('page/shows', { uri, task, pinned: this.isPinned });
        }
    }

    private pin(isPinned: boolean): void {
        this.isPinned = isPinned;
        this.remember({ isPinned });
        this.toolbar.showPinned(isPinned);
        this.tellShown();
        if (!isPinned && this.waiting !== undefined) {
            this.follow(this.waiting);
            this.waiting = undefined;
        }
    }

    private remember(some: Partial<Remembered>): void {
        Object.assign(this.remembered, some);
        this.host.memory.write(this.remembered);
    }

    private redraw(some: Partial<Remembered>): void {
        this.remember(some);
        this.draw();
    }

    /** Shows a view, and gives it the focus if it is asked for. */
    private show(name: ViewName, takesFocus = false): void {
        this.remember({ view: name });
        for (const view of this.views) {
            view.element.hidden = view.name !== name;
        }
        this.toolbar.showView(name);
        this.tooltip.hide();
        if (this.preview !== undefined) {
            this.drawView(this.preview);
            this.light(false);
        }
        if (takesFocus) {
            this.view.scroller.focus();
        }
    }

    private showSide(isShown: boolean): void {
        this.remember({ showsSide: isShown });
        this.side.hidden = !isShown;
        this.toolbar.side.setAttribute('aria-pressed', String(isShown));
        if (isShown && this.preview) {
            this.inputs.refresh();
        }
    }

    private openPane(pane: Pane): void {
        this.showSide(true);
        pane.open(true);
        pane.focus();
        pane.element.scrollIntoView({ block: 'nearest' });
    }

    /** Lights what the placeholder at the cursor became. */
    private light(reveal: boolean): void {
        const { cursor } = this;
        const isHere = cursor !== undefined && cursor.uri === this.preview?.uri;
        for (const flow of this.view.flows) {
            const runs = isHere ? runsAt(flow.map, cursor.position) : [];
            flow.light(new Set(runs.filter((it) => flow.map[it]?.kind !== 'literal')));
        }
        if (reveal && isHere && this.view === this.textView) {
            this.scrolling.toPlace(cursor.position);
        }
    }

    /** Shows a place in the editor; without one, says where it is. */
    private go(location: Location): void {
        if (this.can.reveal) {
            this.ask('page/reveal', location);
        } else {
            this.footer.say(placeName(location));
        }
        if (location.uri === this.preview?.uri) {
            // What it became is lit here, too, whoever has an editor.
            this.cursor = { uri: location.uri, position: location.range.start };
            this.light(!this.can.reveal);
        }
    }

    /** Shows what a placeholder became first. */
    private goToOutput(path: string): void {
        const { map } = this.textView.flow;
        this.show('text');
        const run = map.findIndex((it) => it.path === path && it.kind !== 'literal');
        if (run !== -1) {
            this.scrolling.toRun(run);
            const runs = map.flatMap((it, index) => (it.path === path && it.kind !== 'literal' ? [index] : []));
            this.textView.flow.light(new Set(runs));
        }
    }

    private goToPrefix(): void {
        const end = this.size?.prefix.end;
        this.show('text');
        if (end !== undefined) {
            this.scrolling.toOffset(end);
        }
    }

    private ask(method: 'page/reveal', params: Location): void;
    private ask(method: 'page/undo' | 'page/save', params: null): void;
    private ask(method: 'page/reveal' | 'page/undo' | 'page/save', params: Location | null): void {
        this.host.request(method, params as never).catch((error: Error) => this.footer.say(error.message));
    }

    private run(command: string, some: Partial<CommandArgument>): Promise<unknown> {
        const { uri, position } = this.front;
        const argument = { uri: uri ?? '', ...(position ? { position } : {}), ...some };
        return this.host.request('workspace/executeCommand', { command, arguments: [argument] });
    }

    /** Runs a command, and gives what went wrong. */
    private async command(command: string, some: Partial<CommandArgument>): Promise<string | undefined> {
        try {
            await this.run(command, some);
            return undefined;
        } catch (error) {
            return (error as Error).message;
        }
    }

    private selectCase(name: string): void {
        void this.command(selectCase, { case: name }).then((error) => {
            if (error) {
                this.footer.say(error);
            }
            this.refresh();
        });
    }

    private setInput(keys: string[], value: unknown, name: string | null): Promise<unknown> {
        return this.run(setInput, { keys, ...(name === null ? {} : { case: name }), ...(value === undefined ? {} : { value }) });
    }

    private askForCase(): void {
        if (this.preview === undefined) {
            return;
        }
        if (this.preview.cases.length === 0) {
            void this.command(createInputs, {}).then((error) => error && this.footer.say(error));
            return;
        }
        this.newCase.toggle(this.preview.case);
    }

    private async createCase(name: string): Promise<void> {
        const from = this.preview?.case;
        await this.run(createInputs, { case: name, ...(from ? { from } : {}) });
        // The case is there once the host has made the file, which it may not have yet.
        for (const pause of [0, 100, 400]) {
            await new Promise((resolve) => setTimeout(resolve, pause));
            if ((await this.command(selectCase, { case: name })) === undefined) {
                break;
            }
        }
        this.refresh();
    }

    private async copy(): Promise<void> {
        const { preview } = this;
        if (preview === undefined) {
            return;
        }
        try {
            await navigator.clipboard.writeText(preview.text);
        } catch {
            // Not every browser lets pages write there; what was copied by a key, it does.
            const write = (event: ClipboardEvent) => {
                event.clipboardData?.setData('text/plain', preview.text);
                event.preventDefault();
            };
            document.addEventListener('copy', write, { capture: true, once: true });
            document.execCommand('copy');
            document.removeEventListener('copy', write, { capture: true });
        }
        this.toolbar.showCopied();
        this.footer.say('Copied.');
    }

    /** What is selected is copied as it is sent, also what is not drawn. */
    private copySelection(event: ClipboardEvent): void {
        const near = document.activeElement;
        const isField = near instanceof HTMLTextAreaElement || near instanceof HTMLInputElement;
        const text = isField ? undefined : selectedText(this.view.flows.filter((it) => it.text === this.preview?.text));
        if (text !== undefined && this.view.name !== 'cases') {
            event.clipboardData?.setData('text/plain', text);
            event.preventDefault();
        }
    }

    private async save(): Promise<void> {
        const { preview } = this;
        if (preview === undefined) {
            return;
        }
        const { uri, task, case: name, text } = preview;
        const stem = fileName(uri).replace(/\.(prompt|txt|md|json)$/, '');
        const file = `${[stem, task, name].filter(Boolean).join('.')}.resolved.txt`;
        if (this.can.saveAs) {
            await this.host.request('page/saveAs', { name: file, text }).catch((error: Error) => this.footer.say(error.message));
            return;
        }
        const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
        element('a', { href: address, download: file }).click();
        setTimeout(() => URL.revokeObjectURL(address), 10_000);
    }

    private key(event: KeyboardEvent): void {
        const on = event.target instanceof Element ? event.target : document.body;
        if (event.defaultPrevented || this.help.element.open || on.closest('input, textarea, select, dialog')) {
            return;
        }
        const isInText = on === document.body || this.stage.contains(on);
        if (event.key === 'Escape' && !isInText) {
            this.view.scroller.focus();
            return;
        }
        if (!isInText || event.isComposing) {
            return;
        }
        if (event.key === 'Enter' && on instanceof HTMLElement && on.dataset['run'] !== undefined) {
            const flow = this.view.flows.find((it) => it.element.contains(on));
            const run = flow?.runOf(on);
            this.pointing.follow(run === undefined ? undefined : flow?.map[run], event.altKey || event.ctrlKey || event.metaKey);
            event.preventDefault();
            return;
        }
        if (event.key === 'Escape' && on instanceof HTMLElement && on.dataset['run'] !== undefined) {
            this.view.scroller.focus({ preventScroll: true });
            return;
        }
        if (event.altKey || event.ctrlKey || event.metaKey) {
            return;
        }
        const act = this.actOf(event.key);
        if (act !== undefined) {
            act();
            event.preventDefault();
        }
    }

    private actOf(key: string): (() => void) | undefined {
        const go = (step: 1 | -1) => (this.view.go ? this.view.go(step) : this.pointing.go(step));
        const view = this.views[Number(key) - 1];
        if (/^[1-9]$/.test(key) && view) {
            return () => this.show(view.name, true);
        }
        const acts: Record<string, () => void> = {
            n: () => go(1),
            N: () => go(-1),
            c: () => void this.copy(),
            w: () => this.toolbar.clickWhitespace(),
            i: () => this.openPane(this.inputs.pane),
            p: () => this.openPane(this.problems.pane),
            '?': () => this.help.open(),
        };
        return acts[key];
    }
}
