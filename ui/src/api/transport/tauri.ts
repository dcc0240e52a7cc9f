// The additions of the desktop window: the shell's commands and its events.
import type { DesktopApi, FilesDropped, WindowClosing } from "../backend";
import type { Method } from "./request";
import type { Command } from "./transport";

/** True if this page runs in the desktop window. */
export function inDesktopWindow(): boolean {
  return "__TAURI_INTERNALS__" in window;
}

/** The abilities of the desktop window. */
export function createDesktop(run: Command): DesktopApi {
  // The shell's commands return the types of the interface.
  const command = <T>(method: Method, name: string, values?: object) => run(method, name, { ...values }) as Promise<T>;
  return {
    pickFolder: (purpose = "pictures") => command("GET", "pick_folder", { purpose }),
    pickFiles: (purpose = "page") => command("GET", "pick_files", { purpose }),
    pasteFiles: (page_id, name) => command("POST", "asset_paste", { page_id, name }),
    saveFile: (file) => command("GET", "save_file", file),
    reveal: (place) => command("GET", "reveal", place),
    openPicture: (place) => command("GET", "open_picture", place),
    dragFiles: (link, places) => command("GET", "drag_files", { link, places }),
    openDataFolder: () => command("GET", "open_data_folder"),
    openExternal: (url) => command("GET", "open_external", { url }),
    closeWindow: () => command("GET", "close_window"),
    keepWindow: () => command("GET", "keep_window"),
    listening: () => command("GET", "page_listens"),
    drawn: () => command("GET", "page_drawn"),
    requestClose: () => command("GET", "request_close"),
    noteView: (address) => command("GET", "note_view", { address }),
    noteTabs: (tabs) => command("GET", "note_tabs", { tabs }),
    tabs: () => command("GET", "window_tabs"),
    zoom: (change) => command("GET", "zoom_window", { change }),
    toggleFullscreen: () => command("GET", "toggle_fullscreen"),
    copyDiagnostics: () => command("GET", "copy_diagnostics"),
    notify: (notification) => command("GET", "notify_user", notification),
    openNotices: () => command("GET", "open_notices"),
    setSpelling: (spelling) => command("GET", "set_spelling", spelling),
    print: () => command("GET", "print_page"),
    savePdf: (name) => command("GET", "save_pdf", { name }),
    onWindowClosing: (handler) => listen<WindowClosing>("window-closing", handler),
    onRunCommand: (handler) => listen<{ command: string }>("run-command", handler),
    onOpenPlace: (handler) => listen<{ address: string }>("open-place", handler),
    onOutsideLink: (handler) => listen<{ url: string }>("outside-link", handler),
    onFilesDropped: (handler) => listen<FilesDropped>("files-dropped", handler),
  };
}

// Loaded on first use, so that a browser never fetches them.
export async function invoke(command: string, values?: Record<string, unknown>): Promise<unknown> {
  const core = await import("@tauri-apps/api/core");
  return core.invoke(command, values);
}

async function listen<T>(event: string, handler: (payload: T) => void): Promise<() => void> {
  const events = await import("@tauri-apps/api/event");
  return events.listen<T>(event, ({ payload }) => handler(payload));
}
