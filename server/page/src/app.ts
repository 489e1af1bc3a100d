/** The page: what is shown, and who is asked for it. */

import { Commands } from './host/commands';
import { Copying } from './frame/copying';
import { element } from './widgets/dom';
import { Following } from './navigation/shown-prompt';
import { Footer } from './frame/footer';
import type { Front, Start } from './host/messages';
import type { Connection } from './host/connection';
import { Help } from './frame/help';
import { Keys } from './navigation/keys';
import { Latest } from './host/coalesced-request';
import { NewCase } from './frame/new-case';
import { Notices } from './frame/notices';
import { Pace } from './timings';
import { Places } from './navigation/navigation';
import { Pointing } from './navigation/pointing';
import { Previews } from './host/incremental-preview';
import type { Preview, PromptParams } from './host/protocol';
import { type Remembered, type ViewName, recalled, viewNames } from './page-state';
import { Scrolling } from './navigation/scrolling';
import { Side } from './panes/side-bar';
import { Stage } from './tabs/tab-panels';
import { Tints } from './text/tints';
import { Toolbar } from './frame/toolbar';
import { Tooltip } from './widgets/tooltip';
import { CasesView } from './tabs/cases-tab';
import { CompareView } from './tabs/compare-tab';
import { MarkdownView } from './tabs/markdown-tab';
import { MessagesView } from './tabs/messages-tab';
import { TextView } from './tabs/text-tab';
import type { Model } from './tabs/tab';

const nothing: Start['can'] = { reveal: false, follow: false, edit: false, save: false, saveAs: false };

export class App {
    private readonly remembered: Remembered;
    private can = nothing;
    private preview: Preview | undefined;
    private frame: number | undefined;
    /** Whether another prompt is to be drawn than before. */
    private isOther = false;

    private readonly following: Following;
    private readonly commands: Commands;
    private readonly pace = new Pace();
    private readonly tooltip = new Tooltip();
    private readonly textView = new TextView();
    private readonly compareView: CompareView;
    private readonly stage: Stage;
    private readonly side: Side;
    private readonly toolbar: Toolbar;
    private readonly notices: Notices;
    private readonly footer: Footer;
    private readonly newCase: NewCase;
    private readonly help = new Help();
    private readonly scrolling: Scrolling;
    private readonly pointing: Pointing;
    private readonly places: Places;
    private readonly copying: Copying;

    private readonly previewQuestion: Latest<PromptParams, Preview | null>;

