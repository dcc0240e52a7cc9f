// A user of the editor, with a server that answers from memory.

import { Text } from "@codemirror/state";
import { afterEach, beforeEach, vi } from "vitest";
import { EditSession } from "../editor/session/edit-session.svelte";
import { LockTokens } from "../editing/locks/lock-tokens";
import { FakeServer } from "./fake-server";

export const TAB = "tab-1";

/** Created for each test; sessions that it opened are closed after it. */
export function editorFixture() {
  let open: EditSession[] = [];
  const desk = {
    server: new FakeServer(),

    /** Locks the page as the reading view does before it opens the editor. */
    async lockFromReading(path: string, tab = TAB): Promise<void> {
      const id = desk.server.at(path)?.id ?? "";
      new LockTokens(tab).write(id, await desk.server.backend.locks.acquire(id));
    },

    async enter(path: string, tab = TAB): Promise<EditSession> {
      const session = new EditSession({ backend: desk.server.backend, tokens: new LockTokens(tab), path });
      open.push(session);
      await session.open();
      return session;
    },

    async edit(path: string, tab = TAB): Promise<EditSession> {
      await desk.lockFromReading(path, tab);
      return desk.enter(path, tab);
    },

    textAt: (path: string) => desk.server.at(path)?.source?.text,
  };

  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse("2026-11-20T09:00:00Z") });
    sessionStorage.clear();
    desk.server = new FakeServer();
    open = [];
  });

  afterEach(() => {
    for (const session of open) session.dispose();
    vi.useRealTimers();
  });

  return desk;
}

export const type = (session: EditSession, text: string) => {
  session.change(Text.of(text.split("\n")));
};
export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
