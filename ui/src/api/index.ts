// Chooses the backend of this page.
import type { Backend } from "./backend";
import { createEventHub } from "./events/event-hub";
import { createHttpBackend } from "./transport/http";
import { createApiFetch, type Gate, type Observer } from "./transport/request";
import { createDesktop, inDesktopWindow, invoke } from "./transport/tauri";
import { createCommand } from "./transport/transport";

/** `since` is the id of the last event before the page's first data. */
export function createBackend(observe: Observer, gate: Gate, since: string | null): Backend {
  const command = inDesktopWindow() ? createCommand(observe, invoke) : null;
  return createHttpBackend(createApiFetch(observe), createEventHub(since), command, command && createDesktop(command), gate);
}
