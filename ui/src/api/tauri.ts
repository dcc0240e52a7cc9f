// The additions of the desktop window: its commands and its events. Everything else goes over HTTP as in a browser.
import type { Backend, DesktopApi, FilesDropped, WindowClosing } from "./backend";
import { type Command, commandAssets, commandCache, commandLocks, commandRevisions, commandTtl, createCommand } from "./commands";
import type { Observer } from "./request";

/** True if this page runs in the desktop window. */
export function inDesktopWindow(): boolean {
  return "__TAURI_INTERNALS__" in window;
}

/** The same backend with the desktop's abilities, and its commands if there are any. */
export function withDesktop(backend: Backend, observe: Observer): Backend {
  const command = createCommand(observe, invoke);
  return {
    ...backend,
    locks: { ...backend.locks, ...commandLocks(command) },
    revisions: { ...backend.revisions, ...commandRevisions(command) },
    assets: { ...backend.assets, ...commandAssets(command) },
    cache: { ...backend.cache, ...commandCache(command) },
    ttl: { ...backend.ttl, ...commandTtl(command) },
    desktop: createDesktop(command),
  };
}

function createDesktop(command: Command): DesktopApi {
  return {
    pickFolder: (purpose = "pictures") => command("GET", "pick_folder", { purpose }),
    pickFiles: (purpose = "page") => command("GET", "pick_files", { purpose }),
    addFiles: (page_id, grants, free_names = false) => command("POST", "asset_add_files", { page_id, grants, free_names }),
    pasteFiles: (page_id, name) => command("POST", "asset_paste", { page_id, name }),
    saveFile: (file) => command("GET", "save_file", file),
    reveal: (place) => command("GET", "reveal", place),
    openPicture: (place) => command("GET", "open_picture", place),
    openExternal: (url) => command("GET", "open_external", { url }),
    closeWindow: () => command("GET", "close_window"),
    keepWindow: () => command("GET", "keep_window"),
    listening: () => command("GET", "page_listens"),
    requestClose: () => command("GET", "request_close"),
    noteView: (address) => command("GET", "note_view", { address }),
    zoom: (change) => command("GET", "zoom_window", { change }),
    toggleFullscreen: () => command("GET", "toggle_fullscreen"),
    print: () => command("GET", "print_page"),
    onWindowClosing: (handler) => listen<WindowClosing>("window-closing", handler),
    onOpenPlace: (handler) => listen<{ address: string }>("open-place", handler),
    onOutsideLink: (handler) => listen<{ url: string }>("outside-link", handler),
    onFilesDropped: (handler) => listen<FilesDropped>("files-dropped", handler),
  };
}

// Loaded on first use, so that a browser never fetches them.
async function invoke(command: string, values?: Record<string, unknown>): Promise<unknown> {
  const core = await import("@tauri-apps/api/core");
  return core.invoke(command, values);
}

async function listen<T>(event: string, handler: (payload: T) => void): Promise<() => void> {
  const events = await import("@tauri-apps/api/event");
  return events.listen<T>(event, ({ payload }) => handler(payload));
}
