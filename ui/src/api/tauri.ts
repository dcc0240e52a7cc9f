// What the desktop window adds: its commands and its events. Everything else goes over HTTP as in a browser.
import type { Backend, DesktopApi } from "./backend";

/** Whether this page runs in the desktop window. */
export function inDesktopWindow(): boolean {
  return "__TAURI_INTERNALS__" in window;
}

/** The same backend, with the desktop's abilities. */
export function withDesktop(backend: Backend): Backend {
  return { ...backend, desktop: createDesktop() };
}

function createDesktop(): DesktopApi {
  return {
    pickFolder: () => invoke<{ grant: string; name: string } | null>("pick_folder"),
    openExternal: (url) => invoke("open_external", { url }),
    closeWindow: () => invoke("close_window"),
    onWindowClosing: (handler) => listen("window-closing", handler),
    onOpenFolder: (handler) => listen<{ root: string; path: string }>("open-folder", handler),
    onOutsideLink: (handler) => listen<{ url: string }>("outside-link", handler),
  };
}

// Loaded when first needed, so that a browser never fetches them.
async function invoke<T>(command: string, values?: Record<string, unknown>): Promise<T> {
  const core = await import("@tauri-apps/api/core");
  return core.invoke<T>(command, values);
}

async function listen<T>(event: string, handler: (payload: T) => void): Promise<() => void> {
  const events = await import("@tauri-apps/api/event");
  return events.listen<T>(event, ({ payload }) => handler(payload));
}
