import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LocksApi, PageLock } from "../../api/backend";
import { ApiError, type ApiErrorCode } from "../../api/errors";
import { LockSession, type LockState } from "./lock-session";

const MINUTE = 60_000;
const lock = (token: string, minutes = 5): PageLock => ({
  token,
  expire: new Date(Date.now() + minutes * MINUTE).toISOString(),
});
const error = (code: ApiErrorCode) => new ApiError(code, code === "unreachable" ? 0 : 403, code);

let count: number;
let locks: { [Name in keyof LocksApi]: ReturnType<typeof vi.fn<LocksApi[Name]>> };
let states: LockState[];
let tokens: string[];
let session: LockSession;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T09:00:00Z") });
  count = 0;
  locks = {
    acquire: vi.fn<LocksApi["acquire"]>(() => Promise.resolve(lock(`acquired-${++count}`))),
    renew: vi.fn<LocksApi["renew"]>(() => Promise.resolve(lock(`renewed-${++count}`))),
    status: vi.fn<LocksApi["status"]>(),
    release: vi.fn<LocksApi["release"]>(() => Promise.resolve()),
    releaseOnClose: vi.fn<LocksApi["releaseOnClose"]>(() => true),
  };
  states = [];
  tokens = [];
  session = new LockSession({
    pageId: "page",
    lock: lock("first"),
    locks,
    onToken: ({ token }) => tokens.push(token),
    onState: (state) => states.push(state),
  });
});

