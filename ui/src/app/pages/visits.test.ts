import { beforeEach, describe, expect, it } from "vitest";
import type { VisitedPage } from "../../api/backend";
import { recentPages, Visits } from "./visits.svelte";

const page = (path: string): VisitedPage => ({ page_id: `P${path}`, path });

describe("visits", () => {
  let stored: VisitedPage[];
  let fault: Error | null;
  /** Runs while the server answers with its list. */
  let meanwhile: () => void;
  let visits: Visits;

  beforeEach(() => {
    stored = [];
    fault = null;
    meanwhile = () => {};
    visits = new Visits({
      visits: async () => {
        const answer = [...stored];
        meanwhile();
        await Promise.resolve();
        if (fault) throw fault;
        return answer;
      },
      visit: async (id) => {
        await Promise.resolve();
        if (fault) throw fault;
        stored = [page(id.slice(1)), ...stored.filter(({ page_id }) => page_id !== id)];
      },
    });
  });

  const paths = () => visits.pages.map(({ path }) => path);

  it("are listed at once, uniquely, latest first, limited", async () => {
    for (let index = 0; index < 60; index++) visits.note(page(`/${index}`));
    visits.note(page("/20"));
    expect(paths().slice(0, 3)).toEqual(["/20", "/59", "/58"]);
    expect(paths()).toHaveLength(50);
    await visits.read();
    expect(stored).toHaveLength(60);
  });

  it("are stored by the server, in order", async () => {
    for (const path of ["/a", "/b", "/a"]) visits.note(page(path));
    await visits.read();
    expect(stored.map(({ path }) => path)).toEqual(["/a", "/b"]);
    expect(paths()).toEqual(["/a", "/b"]);
  });

  it("of earlier windows are restored", async () => {
    stored = [page("/old"), page("/older")];
    await visits.read();
    visits.note(page("/new"));
    expect(paths()).toEqual(["/new", "/old", "/older"]);
  });

  it("made while the list loads are included", async () => {
    meanwhile = () => {
      meanwhile = () => {};
      visits.note(page("/meanwhile"));
    };
    stored = [page("/old")];
    await visits.read();
    expect(paths()).toEqual(["/meanwhile", "/old"]);
  });

  it("are unchanged without an answer of the server", async () => {
    fault = new Error("down");
    visits.note(page("/a"));
    await visits.read();
    expect(paths()).toEqual(["/a"]);
    fault = null;
    visits.note(page("/b"));
    await visits.read();
    expect(paths()).toEqual(["/b"]);
  });
});

describe("recent pages", () => {
  it("are visited, then changed, except the open one", () => {
    const recent = recentPages([page("/b"), page("/a")], [page("/c"), page("/a"), page("/d")], "/b", 3);
    expect(recent.map(({ path }) => path)).toEqual(["/a", "/c", "/d"]);
  });
});