    constructor(
        root: HTMLElement,
        private readonly host: Connection,
    ) {
        this.remembered = recalled(host.memory);
        const { isPinned, uri = null, task } = this.remembered;
        const pinned = { uri, ...(task ? { task } : {}) };
        this.following = new Following(isPinned ? pinned : { uri: null }, (front, isOther) => this.follow(front, isOther));
        this.commands = new Commands(host, () => this.following.params, (message) => this.footer.say(message), () => this.refresh());
        const previews = new Previews((params) => host.request('promptls/preview', params));
        this.previewQuestion = new Latest(
            (params) => {
                this.pace.asked();
                return previews.ask(params);
            },
            (preview) => this.take(preview),
            ({ message }) => this.failed(message),
        );
        this.compareView = new CompareView(
            (sides) => host.request('promptls/compare', { ...this.following.params, ...sides }),
            { isInline: this.remembered.isInline || innerWidth < 600, showsAll: this.remembered.showsAll },
            (state) => this.remember(state),
        );
        const cases = new CasesView(
            // Who names no earlier one gets all of it.
            (name) => host.request('promptls/preview', { ...this.following.params, case: name }) as Promise<Preview | null>,
            (name) => this.commands.selectCase(name),
        );
        const views = [this.textView, new MarkdownView(), new MessagesView(), cases, this.compareView] as const;
        this.stage = new Stage(views, this.remembered.view);

        this.toolbar = new Toolbar(views, this.remembered, {
            selectCase: (name) => void this.commands.selectCase(name),
            newCase: () => this.askForCase(),
            show: (view) => this.show(view),
            setWhitespace: (isOn) => {
                this.remember({ showsWhitespace: isOn });
                this.draw();
            },
            setScrollsTogether: (isOn) => this.remember({ scrollsTogether: isOn }),
            setPinned: (isPinned) => this.pin(isPinned),
            setSide: (isShown) => this.showSide(isShown),
            copy: () => void this.copying.copy(),
            save: () => this.copying.save(),
            help: () => this.help.open(),
        });
        this.newCase = new NewCase(this.toolbar.newCase, (name) => this.commands.createCase(name, this.preview?.case));
        this.notices = new Notices({
            undo: () => this.try(host.request('page/undo', null)),
            save: () => this.try(host.request('page/save', null)),
        });
        this.footer = new Footer({
            go: (location) => this.places.go(location),
            showProblems: () => this.openPane('problems'),
            showSize: () => this.openPane('size'),
        });
        this.side = new Side(this.remembered.closed, {
            inputs: {
                ask: () => host.request('promptls/inputs', this.following.params),
                set: (keys, value, name) => this.commands.setInput(keys, value, name),
                go: (location) => this.places.go(location),
                create: () => void this.commands.createInputs(),
                complain: (message) => this.footer.say(message),
            },
            size: {
                ask: () => {
                    const { encoding } = this.remembered;
                    return host.request('promptls/size', { ...this.following.params, ...(encoding ? { encoding } : {}) });
                },
                chooseEncoding: (encoding) => this.remember({ encoding }),
                prefixChanged: () => this.stage.view === this.textView && this.drawView(),
                counted: (size) => this.footer.showSize(size),
                goTo: (path) => this.places.goToOutput(path),
                goToPrefix: () => this.places.goToOffset(this.side.size.prefixEnd?.end),
            },
            go: (location) => this.places.go(location),
            remember: (some) => this.remember(some),
            opened: () => this.preview && this.side.inputs.refresh(),
        });

        const main = element('div.main', {}, this.stage.element, this.side.element);
        root.append(this.toolbar.element, this.newCase.element, this.notices.element, main, this.footer.element, this.tooltip.element, this.help.element);

        this.scrolling = new Scrolling(this.textView, {
            isTogether: () => this.remembered.scrollsTogether && this.can.reveal,
            scrolled: (line) => this.preview && host.tell('page/scrolled', { uri: this.preview.uri, line }),
            settled: (scroll) => this.preview && this.remember({ uri: this.preview.uri, scroll }),
        });
        const shown = { uri: () => this.preview?.uri, canReveal: () => this.can.reveal };
        this.places = new Places(this.stage, this.textView, this.scrolling, {
            ...shown,
            reveal: (location) => this.try(host.request('page/reveal', location)),
            say: (words) => this.footer.say(words),
            showText: () => this.show('text'),
        });
        this.pointing = new Pointing(this.stage.element, this.tooltip, {
            texts: () => this.stage.traced,
            ...shown,
            go: (location) => this.places.go(location),
        });
        this.copying = new Copying({
            preview: () => this.preview,
            // Beside each other, the cases are copied as they are seen.
            flows: () => (this.stage.view === cases ? [] : this.stage.flows.filter((it) => it.text === this.preview?.text)),
            saveAs: () => (this.can.saveAs ? (name, text) => this.try(host.request('page/saveAs', { name, text })) : undefined),
            copied: () => {
                this.toolbar.showCopied();
                this.footer.say('Copied.');
            },
        });
        this.show(this.remembered.view);
        this.showSide(this.remembered.showsSide);
        this.toolbar.showPinned(this.following.isPinned);
        this.listen();
    }

    private listen(): void {
        const { host } = this;
        host.on('promptls/previewChanged', ({ textDocument: { uri } }) => {
            if (uri === this.following.front.uri) {
                this.pace.changed();
                this.refresh();
            }
        });
        host.on('page/front', (front) => this.following.came(front));
        host.on('page/cursor', ({ uri, position, reveal }) => this.places.point(uri, position, reveal));
        host.on('page/scroll', ({ uri, line }) => {
            if (uri === this.preview?.uri && this.remembered.scrollsTogether && this.stage.view === this.textView) {
                this.scrolling.toLine(line);
            }
        });
        host.on('page/unsaved', ({ files }) => this.notices.showUnsaved(files));
        host.on('page/can', (can) => {
            this.showCan(can);
            this.side.inputs.refresh();
        });
        host.on('page/compare', () => this.show('compare', true));
        host.on('page/lost', ({ message }) => this.notices.showLost(message));
        host.on('page/pin', ({ pinned }) => this.pin(pinned));

        new Keys(this.stage.element, {
            of: (key) => this.actOf(key),
            follow: (piece, toValue) => this.pointing.followFrom(piece, toValue),
            leave: () => this.stage.view.scroller.focus({ preventScroll: true }),
        });
        host.open(() => void this.start());
    }

    private async start(): Promise<void> {
        try {
            const { front, can } = await this.host.request('page/start', null);
            this.showCan(can);
            this.following.start(front);
        } catch (error) {
            this.footer.say((error as Error).message);
        }
    }

