import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addElsewhere, type RelayChannel, serveNotes } from "./note-relay";

/** Windows whose messages reach all others, as those of a BroadcastChannel do. */
function windows(): () => RelayChannel {
  const all: { hear: (event: MessageEvent) => void; own: object }[] = [];
  return () => {
    const own = {};
    return {
      postMessage(data: unknown) {
        for (const one of [...all]) if (one.own !== own) one.hear(new MessageEvent("message", { data }));
      },
      addEventListener: (_kind: string, hear: unknown) => void all.push({ hear: hear as (event: MessageEvent) => void, own }),
      close() {
        for (const one of all.filter((each) => each.own === own)) all.splice(all.indexOf(one), 1);
      },
    };
  };
}

describe("a note for a page that is edited elsewhere", () => {
  let open = windows();
  beforeEach(() => {
    open = windows();
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  it("goes into that editor once", async () => {
    const [day, other] = [vi.fn(), vi.fn()];
    serveNotes(new Map([["/journal/today", day]]), open());
    serveNotes(new Map([["/garden", other]]), open());
    expect(await addElsewhere("/journal/today", "茶", open())).toBe(true);
    expect(day.mock.calls).toEqual([["茶"]]);
    expect(other).not.toHaveBeenCalled();
  });

  it("is refused if no window edits it", async () => {
    serveNotes(new Map([["/garden", vi.fn()]]), open());
    const added = addElsewhere("/journal/today", "茶", open());
    await vi.runAllTimersAsync();
    expect(await added).toBe(false);
  });

  it("is not added by an ended window", async () => {
    const day = vi.fn();
    serveNotes(new Map([["/journal/today", day]]), open())();
    const added = addElsewhere("/journal/today", "茶", open());
    await vi.runAllTimersAsync();
    expect(await added).toBe(false);
    expect(day).not.toHaveBeenCalled();
  });
});
