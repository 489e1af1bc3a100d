/** The page: connects the views with the requests for their data. The entry point for readers of the code. */

import { Copying } from './frame/copying';
import { Footer } from './frame/footer';
import { Help } from './frame/help';
import { NewCase } from './frame/new-case';
import { Notices } from './frame/notices';
import { Toolbar } from './frame/toolbar';
import { Tooltip } from './frame/tooltip';
import { CoalescedRequest } from './host/coalesced-request';
import { Commands } from './host/commands';
import type { Connection } from './host/connection';
import { HalfTyped } from './host/half-typed';
import { IncrementalPreview } from './host/incremental-preview';
import type { FrontPrompt, HostCapabilities, PageNotifications } from './host/messages';
import type { Preview, PromptParams } from './host/protocol';
import { Keys } from './navigation/keys';
import { Navigation } from './navigation/navigation';
import { focusNextValue } from './navigation/next-value';
import { Pointing } from './navigation/pointing';
import { Scrolling } from './navigation/scrolling';
import { ShownPrompt } from './navigation/shown-prompt';
import { type PageState, type TabName, loadPageState, tabNames } from './page-state';
import { SideBar } from './panes/side-bar';
import { CasesTab } from './tabs/cases-tab';
import { CompareTab } from './tabs/compare-tab';
import { MarkdownTab } from './tabs/markdown-tab';
import { MessagesTab } from './tabs/messages-tab';
import type { TabContent } from './tabs/tab';
import { TabPanels } from './tabs/tab-panels';
import { TextTab } from './tabs/text-tab';
import { Tints } from './text/tints';
import { Timings } from './timings';
import { element } from './widgets/dom';

const nothing: HostCapabilities = { reveal: false, follow: false, edit: false, save: false, saveAs: false };

export class App {
    private readonly state: PageState;
    private can = nothing;
    private preview: Preview | undefined;
    private frame: number | undefined;
    /** Whether the next drawing is for another prompt than the previous one. */
    private isOther = false;

    private readonly shownPrompt: ShownPrompt;
    private readonly commands: Commands;
    private readonly timings = new Timings();
    private readonly tooltip = new Tooltip();
    private readonly textTab = new TextTab();
    private readonly compareTab: CompareTab;
    private readonly panels: TabPanels;
    private readonly side: SideBar;
    private readonly toolbar: Toolbar;
    private readonly notices: Notices;
    private readonly footer: Footer;
    private readonly newCase: NewCase;
    private readonly help = new Help();
    private readonly scrolling: Scrolling;
    private readonly pointing: Pointing;
    private readonly navigation: Navigation;
    private readonly copying: Copying;

    private readonly halfTyped = new HalfTyped((preview) => this.take(preview));
    private readonly incremental: IncrementalPreview;
    private readonly previewRequest: CoalescedRequest<PromptParams, Preview | null>;

