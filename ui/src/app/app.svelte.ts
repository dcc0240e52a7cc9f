// The parts of the frame, composed once.
import type { Backend, DesktopApi } from "../api/backend";
import type { NewPathQuestion, ToastOptions } from "../api/host";
import type { MovedLink } from "../api/moves";
import { createBackend } from "../api";
import { Gate } from "../api/transport/request";
import { RecentFolders } from "../folders/roots/recent-folders.svelte";
import { Roots } from "../folders/roots/roots.svelte";
import { errorMessage, t } from "../i18n";
import { JobWatch, type ShownJob } from "../jobs";
import { TagRuns } from "../folders/tags/tag-runs.svelte";
import { DescribeRuns } from "../vision/describe-runs";
import { ClosingSequence, type Loss } from "./window/window-closing";
import { preventFileNavigation, openDroppedFiles } from "./window/file-drop";
import { whenDrawn } from "./window/drawing";
import { BackupAge } from "./messages/backup-age.svelte";
import { ExpiryErrors } from "./messages/expiry-errors.svelte";
import type { FirstAnswers } from "./first-frame";
import { reportHashFindings } from "./messages/hash-findings";
import { JobMessages, jobNotification } from "./messages/job-messages";
import { MirrorStatus } from "./messages/mirror-status.svelte";
import { followLink } from "./window/links";
import type { Subject } from "./pages/page-moves";
import { SpellChecker } from "./window/spell-checker.svelte";
import { ExternalLinks } from "./window/external-links";
import { PageIndex } from "./pages/page-index.svelte";
import { Confirmations } from "./messages/confirmations.svelte";
import { MemoryEntries, Pane } from "./pane.svelte";
import type * as tabsCode from "./tabs";
import type { ViewState } from "./view-state.svelte";
import type { Router } from "./router.svelte";
import { jobAddress, jobRoute } from "./messages/job-routes";
import { Session } from "./session.svelte";
import type { MenuItem } from "../widgets";
import type ContextMenu from "../widgets/menus/ContextMenu.svelte";
import { showChangedKeys } from "../keys";
import { Shortcuts } from "./keys/shortcuts.svelte";
import { Toasts } from "./messages/toasts.svelte";
import { serveNotes } from "./pages/daily-notes/note-relay";
import { QUICK_NOTE_ADDRESS } from "./pages/daily-notes/view";
import { lineageOf } from "../markdown/links/page-path";
import { hasSubpages } from "./pages/page-paths";
import { type UnsavedText, UnsavedTexts, unsavedUrl } from "./pages/unsaved-texts.svelte";
import { type Undo, Undos } from "./messages/undos.svelte";
import { Pins } from "./pages/pins.svelte";
import { TreeAppearance } from "./pages/tree/tree-view.svelte";
import { Visits } from "./pages/visits.svelte";

const MINUTE = 60_000;

type PageDialog =
  /** `to` is the suggested path. */
  | { kind: "rename"; page: Subject; to?: string }
  | { kind: "merge"; page: Subject }
  | { kind: "delete"; page: Subject; subpages: number }
  | { kind: "links"; links: readonly MovedLink[] };

