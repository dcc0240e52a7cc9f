// The desktop window: its keys, and its last view.
import type { DesktopApi, ZoomChange } from "../../api/backend";
import { formatPercent, t } from "../../i18n";
import { wikiUrl } from "../../markdown/links/page-path";
import type { App } from "../app.svelte";
import type { Router } from "../router.svelte";

/** The zoom is shown this long, in milliseconds. */
const ZOOM_SHOWN = 2_000;

/** WebKit allows a hundred changes of the document's address in half a minute. */
const ADDRESS_MS = 350;

/** Records each view in the shell; the next start opens the last one. */
export function noteView(app: App): void {
  const { desktop } = app.backend;
  if (!desktop || !app.hasFrame || app.session.phase.name !== "ready") return;
  const { router } = app.workspace?.active ?? app.pane;
  app.attempt(desktop.noteView(lastingAddress(router)));
  showAddress(router.url);
}

let shownAt = -Infinity;
let showing: ReturnType<typeof setTimeout> | undefined;

/** Shows the address of the tab as that of the document, which a reload opens. */
function showAddress({ href }: URL): void {
  clearTimeout(showing);
  const show = () => {
    shownAt = performance.now();
    if (location.href !== href) history.replaceState(history.state, "", href);
  };
  const wait = shownAt + ADDRESS_MS - performance.now();
  if (wait <= 0) show();
  else showing = setTimeout(show, wait);
}

/** The address to return to. An editor needs a lock, which the user may no longer want: its page is read first. */
export function lastingAddress({ route, url }: Pick<Router, "route" | "url">): string {
  return route.name === "edit" ? wikiUrl(route.place.path) : url.pathname + url.search;
}

/** Registers the window's keys; returns a function that removes them. */
export function windowShortcuts(app: App): (() => void) | undefined {
  const { desktop } = app.backend;
  if (!desktop) return undefined;
  const zoom = zoomOf(app, desktop);
  const [larger, smaller] = [() => zoom("in"), () => zoom("out")];
  // With several tabs, the key closes one.
  const closesTabs = app.workspace !== null && (app.workspace.tabs.length > 1 || app.pane === app.workspace.beside);
  const close = { id: "window-close", label: t("window.close"), key: "Mod+w", run: () => desktop.requestClose() };
  const removers = [
    { id: "window-zoom-in", label: t("window.zoom_in"), key: "Mod++", repeats: true, run: larger },
    // The same key without Shift, where the plus sign needs Shift.
    { id: "window-zoom-in-plain", label: t("window.zoom_in"), key: "Mod+=", palette: false, repeats: true, run: larger },
    { id: "window-zoom-out", label: t("window.zoom_out"), key: "Mod+-", repeats: true, run: smaller },
    { id: "window-zoom-reset", label: t("window.zoom_reset"), key: "Mod+0", run: () => zoom("reset") },
    { id: "window-fullscreen", label: t("window.fullscreen"), key: "F11", whileTyping: true, run: () => desktop.toggleFullscreen() },
    ...(closesTabs ? [] : [close]),
    { id: "quit", label: t("window.quit"), key: "Mod+q", run: () => desktop.requestClose() },
  ].map((shortcut) => app.shortcuts.register({ ...shortcut, inDialogs: true }, "everywhere"));
  return () => {
    for (const remove of removers) remove();
  };
}

/** Returns a function that changes the zoom and shows it. */
function zoomOf(app: App, desktop: DesktopApi): (change: ZoomChange) => Promise<void> {
  let close = () => {};
  return async (change) => {
    const percent = await desktop.zoom(change);
    close();
    close = app.toast(t("window.zoomed", { percent: formatPercent(percent / 100) }), { duration: ZOOM_SHOWN });
  };
}
