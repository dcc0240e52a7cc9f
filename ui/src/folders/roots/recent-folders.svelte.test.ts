// The recently visited folders: their recording, their removal, and their names.
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FilePlace, Root, VisitedFolder } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { RecentFolders, recentFolders } from "./recent-folders.svelte";

const place = (path: string, root = "R1"): FilePlace => ({ root, path: canonicalPath(path) });
const visited = (path: string, more: Partial<VisitedFolder> = {}): VisitedFolder => ({ root: "R1", path, at: "2026-11-20T00:00:00Z", ...more });

describe("recent folders", () => {
  let folders: VisitedFolder[];
  let fault: Error | null;
  /** A callback that runs while the server answers with its list. */
  let meanwhile: () => void;
  let recent: RecentFolders;
  const paths = () => recent.places.map(({ path }) => path);
  const answer = <T>(value: T): Promise<T> => (fault ? Promise.reject(fault) : Promise.resolve(value));

  beforeEach(() => {
    folders = [];
    fault = null;
    meanwhile = () => {};
    recent = new RecentFolders({
      folders: () => {
        const before = folders;
        meanwhile();
        return answer(before);
      },
      visitFolder: async ({ path }) => {
        await answer(null);
        folders = [visited(path), ...folders.filter((folder) => folder.path !== path)];
      },
      forgetFolder: async ({ path }) => {
        await answer(null);
        folders = folders.filter((folder) => folder.path !== path);
      },
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("are unique, limited, and the latest first", async () => {
    for (let index = 0; index < 60; index++) recent.note(place(`${index}`));
    recent.note(place("20"));
    expect(paths().slice(0, 3)).toEqual(["20", "59", "58"]);
    expect(paths()).toHaveLength(50);
    await recent.read();
    expect(folders).toHaveLength(60);
  });

  it("are distinguished by their roots", () => {
    recent.note(place("a", "R1"));
    recent.note(place("a", "R2"));
    expect(recent.places).toEqual([place("a", "R2"), place("a", "R1")]);
  });

  it("from earlier windows are restored byte for byte", async () => {
    folders = [visited("旅"), visited("caf\ufffd", { path_bytes: btoa("caf\xe9/\xff") })];
    await recent.read();
    recent.note(place("new"));
    expect(paths()).toEqual(["new", "%E6%97%85", "caf%E9/%FF"]);
  });

  it("include visits during a read", async () => {
    meanwhile = () => {
      meanwhile = () => {};
      recent.note(place("late"));
    };
    await recent.read();
    expect(paths()).toEqual(["late"]);
  });

  it("stay when the server fails", async () => {
    recent.note(place("a"));
    await recent.read();
    fault = new Error("away");
    recent.note(place("b"));
    await recent.read();
    expect(paths()).toEqual(["b", "a"]);
  });

  it("report a failed removal", async () => {
    for (const path of ["a", "b"]) recent.note(place(path));
    const forgotten = recent.forget(place("a"));
    expect(paths()).toEqual(["b"]);
    await forgotten;
    expect(folders.map(({ path }) => path)).toEqual(["b"]);
    fault = new Error("away");
    await expect(recent.forget(place("b"))).rejects.toBe(fault);
    fault = null;
    await recent.read();
    expect(paths()).toEqual(["b"]);
  });

  it("exclude folders in passing", () => {
    vi.useFakeTimers();
    const leave = recent.recordVisit(place("passed"));
    vi.advanceTimersByTime(999);
    leave();
    const leaveLater = recent.recordVisit(place("stayed"));
    vi.advanceTimersByTime(1_000);
    leaveLater();
    expect(paths()).toEqual(["stayed"]);
  });

  it("are noted once by an effect", () => {
    let runs = 0;
    const stop = $effect.root(() => {
      $effect(() => {
        runs += 1;
        recent.note(place("a"));
      });
    });
    flushSync();
    stop();
    expect(runs).toBe(1);
  });
});

describe("a recent folder", () => {
  const roots: Root[] = [
    { id: "R1", name: "Photos", path: "/home/aya/Photos", available: true },
    { id: "R2", name: "Scans", path: "/mnt/Scans", available: false },
  ];

  it("has a name, a location and an address", () => {
    const folders = recentFolders([place("2026/11 京都"), place("2026"), place("", "R2")], roots, 8);
    expect(folders.map(({ label, within, address, available }) => [label, within, address, available])).toEqual([
      ["11 京都", "Photos/2026", "/pictures/R1/2026/11%20%E4%BA%AC%E9%83%BD", true],
      ["2026", "Photos", "/pictures/R1/2026", true],
      ["Scans", "/mnt/Scans", "/pictures/R2/", false],
    ]);
  });

  it("has an escaped name if necessary", () => {
    const [odd, turned] = recentFolders([place("caf%E9"), place("a/%E2%80%AEb")], roots, 8);
    expect([odd?.label, odd?.address]).toEqual(["caf\ufffd", "/pictures/R1/caf%E9"]);
    expect(turned?.label).toBe("\\u{202e}b");
  });

  it("needs an open root within the limit", () => {
    const places = [place("gone", "R9"), place("a"), place("b"), place("c")];
    expect(recentFolders(places, roots, 2).map(({ label }) => label)).toEqual(["a", "b"]);
  });
});