export class App {
  /** Created before the backend. */
  readonly gate = new Gate();
  readonly backend: Backend;
  readonly session: Session = new Session(() => this.backend);
  readonly toasts = new Toasts();
  readonly undos = new Undos();
  /** The undone actions that can be done again. */
  readonly redos = new Undos();
  readonly confirmations = new Confirmations();
  readonly closing = new ClosingSequence((lost, withdrawn) => this.#mayLose(lost, withdrawn));
  readonly externalLinks: ExternalLinks;
  readonly shortcuts = new Shortcuts(
    (error) => this.report(error),
    () => this.session.shortcuts,
  );
  readonly pages: PageIndex;
  readonly tree: TreeAppearance;
  readonly pins: Pins;
  readonly visits: Visits;
  readonly unsaved: UnsavedTexts;
  /** The pages that are being edited in this window, by path, each with the function that adds a paragraph at its end. */
  readonly openEditors = new Map<string, (text: string) => void>();
  readonly spelling: SpellChecker;
  readonly roots: Roots;
  readonly recentFolders: RecentFolders;
  readonly jobs: JobWatch;
  readonly expiry: ExpiryErrors;
  readonly backupAge: BackupAge;
  readonly mirror: MirrorStatus;
  readonly #jobMessages = new JobMessages({
    toast: (message, options) => this.toasts.show(message, options),
    navigate: async (address) => void (await this.router.navigate(address)),
  });
  readonly describeRuns: DescribeRuns;
  readonly tagRuns: TagRuns;
  /** False for the quick note in a window of its own. */
  readonly hasFrame = location.pathname !== QUICK_NOTE_ADDRESS;
  /** The overlay above the page; at most one. */
  overlay = $state<"palette" | "keys" | "new-page" | "quick-note" | "tour" | null>(null);
  /** The page below which a new one is suggested. */
  newPageBase = $state("/");
  /** What the path of a new page is asked for; null to begin writing it. */
  newPathQuestion = $state.raw<NewPathQuestion | null>(null);
  /** The pending decision about a page, or the report of its move. */
  dialog = $state.raw<PageDialog | null>(null);
  /** The pane in which the user works. */
  pane: Pane = $state.raw() as Pane;
  /** The tabs of the window, with their code; "loading" before they are read, and null in a browser. */
  tabs = $state.raw<{ workspace: tabsCode.Workspace; code: typeof tabsCode } | "loading" | null>(null);
  /** The actions on an object, at a place in the window, and the code that shows them. */
  contextMenu = $state.raw<{ component: typeof ContextMenu; label: string; items: readonly MenuItem[]; x: number; y: number } | null>(null);
  /** The present time for "2 minutes ago"; it advances while nothing else changes. */
  now = $state.raw(new Date());

  /** A test passes its own backend. `since` is the id of the last event before the server's first data. */
  constructor(backend?: Backend, since: string | null = null) {
    this.backend = backend ?? createBackend(this.session.observe, this.gate, since);
    this.pane = this.createPane(location.href);
    this.externalLinks = new ExternalLinks(this.confirmations, this.toasts, this.backend.desktop);
    this.pages = new PageIndex(this.backend);
    this.tree = new TreeAppearance(this.backend.users);
    this.pins = new Pins(this.backend.users, this.backend.events);
    this.visits = new Visits(this.backend.users);
    this.unsaved = new UnsavedTexts(this.backend);
    this.spelling = new SpellChecker(this.backend.desktop);
    this.roots = new Roots(this.backend);
    this.recentFolders = new RecentFolders(this.backend.users);
    this.jobs = new JobWatch(this.backend, (job) => this.#jobEnded(job));
    this.expiry = new ExpiryErrors(this.backend);
    this.backupAge = new BackupAge(this.backend);
    this.mirror = new MirrorStatus(this.backend);
    const host = { t, toast: this.toast.bind(this), describe: this.describe.bind(this) };
    this.describeRuns = new DescribeRuns(this.backend, host, (id) => this.jobs.follow(id));
    this.tagRuns = new TagRuns(this.backend, host, (id) => this.jobs.follow(id));
  }

  /**
   * Starts listening to the browser, the server and the shell; returns a function that stops it. Answers given here are
   * not requested again.
   */
  start(answers: FirstAnswers | null = null): () => void {
    const { desktop, events } = this.backend;
    const onClick = (event: MouseEvent) =>
      followLink(event, {
        here: this.router.url,
        openTab: this.workspace === null ? undefined : (address, front) => this.workspace?.open(address, { front }),
        navigate: (address) => this.attempt(this.router.navigate(address)),
        openExternal: (address) => this.attempt(this.externalLinks.open(address)),
      });
    for (const kind of ["click", "auxclick"] as const) document.addEventListener(kind, onClick);
    window.addEventListener("keydown", this.shortcuts.handle);
    window.addEventListener("unhandledrejection", this.#unforeseen);
    const clock = setInterval(() => (this.now = new Date()), MINUTE);
    const stops = [
      () => clearInterval(clock),
      showChangedKeys(() => this.shortcuts.changed),
      () => this.session.stop(),
      this.jobs.listen(),
      this.expiry.listen(),
      this.backupAge.listen(),
      this.mirror.listen(),
      this.router.start(),
      serveNotes(this.openEditors),
      ...this.#listenToWindow(desktop),
      () => ["click", "auxclick"].forEach((kind) => document.removeEventListener(kind, onClick as EventListener)),
      () => window.removeEventListener("keydown", this.shortcuts.handle),
      () => window.removeEventListener("unhandledrejection", this.#unforeseen),
      events.onConnection((connected) => this.#connection(connected)),
      events.on("page.changed", () => this.unsaved.readSoon()),
      () => this.unsaved.stop(),
      events.on("settings.changed", () => this.attempt(this.session.refreshSettings())),
      // The first user registered in another window: the root page is new.
      events.on("page.changed", () => {
        if (this.session.phase.name === "greeting") this.attempt(this.session.start());
      }),
      events.on("hashes.found", (findings) =>
        reportHashFindings(findings, {
          toast: (message, options) => void this.toasts.show(message, options),
          navigate: (address) => this.attempt(this.router.navigate(address)),
        }),
      ),
      events.on("resync", () => {
        this.unsaved.readSoon();
        this.attempt(this.session.refreshSettings());
      }),
    ];
    this.attempt(this.openTabs());
    this.attempt(this.session.start(answers));
    return () => {
      this.workspace?.stop();
      for (const stop of stops) stop();
    };
  }

  /** Starts listening to the shell, or to the browser. The shell has no messages for a page without the frame. */
  #listenToWindow(desktop: DesktopApi | null): (() => void)[] {
    if (desktop === null) return [this.closing.listen(), preventFileNavigation()];
    return this.hasFrame ? [this.#attend(desktop)] : [];
  }

  /** Registers the window's listeners and notifies the shell; returns a function that removes them. */
  #attend(desktop: DesktopApi): () => void {
    const listening = this.#listen(desktop);
    this.attempt(listening.then(() => desktop.listening()));
    this.attempt(listening.then(whenDrawn).then(() => desktop.drawn()));
    return () =>
      void listening.then((stops) => {
        for (const stop of stops) stop();
      });
  }

  /**
   * Runs after the first paint: the window's listeners are code of their own, and the window's messages wait for them.
   */
  async #listen(desktop: DesktopApi): Promise<(() => void)[]> {
    await this.gate.held;
    return Promise.all([
      desktop.onWindowClosing((closing) => this.attempt(this.closing.end(desktop, closing))),
      desktop.onOpenPlace(({ address }) => this.#showPlace(address)),
      desktop.onRunCommand(({ command }) => this.shortcuts.runNamed(command)),
      desktop.onOutsideLink(({ url }) => this.attempt(this.externalLinks.open(url))),
      desktop.onFilesDropped((dropped) => this.attempt(openDroppedFiles(this, dropped))),
    ]);
  }

  #showPlace(address: string): void {
    if (this.workspace === null) this.attempt(this.router.navigate(address));
    else this.workspace.show(address);
  }

  /** Fetches the code of the window's tabs, and restores them; a failure leaves one view without tabs. */
  async openTabs(): Promise<void> {
    const { desktop } = this.backend;
    if (desktop === null || this.tabs !== null || !this.hasFrame) return;
    this.tabs = "loading";
    try {
      const [code, stored] = await Promise.all([import("./tabs"), desktop.tabs()]);
      this.tabs = { workspace: new code.Workspace(this, stored), code };
    } catch (error) {
      this.tabs = null;
      this.report(error);
    }
  }

  /** Null in a browser. */
  get workspace(): tabsCode.Workspace | null {
    return this.tabs === null || this.tabs === "loading" ? null : this.tabs.workspace;
  }

  /** Handles unexpected failures: the browser logs them, and the user is notified. */
  readonly #unforeseen = ({ reason }: PromiseRejectionEvent): void => {
    // A deliberate abort is no failure.
    if (reason instanceof DOMException && reason.name === "AbortError") return;
    this.report(reason);
  };

  #mayLose(lost: Loss, withdrawn: AbortSignal): Promise<boolean> {
    const question = {
      title: t("close.title"),
      message: t(lost === "unsaved" ? "close.message" : "close.message_files"),
      confirm: t("close.confirm"),
      cancel: t("close.stay"),
      danger: true,
    };
    return this.confirmations.ask(question, withdrawn);
  }

  /** Asks for the path of a new page: beside the current page, or below it. */
  askNewPage(position: "sibling" | "child"): void {
    const { route } = this.router;
    const path = "path" in route.place && route.name !== "pictures" ? route.place.path : "/";
    // A page with subpages serves as the current folder.
    const isFolder = position === "child" || hasSubpages(this.pages.items, path);
    this.askNewPageBelow(isFolder ? path : (lineageOf(path).at(-2) ?? "/"));
  }

  askNewPageBelow(path: string): void {
    this.newPageBase = path;
    this.newPathQuestion = null;
    this.overlay = "new-page";
  }

  askNewPath(question: NewPathQuestion): void {
    this.newPageBase = question.base;
    this.newPathQuestion = question;
    this.overlay = "new-page";
  }

  /** The address for editing a text that was never saved; none if it is being edited. */
  unsavedAddress(text: UnsavedText): string {
    const { route, url } = this.router;
    return route.name === "edit" && route.place.path === text.path ? url.href : unsavedUrl(text);
  }

  get router(): Router {
    return this.pane.router;
  }

  /** The state of the open view. */
  get view(): ViewState {
    return this.pane.view;
  }

  /** Creates a pane at an address. A browser shows the history of its only one; the window keeps that of each. */
  createPane(href: string, state: object | null = null): Pane {
    return new Pane(this.backend.desktop ? new MemoryEntries(href, state) : undefined);
  }

  enter(view: ViewState): void {
    this.pane.view = view;
  }

  /** Shows a message; its undo or redo stays available after the message has gone. */
  toast(message: string, { undo, redo, ...options }: ToastOptions = {}): () => void {
    const run = undo ?? redo;
    if (run === undefined) return this.toasts.show(message, options);
    const offers = undo ? this.undos : this.redos;
    const offer: Undo = { what: message, run, close: () => close() };
    const action = { label: t(undo ? "common.undo" : "common.redo"), run: () => offers.take(offer) };
    const close = this.toasts.show(message, { ...options, action });
    if (undo) this.addUndo(offer);
    else this.redos.add(offer);
    return close;
  }

  /** Offers to undo an action. What was undone before is not done again after it, unless the action is a redo. */
  addUndo(undo: Undo): void {
    if (!this.redos.isRunning) this.redos.clear();
    this.undos.add(undo);
  }

  /** Lists the links whose meaning changed when a page moved, if there are any. */
  showMovedLinks(links: readonly MovedLink[]): void {
    if (links.length > 0) this.dialog = { kind: "links", links };
  }

  /** Shows the actions on an object; the code of menus is fetched on first use. */
  showMenu(label: string, items: readonly MenuItem[], at: { x: number; y: number }): void {
    const open = async () => {
      const { default: component } = await import("../widgets/menus/ContextMenu.svelte");
      this.contextMenu = { component, label, items, ...at };
    };
    this.attempt(open());
  }

  /** Opens an address in another tab: of the window, or of the browser. */
  openTab(address: string): void {
    if (this.workspace === null) window.open(address, "_blank", "noopener");
    else this.workspace.open(address);
  }

  /** Opens an address in the second pane; in a browser, which has none, in another tab. */
  openBeside(address: string): void {
    if (this.workspace === null) this.openTab(address);
    else this.attempt(this.workspace.openBeside(address));
  }

  describe(error: unknown): string {
    return errorMessage(error);
  }

  /** Runs work to its end in the background; reports a failure. */
  attempt(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.report(error));
  }

  report(error: unknown): void {
    this.toasts.show(this.describe(error), { tone: "bad" });
  }

  /** Follows a job that was started here; the message about its start is removed when it ends. */
  async followStarted(id: string, message: string): Promise<void> {
    this.#jobMessages.started(id, message);
    await this.jobs.follow(id);
  }

  /** The settings, the hash records and the cache view show their jobs themselves. */
  #jobEnded(job: ShownJob): void {
    const notification = jobNotification(job);
    const { desktop } = this.backend;
    if (desktop !== null && notification !== null) this.attempt(desktop.notify(notification));
    const openJob = async () => void (await this.router.navigate(jobAddress(job)));
    if (job.kind === "describe_pictures") return this.describeRuns.ended(job, openJob);
    if (job.kind === "rename_tags") return this.tagRuns.ended(job, openJob);
    this.#jobMessages.ended(job, this.router.route.name === jobRoute(job.kind));
  }

  #connection(connected: boolean): void {
    this.session.connected = connected;
    // The server is reachable again: a failed request may succeed now.
    if (!connected) return;
    if (this.session.phase.name === "failed") this.attempt(this.session.start());
    else if (this.session.trouble === "unreachable") this.attempt(this.session.refreshSettings());
  }
}