    constructor(
        root: HTMLElement,
        private readonly host: Connection,
    ) {
        this.state = loadPageState(host.storage);
        const { isPinned, uri = null, task } = this.state;
        const pinned = { uri, ...(task ? { task } : {}) };
        this.shownPrompt = new ShownPrompt(isPinned ? pinned : { uri: null }, (front, isOther) => this.follow(front, isOther));
        this.commands = new Commands(host, () => this.shownPrompt.params, (message) => this.footer.showMessage(message), () => this.refresh());
        this.incremental = new IncrementalPreview((params) => host.request('promptls/preview', params));
        this.previewRequest = new CoalescedRequest(
            (params) => {
                this.timings.requested();
                return this.incremental.request(params);
            },
            (preview) => this.answered(preview),
            ({ message }) => this.failed(message),
        );
        this.compareTab = new CompareTab(
            (sides) => host.request('promptls/compare', { ...this.shownPrompt.params, ...sides }),
            { isInline: this.state.isInline || innerWidth < 600, showsAll: this.state.showsAll },
            (layout) => this.remember(layout),
        );
        const cases = new CasesTab(
            // Without the id of a previous result, the response contains the whole text.
            (name) => host.request('promptls/preview', { ...this.shownPrompt.params, case: name }) as Promise<Preview | null>,
            (sides) => host.request('promptls/compare', { ...this.shownPrompt.params, ...sides }),
            (name) => this.commands.selectCase(name),
        );
        const tabs = [this.textTab, new MarkdownTab(), new MessagesTab(), cases, this.compareTab] as const;
        this.panels = new TabPanels(tabs, this.state.tab);

        this.toolbar = new Toolbar(tabs, this.state, {
            selectCase: (name) => void this.commands.selectCase(name),
            newCase: () => this.askForCase(),
            show: (tab) => this.show(tab),
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
            go: (location) => this.navigation.go(location),
            showProblems: () => this.openPane('problems'),
            showSize: () => this.openPane('size'),
        });
        this.side = new SideBar(this.state.closed, {
            inputs: {
                request: () => host.request('promptls/inputs', this.shownPrompt.params),
                set: (keys, value, name) => this.commands.setInput(keys, value, name),
                go: (location) => this.navigation.go(location),
                create: () => void this.commands.createInputs(),
                complain: (message) => this.footer.showMessage(message),
            },
            size: {
                request: () => {
                    const { encoding } = this.state;
                    return host.request('promptls/size', { ...this.shownPrompt.params, ...(encoding ? { encoding } : {}) });
                },
                chooseEncoding: (encoding) => this.remember({ encoding }),
                prefixChanged: () => this.panels.current === this.textTab && this.drawTab(),
                counted: (size) => this.footer.showSize(size),
                goTo: (path) => this.navigation.goToOutput(path),
                goToPrefix: () => this.navigation.goToOffset(this.side.size.prefixEnd?.end),
            },
            go: (location) => this.navigation.go(location),
            remember: (some) => this.remember(some),
            opened: () => this.preview && this.side.inputs.refresh(),
        });

        const main = element('div.main', {}, this.panels.element, this.side.element);
        root.append(this.toolbar.element, this.newCase.element, this.notices.element, main, this.footer.element, this.tooltip.element, this.help.element);

        this.scrolling = new Scrolling(this.textTab, {
            isTogether: () => this.state.scrollsTogether && this.can.reveal,
            scrolled: (line) => this.preview && host.notify('page/scrolled', { uri: this.preview.uri, line }),
            settled: (scroll) => this.preview && this.remember({ uri: this.preview.uri, scroll }),
        });
        const shown = { uri: () => this.preview?.uri, canReveal: () => this.can.reveal };
        this.navigation = new Navigation(this.panels, this.textTab, this.scrolling, {
            ...shown,
            reveal: (location) => this.try(host.request('page/reveal', location)),
            showMessage: (words) => this.footer.showMessage(words),
            showText: () => this.show('text'),
        });
        this.pointing = new Pointing(this.panels.element, this.tooltip, {
            views: () => this.panels.mappedViews,
            ...shown,
            go: (location) => this.navigation.go(location),
        });
        this.copying = new Copying({
            preview: () => this.preview,
            // In the cases view, the columns are copied as displayed.
            textViews: () => (this.panels.current === cases ? [] : this.panels.textViews.filter((it) => it.text === this.preview?.text)),
            saveAs: () => (this.can.saveAs ? (name, text) => this.try(host.request('page/saveAs', { name, text })) : undefined),
            copied: () => {
                this.toolbar.showCopied();
                this.footer.showMessage('Copied.');
            },
        });
        this.show(this.state.tab);
        this.showSide(this.state.showsSide);
        this.toolbar.showPinned(this.shownPrompt.isPinned);
        this.listen();
    }

