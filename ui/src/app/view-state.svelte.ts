// The open view's additions to the frame, and the `Host` through which they are made. `dispose` removes everything when
// the view is left.
import type { Action, Crumb, StatusItem, Host, RightPanel } from "../api/host";
import { errorMessage, locale, t } from "../i18n";
import type { App } from "./app.svelte";
import type { Pane } from "./pane.svelte";

export class ViewState {
  title = $state("");
  crumbs = $state.raw<Crumb[] | null>(null);
  actions = $state.raw<Action[]>([]);
  status = $state.raw<StatusItem[]>([]);
  rightPanel = $state.raw<RightPanel | null>(null);
  /** The language of the text that is written. */
  textLanguage = $state<string | null>(null);
  /** The number of times the view has requested the panel. */
  rightPanelAsked = $state(0);
}

/** Creates a host for one visit of a view in a pane. */
export function createHost(app: App, pane: Pane = app.pane): { host: Host; view: ViewState; dispose: () => void } {
  const view = new ViewState();
  const { router } = pane;
  const isActive = () => app.pane === pane;
  const undo = new Set<() => void>();
  let actionKeys: (() => void)[] = [];

  /** Stores a function that removes something, until it is called. */
  const keep = (remove: () => void): (() => void) => {
    const once = () => {
      if (undo.delete(once)) remove();
    };
    undo.add(once);
    return once;
  };

  const setActions = (actions: Action[]) => {
    for (const remove of actionKeys) remove();
    view.actions = actions;
    actionKeys = actions.flatMap(({ id, label, key, disabled = false, run }) => {
      if (key === undefined) return [];
      // An unavailable action keeps its key: the browser may use it otherwise.
      const shortcut = disabled ? { id, label, key, palette: false, run: () => {} } : { id, label, key, run };
      return [keep(app.shortcuts.register(shortcut, "view", isActive))];
    });
  };

  const host: Host = {
    navigate: (url, options) => router.navigate(url, options),
    setTitle: (title) => (view.title = title),
    setCrumbs: (crumbs) => (view.crumbs = crumbs),
    setActions,
    setStatus: (items) => (view.status = items),
    setRightPanel: (panel) => (view.rightPanel = panel),
    showMenu: (label, items, at) => app.showMenu(label, items, at),
    openTab: (address) => app.openTab(address),
    get openBeside() {
      return app.workspace === null ? null : (address: string) => app.openBeside(address);
    },
    showRightPanel: () => void (view.rightPanelAsked += 1),
    toast: (message, options) => {
      const close = app.toast(message, options);
      return options?.ofView ? keep(close) : close;
    },
    undoable(what, run) {
      const undo = { what, run, close: () => {} };
      app.addUndo(undo);
      return () => app.undos.forget(undo);
    },
    redoable: (what, run) => app.redos.add({ what, run, close: () => {} }),
    confirm: (options) => app.confirmations.ask(options),
    showMovedLinks: (links) => app.showMovedLinks(links),
    setTextLanguage: (language) => (view.textLanguage = language),
    askNewPath: (question) => app.askNewPath(question),
    acceptText(path, append) {
      app.openEditors.set(path, append);
      return keep(() => {
        if (app.openEditors.get(path) === append) app.openEditors.delete(path);
      });
    },
    beforeLeave: (guard) => keep(router.beforeLeave(guard)),
    onWindowClosing: (flush) => keep(app.closing.add(flush)),
    openExternal: (url) => app.externalLinks.open(url),
    registerShortcut: (shortcut) => keep(app.shortcuts.register(shortcut, "view", isActive)),
    get url() {
      return router.url;
    },
    get kept() {
      return router.kept;
    },
    keep: (state) => router.keep(state),
    onStep: (handler) => keep(router.onStep(handler)),
    goBack() {
      const { canGoBack } = router;
      if (canGoBack) router.goBack();
      return canGoBack;
    },
    describe: errorMessage,
    t,
    get locale() {
      return locale();
    },
  };

  const dispose = () => {
    for (const remove of [...undo]) remove();
  };
  return { host, view, dispose };
}
