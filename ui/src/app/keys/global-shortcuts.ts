// The keys that work in every view.
import { hashesAddress } from "../../api/addresses/hashes-address";
import { t } from "../../i18n";
import { isMac } from "../../keys";
import type { App } from "../app.svelte";
import { retries, RETRY_KEY } from "../../widgets/states/retries.svelte";
import { type RouteCommand, routeCommands } from "../routes";

/** The same keys as in the browsers of each system. */
export const BACK_KEY = isMac() ? "Mod+[" : "Alt+ArrowLeft";
export const FORWARD_KEY = isMac() ? "Mod+]" : "Alt+ArrowRight";

/** The keys for back and forward, if there is an entry to go to. */
export function historyShortcuts(app: App): () => void {
  const { router } = app;
  // In text fields these keys belong to the text: the editor moves over whole links and words by Alt and an arrow, and
  // indents by the brackets of a Mac. Moving within a text must not leave it.
  const whileTyping = false;
  const back = { id: "back", label: t("keys.back"), key: BACK_KEY, whileTyping, run: () => router.goBack() };
  const forward = { id: "forward", label: t("keys.forward"), key: FORWARD_KEY, whileTyping, run: () => router.goForward() };
  const possible = [...(router.canGoBack ? [back] : []), ...(router.canGoForward ? [forward] : [])];
  const removers = possible.map((shortcut) => app.shortcuts.register(shortcut, "everywhere"));
  return () => {
    for (const remove of removers) remove();
  };
}

/** The key for the last action that can be undone; separate, as it changes while a view's own keys are registered. */
export function undoShortcut(app: App): (() => void) | undefined {
  const { last } = app.undos;
  if (last === null) return undefined;
  const label = t("keys.undo", { what: last.what });
  // In a text field, the key belongs to the text.
  return app.shortcuts.register({ id: "undo", label, key: "Mod+z", whileTyping: false, run: () => app.undos.take(last) }, "everywhere");
}

/** The key for the last undone action that can be done again. */
export function redoShortcut(app: App): (() => void) | undefined {
  const { last } = app.redos;
  if (last === null) return undefined;
  return app.shortcuts.register({ id: "redo", label: t("keys.redo", { what: last.what }), key: "Mod+Shift+z", whileTyping: false, run: () => app.redos.take(last) }, "everywhere");
}

/** The key for a page below the current one. */
export function newSubpageShortcut(app: App): (() => void) | undefined {
  const { name } = app.router.route;
  if (name !== "wiki" && name !== "edit" && name !== "history") return undefined;
  return app.shortcuts.register({ id: "new-page-beneath", label: t("tree.new_subpage"), key: "Shift+n", run: () => app.askNewPage("child") }, "everywhere");
}

/** The key that retries failed parts of the screen. */
export function retryShortcut(app: App): (() => void) | undefined {
  if (!retries.any) return undefined;
  return app.shortcuts.register({ id: "retry", label: t("common.retry"), key: RETRY_KEY, run: () => retries.run() }, "view");
}

/** The key for the right panel, if the view has one. */
export function rightPanelShortcut(app: App, toggleRight: () => void): (() => void) | undefined {
  if (app.view.rightPanel === null) return undefined;
  const label = t("right.toggle");
  const removers = [
    { id: "toggle-right", label, key: "Mod+i", run: toggleRight },
    { id: "toggle-right-in-text", label, key: "Mod+Alt+i", palette: false, run: toggleRight },
  ].map((shortcut) => app.shortcuts.register(shortcut, "everywhere"));
  return () => {
    for (const remove of removers) remove();
  };
}

/** Registers them; returns a function that removes them. Read inside an effect, the labels follow the language. */
export function globalShortcuts(app: App, toggleSide: () => void): () => void {
  const go = (address: string) => async () => {
    await app.router.navigate(address);
  };
  const open = ({ address, ...command }: RouteCommand) => ({ ...command, run: go(address) });
  const [search, ...others] = routeCommands("elsewhere").map(open);
  const removers = [
    { id: "palette", label: t("keys.palette"), key: "Mod+k", palette: false, run: () => void (app.overlay = "palette") },
    // In the text of a page, Mod-K, Mod-B and Mod-I format.
    { id: "palette-in-text", label: t("keys.palette"), key: "Mod+o", palette: false, run: () => void (app.overlay = "palette") },
    ...(search ? [search] : []),
    { id: "new-page", label: t("tree.new_page"), key: "n", run: () => app.askNewPage("sibling") },
    { id: "toggle-side", label: t("side.toggle"), key: "Mod+b", run: toggleSide },
    { id: "toggle-side-in-text", label: t("side.toggle"), key: "Mod+Alt+b", palette: false, run: toggleSide },
    ...routeCommands("activity").map(open),
    { id: "verify-all", label: t("hashes.verify_all"), key: "Mod+Alt+v", run: () => verifyEverything(app) },
    ...others,
    { id: "tour", label: t("tour.show"), key: "Alt+Shift+t", run: () => void (app.overlay = "tour") },
    { id: "keys", label: t("keys.show"), key: "?", run: () => void (app.overlay = "keys") },
  ].map((shortcut) => app.shortcuts.register(shortcut, "everywhere"));
  return () => {
    for (const remove of removers) remove();
  };
}

/** Starts a verification of all recorded files, and goes to its report. */
async function verifyEverything(app: App): Promise<void> {
  await app.jobs.follow(await app.backend.hashes.verify());
  await app.router.navigate(hashesAddress({ part: "report" }));
}
