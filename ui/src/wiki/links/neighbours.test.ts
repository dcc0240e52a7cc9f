import { describe, expect, it } from "vitest";
import type { Backlink, PageLink } from "../../api/backend";
import { type Neighbour, neighboursOf } from "./neighbours";

const to = (id: string, { path = `/${id}`, title = null }: Pick<Partial<PageLink>, "path" | "title"> = {}): PageLink => ({ kind: "page", page_id: id, path, title, deleted: false });
const from = (id: string, title: string | null = null): Backlink => ({ page_id: id, path: `/${id}`, title });
const keys = (nodes: readonly Neighbour[]) => nodes.map(({ key }) => key);

describe("neighboursOf", () => {
  it("shows mutual links once, first, by title", () => {
    const { incoming, outgoing } = neighboursOf("page", [to("a"), to("b", { title: "B!" })], [from("c"), from("b")]);
    expect(keys(incoming)).toEqual(["c"]);
    expect(outgoing.map(({ key, title, mutual }) => [key, title, mutual])).toEqual([
      ["b", "B!", true],
      ["a", null, false],
    ]);
  });

  it("lists missing and deleted pages last, with addresses", () => {
    const missing: PageLink = { kind: "path", page_id: null, path: "/旅", deleted: false };
    const { outgoing } = neighboursOf("page", [missing, { ...to("d"), deleted: true }, to("a")], []);
    expect(outgoing.map(({ kind, address }) => [kind, address])).toEqual([
      ["page", "/wiki/a"],
      ["missing", "/edit/%E6%97%85"],
      ["deleted", "/bin?page=d"],
    ]);
  });

  it("omits the page itself and deleted pages", () => {
    const deleted: PageLink = { ...to("g", { path: null }), deleted: true };
    expect(neighboursOf("page", [to("page"), deleted], [from("page")])).toEqual({ incoming: [], outgoing: [] });
  });
});