afterEach(() => {
  session.end();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("renewal", () => {
  it("happens early, each time with the newest token", async () => {
    await pass(2 * MINUTE);
    await pass(2 * MINUTE);
    expect(locks.renew.mock.calls).toEqual([
      ["page", "first"],
      ["page", "renewed-1"],
    ]);
    expect(tokens).toEqual(["renewed-1", "renewed-2"]);
    expect(session.state.kind).toBe("held");
  });

  it("is retried without an answer and reported unsure", async () => {
    locks.renew.mockRejectedValueOnce(error("unreachable")).mockRejectedValueOnce(error("internal"));
    await pass(2 * MINUTE);
    expect(session.state.kind).toBe("unsure");
    await pass(2_000 + 4_000);
    expect(session.state.kind).toBe("held");
    expect(locks.renew).toHaveBeenCalledTimes(3);
  });

  it("is reported lost at expiry, and still retried", async () => {
    locks.renew.mockRejectedValue(error("unreachable"));
    await pass(5 * MINUTE + 30_000);
    expect(session.state.kind).toBe("lost");
    locks.renew.mockImplementation(() => Promise.resolve(lock("late")));
    await pass(30_000);
    expect(session.state.kind).toBe("held");
  });

  it("ends at a refusal", async () => {
    locks.renew.mockRejectedValueOnce(error("lock_invalid"));
    await pass(2 * MINUTE);
    expect(session.state.kind).toBe("lost");
    await pass(10 * MINUTE);
    expect(locks.renew).toHaveBeenCalledTimes(1);
  });

  it("is immediate after a sleep", async () => {
    vi.setSystemTime(Date.now() + 4 * MINUTE);
    await session.wake();
    expect(locks.renew).toHaveBeenCalledTimes(1);
  });

  it("is not early without a reason", async () => {
    await pass(1_000);
    await session.wake();
    expect(locks.renew).not.toHaveBeenCalled();
  });

  it("does not trust a clock that runs ahead", async () => {
    session.end();
    session = new LockSession({ pageId: "page", lock: lock("far", 600), locks, onToken: vi.fn(), onState: vi.fn() });
    await pass(2 * MINUTE);
    expect(locks.renew).toHaveBeenCalledTimes(1);
  });
});

describe("no answer at all", () => {
  it("is reported at expiry, repaired by an answer", async () => {
    let answer: (lock: PageLock) => void = () => undefined;
    locks.renew.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    await pass(2 * MINUTE);
    expect(session.state.kind).toBe("held");
    await pass(3 * MINUTE + 4_000);
    expect(session.state.kind).toBe("lost");
    answer(lock("late"));
    await pass(0);
    expect(session.state.kind).toBe("held");
  });

  it("is reported at expiry, before the next retry", async () => {
    locks.renew.mockRejectedValue(error("unreachable"));
    await pass(5 * MINUTE - 100);
    expect(session.state.kind).toBe("unsure");
    await pass(101);
    expect(session.state.kind).toBe("lost");
  });
});

describe("use", () => {
  it("waits for a running renewal's token", async () => {
    let answer: (lock: PageLock) => void = () => undefined;
    locks.renew.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    await pass(2 * MINUTE);
    const seen = session.use((token) => Promise.resolve(token));
    answer(lock("new"));
    expect(await seen).toBe("new");
  });

  it("delays a renewal until its end", async () => {
    let done: () => void = () => undefined;
    const work = session.use(() => new Promise<void>((resolve) => (done = resolve)));
    await pass(2 * MINUTE + 1);
    expect(locks.renew).not.toHaveBeenCalled();
    done();
    await work;
    await pass(0);
    expect(locks.renew).toHaveBeenCalledTimes(1);
  });

  it("passes failures on and keeps working", async () => {
    await expect(session.use(() => Promise.reject(error("disk_full")))).rejects.toThrow("disk_full");
    expect(await session.use((token) => Promise.resolve(token))).toBe("first");
  });
});

describe("the end", () => {
  it("releases the lock once", async () => {
    await session.release();
    await pass(10 * MINUTE);
    expect(locks.release.mock.calls).toEqual([["page", "first"]]);
    expect(locks.renew).not.toHaveBeenCalled();
    expect(session.state.kind).toBe("ended");
  });

  it("releases the token of a running renewal", async () => {
    let answer: (lock: PageLock) => void = () => undefined;
    locks.renew.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    await pass(2 * MINUTE);
    const released = session.release();
    answer(lock("new"));
    await released;
    expect(locks.release).toHaveBeenCalledWith("page", "new");
    expect(tokens).toEqual([]);
  });

  it("releases nothing after the lock was lost", async () => {
    locks.renew.mockRejectedValueOnce(error("lock_invalid"));
    await pass(2 * MINUTE);
    await session.release();
    session.releaseOnClose();
    expect(locks.release).not.toHaveBeenCalled();
    expect(locks.releaseOnClose).not.toHaveBeenCalled();
  });

  it("hands its token to the browser on closing", () => {
    session.releaseOnClose();
    expect(locks.releaseOnClose).toHaveBeenCalledWith("page", "first");
  });
});

describe("reacquire", () => {
  it("releases a lock that arrives after the end", async () => {
    let answer: (lock: PageLock) => void = () => {};
    locks.acquire.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    session.lose(error("lock_invalid"));
    const reacquired = session.reacquire();
    await pass(0);
    const released = session.release();
    answer(lock("late"));
    await Promise.all([reacquired, released]);
    expect(locks.release.mock.calls).toEqual([["page", "late"]]);
    expect(session.state.kind).toBe("ended");
  });

  it("takes and renews a new lock after loss", async () => {
    locks.renew.mockRejectedValueOnce(error("lock_invalid"));
    await pass(2 * MINUTE);
    await session.reacquire();
    expect(session.state.kind).toBe("held");
    await pass(2 * MINUTE);
    expect(locks.renew).toHaveBeenLastCalledWith("page", "acquired-1");
  });

  it("keeps the state while another user edits", async () => {
    locks.renew.mockRejectedValueOnce(error("lock_invalid"));
    locks.acquire.mockRejectedValueOnce(error("locked"));
    await pass(2 * MINUTE);
    await expect(session.reacquire()).rejects.toThrow("locked");
    expect(session.state.kind).toBe("lost");
  });
});