    private listen(): void {
        const { host } = this;
        host.on('promptls/previewChanged', ({ textDocument: { uri } }) => {
            if (uri === this.shownPrompt.front.uri) {
                this.timings.changed();
                this.refresh();
            }
        });
        host.on('page/preview', (pushed) => this.takePushed(pushed));
        host.on('page/front', (front) => this.shownPrompt.frontChanged(front));
        host.on('page/cursor', ({ uri, position, reveal }) => this.navigation.setCursor(uri, position, reveal));
        host.on('page/scroll', ({ uri, line }) => {
            if (uri === this.preview?.uri && this.state.scrollsTogether && this.panels.current === this.textTab) {
                this.scrolling.toLine(line);
            }
        });
        host.on('page/unsaved', ({ files }) => this.notices.showUnsaved(files));
        host.on('page/can', (can) => {
            this.showCan(can);
            this.side.inputs.refresh();
        });
        host.on('page/compare', (sides) => {
            if (sides?.revision) {
                this.compareTab.compareWith(sides.revision);
            }
            this.show('compare', true);
        });
        host.on('page/lost', ({ message }) => {
            this.notices.showLost(message);
            if (message === null) {
                this.refresh();
            }
        });
        host.on('page/pin', ({ pinned }) => this.pin(pinned));

        new Keys(this.panels.element, {
            of: (key) => this.actOf(key),
            follow: (piece, toValue) => this.pointing.followFrom(piece, toValue),
            leave: () => this.panels.current.scroller.focus({ preventScroll: true }),
        });
        host.open(() => void this.start());
    }

    private async start(): Promise<void> {
        try {
            const { front, can } = await this.host.request('page/start', null);
            this.showCan(can);
            this.shownPrompt.start(front);
        } catch (error) {
            this.footer.showMessage((error as Error).message);
        }
    }

    private showCan(can: HostCapabilities): void {
        this.can = can;
        this.toolbar.showCan(can);
        this.side.inputs.canEdit = can.edit;
        this.compareTab.canAsk = can.edit;
        this.notices.canSave = can.save;
    }

    /** Shows another prompt. */
    private follow(front: FrontPrompt, isOther: boolean): void {
        if (front.uri === null) {
            this.showNothing(front.message ?? 'Open a prompt to see its resolved text.');
            return;
        }
        if (isOther) {
            this.previewRequest.cancel();
            this.halfTyped.cancel();
            this.side.size.forget();
            this.compareTab.forget();
            this.side.inputs.forget();
        }
        this.refresh();
    }

    private refresh(): void {
        if (this.shownPrompt.front.uri !== null) {
            this.previewRequest.send(this.shownPrompt.params);
        }
    }

    /**
     * Handles a response that the host sent without a request. If it does not match the parameters,
     * requests the preview.
     */
    private takePushed(pushed: PageNotifications['page/preview']): void {
        if (pushed.params.textDocument.uri !== this.shownPrompt.front.uri) {
            return;
        }
        this.timings.changed();
        const preview = this.previewRequest.isBusy ? undefined : this.incremental.pushed(this.shownPrompt.params, pushed);
        if (preview === undefined) {
            this.refresh();
        } else {
            this.timings.requested();
            this.answered(preview);
        }
    }

    private answered(preview: Preview | null): void {
        this.timings.answered();
        if (preview === null) {
            this.showNothing('This file is not a prompt.');
        } else {
            this.halfTyped.take(preview, this.preview);
        }
    }

    private take(preview: Preview): void {
        const old = this.preview;
        const isOther = old?.uri !== preview.uri || old.task !== preview.task;
        this.preview = preview;
        if (isOther) {
            const { uri, scroll } = this.state;
            this.remember({ uri: preview.uri, task: preview.task, scroll: (uri === preview.uri && scroll) || 0 });
            this.sendShown();
        }
        this.draw(isOther);
    }

    private failed(message: string): void {
        if (this.preview === undefined) {
            this.showNothing(message);
        } else {
            this.footer.showMessage(message);
        }
    }