    private showCan(can: Start['can']): void {
        this.can = can;
        this.toolbar.showCan(can);
        this.side.inputs.canEdit = can.edit;
        this.notices.canSave = can.save;
    }

    /** Shows that prompt from now on. */
    private follow(front: Front, isOther: boolean): void {
        if (front.uri === null) {
            this.showNothing(front.message ?? 'Open a prompt to see what will be sent.');
            return;
        }
        if (isOther) {
            this.previewQuestion.forget();
            this.side.size.forget();
            this.compareView.forget();
            this.side.inputs.forget();
        }
        this.refresh();
    }

    private refresh(): void {
        if (this.following.front.uri !== null) {
            this.previewQuestion.ask(this.following.params);
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
            this.remember({ uri: preview.uri, task: preview.task, scroll: (uri === preview.uri && scroll) || 0 });
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
        this.side.size.forget();
        this.stage.say(message);
        this.notices.showError(undefined);
        this.notices.showStale(null);
        this.side.problems.show([]);
        this.side.inputs.forget();
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

    private drawNow(preview: Preview, isOther: boolean): void {
        const tints = new Tints(preview);
        const drawn = this.stage.draw(this.model(preview, tints));
        if (isOther) {
            this.scrolling.restore(this.remembered.scroll ?? 0);
        }
        this.toolbar.showCases(preview);
        this.notices.showError(preview.error?.message);
        this.notices.showStale(preview.stale);
        this.footer.show(preview, tints);
        this.side.problems.show(preview.problems);
        this.side.size.showStats(preview.stats);
        this.places.light();
        this.pace.drawn(drawn);
        this.side.inputs.refresh();
        // The text comes first; to count its tokens may take longer than to draw it.
        requestIdleCallback(() => this.side.size.refresh(), { timeout: 300 });
    }

    private model(preview: Preview, tints: Tints): Model {
        const [{ showsWhitespace }, prefix] = [this.remembered, this.side.size.prefixEnd];
        return { preview, tints, showsWhitespace, prefix: prefix && { ...prefix, end: Math.min(prefix.end, preview.text.length) } };
    }

    /** Draws the view that is shown, now, and nothing else. */
    private drawView(): void {
        if (this.preview !== undefined) {
            this.stage.draw(this.model(this.preview, new Tints(this.preview)));
            this.places.light();
        }
    }

    private tellShown(pinned = this.following.isPinned): void {
        if (this.preview !== undefined) {
            const { uri, task = null } = this.preview;
            this.host.tell('page/shows', { uri, task, pinned });
        }
    }

    private pin(isPinned: boolean): void {
        this.remember({ isPinned });
        this.toolbar.showPinned(isPinned);
        this.tellShown(isPinned);
        this.following.pin(isPinned, this.preview?.task);
    }

    private remember(some: Partial<Remembered>): void {
        Object.assign(this.remembered, some);
        this.host.memory.write(this.remembered);
    }

    /** Shows a view, and gives it the focus if it is asked for. */
    private show(name: ViewName, takesFocus = false): void {
        this.remember({ view: name });
        this.stage.show(name);
        this.toolbar.showView(name);
        this.tooltip.hide();
        this.drawView();
        if (takesFocus) {
            this.stage.view.scroller.focus();
        }
    }

    private showSide(isShown: boolean): void {
        this.side.show(isShown);
        this.toolbar.side.setAttribute('aria-pressed', String(isShown));
    }

    private openPane(name: 'inputs' | 'size' | 'problems'): void {
        this.showSide(true);
        this.side.open(this.side[name]);
    }

    /** Says what went wrong, should it. */
    private try(request: Promise<unknown>): void {
        request.catch((error: Error) => this.footer.say(error.message));
    }

    private askForCase(): void {
        if (this.preview?.cases.length === 0) {
            void this.commands.createInputs();
        } else if (this.preview !== undefined) {
            this.newCase.toggle(this.preview.case);
        }
    }

    private actOf(key: string): (() => void) | undefined {
        const go = (step: 1 | -1) => (this.stage.view.go ? this.stage.view.go(step) : this.pointing.go(step));
        const view = viewNames[Number(key) - 1];
        if (/^[1-9]$/.test(key) && view) {
            return () => this.show(view, true);
        }
        const acts: Record<string, () => void> = {
            n: () => go(1),
            N: () => go(-1),
            c: () => void this.copying.copy(),
            w: () => this.toolbar.clickWhitespace(),
            i: () => this.openPane('inputs'),
            p: () => this.openPane('problems'),
            '?': () => this.help.open(),
        };
        return acts[key];
    }
}
