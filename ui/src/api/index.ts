// The one place that chooses the backend of this page.
import type { Backend } from "./backend";
import { createEventHub } from "./event-hub";
import { createHttpBackend } from "./http";
import { createSend, type Gate, type Observer } from "./request";
import { inDesktopWindow, withDesktop } from "./tauri";

export function createBackend(observe: Observer, gate?: Gate): Backend {
  const http = createHttpBackend(createSend(observe, undefined, gate), createEventHub());
  return inDesktopWindow() ? withDesktop(http, observe) : http;
}
