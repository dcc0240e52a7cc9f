// Chooses the backend of this page.
import type { Backend } from "./backend";
import { createEventHub } from "./event-hub";
import { createHttpBackend } from "./http";
import { createApiFetch, type Gate, type Observer } from "./request";
import { inDesktopWindow, withDesktop } from "./tauri";

/** `since` is the id of the last event before the page's first data. */
export function createBackend(observe: Observer, gate: Gate, since: string | null): Backend {
  const http = createHttpBackend(createApiFetch(observe, undefined, gate), createEventHub(since));
  return inDesktopWindow() ? withDesktop(http, observe) : http;
}