    private showNothing(message: string): void {
        this.previewRequest.cancel();
        this.halfTyped.cancel();
        this.preview = undefined;
        this.side.size.forget();
        this.panels.showMessage(message);
        this.notices.showError(null);
        this.notices.showStale(null);
        this.side.problems.show([]);
        this.side.inputs.forget();
    }

    /** Draws once in the next frame, even if called several times before. */
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
        const drawn = this.panels.draw(this.contentOf(preview, tints));
        if (isOther) {
            this.scrolling.restore(this.state.scroll ?? 0);
        }
        this.toolbar.showCases(preview);
        this.notices.showError(preview.error);
        this.notices.showStale(preview.stale);
        this.footer.show(preview, tints);
        this.side.problems.show(preview.problems);
        this.side.size.showStats(preview.stats);
        this.navigation.light();
        this.timings.drawn(drawn);
        this.side.inputs.refresh();
        // The text comes first: counting its tokens may take longer than drawing it.
        requestIdleCallback(() => this.side.size.refresh(), { timeout: 300 });
    }

    private contentOf(preview: Preview, tints: Tints): TabContent {
        const [{ showsWhitespace }, prefix] = [this.state, this.side.size.prefixEnd];
        return { preview, tints, showsWhitespace, prefix: prefix && { ...prefix, end: Math.min(prefix.end, preview.text.length) } };
    }

    /** Draws only the current tab, immediately. */
    private drawTab(): void {
        if (this.preview !== undefined) {
            this.panels.draw(this.contentOf(this.preview, new Tints(this.preview)));
            this.navigation.light();
        }
    }

    private sendShown(pinned = this.shownPrompt.isPinned): void {
        if (this.preview !== undefined) {
            const { uri, task = null } = this.preview;
            this.host.notify('page/shows', { uri, task, pinned });
        }
    }

    private pin(isPinned: boolean): void {
        this.remember({ isPinned });
        this.toolbar.showPinned(isPinned);
        this.sendShown(isPinned);
        this.shownPrompt.pin(isPinned, this.preview?.task);
    }

    private remember(some: Partial<PageState>): void {
        Object.assign(this.state, some);
        this.host.storage.write(this.state);
    }

    /** Shows a tab; focuses it if `takesFocus` is set. */
    private show(name: TabName, takesFocus = false): void {
        this.remember({ tab: name });
        this.panels.show(name);
        this.toolbar.showTab(name);
        this.showWhetherCaseCounts();
        this.tooltip.hide();
        this.drawTab();
        if (takesFocus) {
            this.panels.current.scroller.focus();
        }
    }

    private showSide(isShown: boolean): void {
        this.side.show(isShown);
        this.toolbar.side.setAttribute('aria-pressed', String(isShown));
        this.showWhetherCaseCounts();
    }

    /** In a comparison, each text has its own case; the selected case then only affects the side bar. */
    private showWhetherCaseCounts(): void {
        this.toolbar.caseCounts = this.panels.current !== this.compareTab || this.state.showsSide;
    }

    private openPane(name: 'inputs' | 'size' | 'problems'): void {
        this.showSide(true);
        this.side.open(this.side[name]);
    }

    /** Shows the error of a failed request. */
    private try(request: Promise<unknown>): void {
        request.catch((error: Error) => this.footer.showMessage(error.message));
    }

    private askForCase(): void {
        if (this.preview?.cases.length === 0) {
            void this.commands.createInputs();
        } else if (this.preview !== undefined) {
            this.newCase.toggle(this.preview.case);
        }
    }

    private actOf(key: string): (() => void) | undefined {
        const { current } = this.panels;
        const go = (step: 1 | -1) => (current.go ? current.go(step) : focusNextValue(current.mappedViews, step));
        const tab = tabNames[Number(key) - 1];
        if (/^[1-9]$/.test(key) && tab) {
            return () => this.show(tab, true);
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
