import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../api/errors";
import type { ApiEvents, EventMap, EventName, Handler } from "../../api/events/events";
import { PageLinks } from "./page-links";
import { dom, MISSING } from "../testing";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const OTHER = "01BX5ZZKBKACTAV9WEVGEMMVRZ";

/** The titles of pages, by id. */
const titles = new Map<string, string>();
/** The ids of existing pages, by path. */
let pages: Map<string, string>;
let handlers: Map<string, Handler<EventName>>;
let aborting: AbortController;
let links: PageLinks;
const resolve = vi.fn((path: string) => {
  const id = pages.get(path);
  return id === undefined ? Promise.reject(new ApiError("page_not_found", 404, "")) : Promise.resolve({ id, revision: 1, title: titles.get(id) ?? null });
});
const path = vi.fn((id: string) => {
  const entry = [...pages].find(([, one]) => one === id);
  return entry === undefined ? Promise.reject(new ApiError("deleted", 410, "", { path: "/was" })) : Promise.resolve(entry[0]);
});
const events: Pick<ApiEvents, "on"> = {
  on: (name, handler) => {
    handlers.set(name, handler as Handler<EventName>);
    return () => handlers.delete(name);
  },
};

beforeEach(() => {
  pages = new Map();
  titles.clear();
  handlers = new Map();
  aborting = new AbortController();
  links = new PageLinks({ resolve, path }, MISSING, aborting.signal);
  resolve.mockClear();
  path.mockClear();
});

async function renderPage(source: string, bound = true): Promise<HTMLElement> {
  const page = dom(source);
  links.follow(events, () => page, { bound });
  await links.mark(page);
  return page;
}

async function emit(kind: EventMap["page.changed"]["kind"], page_id: string, at: string): Promise<void> {
  handlers.get("page.changed")?.({ page_id, path: at, revision: 1, kind });
  await new Promise((done) => setTimeout(done));
}

const COLOURS = { none: "red", trashed: "grey" };
/** Returns the appearance of a link, and its target. */
const linkAt = (page: ParentNode, index = 0) => {
  const link = page.querySelectorAll("a")[index];
  return [COLOURS[link?.className as keyof typeof COLOURS] ?? "blue", link?.getAttribute("href") ?? null, link?.getAttribute("title") ?? null];
};
const deleted = ["grey", `/bin?page=${ID}`, "in the trash"];
const red = (at: string) => ["red", `/edit${at}`, "not written yet"];

describe("a link to a missing page", () => {
  it.each(["created", "saved", "restored"] as const)("becomes one to a page once %s", async (kind) => {
    const page = await renderPage('[a](/a#part "its title")');
    expect(linkAt(page)).toEqual(red("/a"));
    const element = page.querySelector("a");
    pages.set("/a", ID);
    await emit(kind, ID, "/a");
    expect(linkAt(page)).toEqual(["blue", "/wiki/a#part", "its title"]);
    expect(page.querySelector("a")).toBe(element);
    expect(element?.hasAttribute("data-testid")).toBe(false);
  });

  it("works once a page is at its path", async () => {
    const page = await renderPage("[a](/a)");
    pages.set("/a", ID);
    await emit("renamed", ID, "/a");
    expect(linkAt(page)).toEqual(["blue", "/wiki/a", null]);
  });

  it("is not requested because of another page", async () => {
    await renderPage("[a](/a)");
    await emit("created", ID, "/b");
    expect(resolve).toHaveBeenCalledTimes(1);
  });

  it("ignores an answer older than the page", async () => {
    let answer = () => {};
    resolve.mockImplementationOnce(
      () => new Promise((_, reject) => (answer = () => reject(new ApiError("page_not_found", 404, "")))),
    );
    const page = dom("[a](/a)");
    links.follow(events, () => page, { bound: true });
    const marked = links.mark(page);
    pages.set("/a", ID);
    await emit("created", ID, "/a");
    answer();
    await marked;
    expect(linkAt(page)[0]).toBe("blue");
  });
});

describe("a link to a page", () => {
  beforeEach(() => void pages.set("/a", ID));

  it.each([true, false])("leads to the trash and back (bound: %s)", async (bound) => {
    const page = await renderPage("[[/a]]", bound);
    pages.clear();
    await emit("deleted", ID, "/a");
    expect(linkAt(page)).toEqual(bound ? deleted : red("/a"));
    pages.set("/a", ID);
    await emit("restored", ID, "/a");
    expect(linkAt(page)).toEqual(["blue", "/wiki/a", "/a"]);
  });

  it("of saved text follows its page, not path", async () => {
    const page = await renderPage("[a](/a#part)");
    pages.clear();
    await emit("deleted", ID, "/a");
    pages.set("/a", OTHER);
    await emit("created", OTHER, "/a");
    expect(linkAt(page)[0]).toBe("grey");
    pages.set("/b", ID);
    await emit("restored", ID, "/b");
    expect(linkAt(page)).toEqual(["blue", "/wiki/b#part", null]);
  });

  it("named in the trash follows it when restored", async () => {
    resolve.mockRejectedValueOnce(new ApiError("page_not_found", 404, "", { pageId: ID, path: "/a" }));
    const page = await renderPage("[[/a@trash]]");
    expect(linkAt(page)).toEqual(deleted);
    pages.clear();
    pages.set("/b", ID);
    await emit("restored", ID, "/b");
    expect(linkAt(page)).toEqual(["blue", "/wiki/b", "/b"]);
  });

  it("of unsaved text follows the path", async () => {
    const page = await renderPage("[a](/a)", false);
    pages.clear();
    await emit("deleted", ID, "/a");
    pages.set("/a", OTHER);
    await emit("created", OTHER, "/a");
    expect(linkAt(page)[0]).toBe("blue");
  });

  it("follows it, however often it moves", async () => {
    const page = await renderPage("[a](/a#part)");
    for (const to of ["/b", "/c d"]) {
      pages = new Map([[to, ID]]);
      await emit("renamed", ID, to);
      expect(linkAt(page)).toEqual(["blue", `/wiki${encodeURI(to)}#part`, null]);
    }
    pages.clear();
    await emit("deleted", ID, "/c d");
    expect(linkAt(page)[0]).toBe("grey");
  });

  it("by its id follows it too", async () => {
    const page = await renderPage(`[a](page:${ID})`);
    pages = new Map([["/b", ID]]);
    await emit("renamed", ID, "/b");
    expect(linkAt(page)).toEqual(["blue", "/wiki/b", null]);
    pages.clear();
    await emit("deleted", ID, "/b");
    expect(linkAt(page)).toEqual(deleted);
  });

  it("is not requested after unrelated changes", async () => {
    await renderPage("[a](/a)");
    await emit("saved", ID, "/a");
    await emit("compacted", ID, "/a");
    expect(resolve).toHaveBeenCalledTimes(1);
  });

  it("in a redrawn text is requested after changes", async () => {
    await renderPage("text", false);
    await links.mark(dom("[a](/a)"));
    pages.clear();
    await emit("deleted", ID, "/a");
    const again = dom("[a](/a)");
    await links.mark(again);
    expect(linkAt(again)[0]).toBe("red");
  });
});

it("all links are requested again after missed events", async () => {
  pages.set("/a", ID);
  const page = await renderPage("[a](/a) [b](/b)");
  pages = new Map([["/b", OTHER]]);
  handlers.get("resync")?.({});
  await vi.waitFor(() => expect([linkAt(page), linkAt(page, 1)]).toEqual([red("/a"), ["blue", "/wiki/b", null]]));
});

it("is unchanged without an answer", async () => {
  pages.set("/a", ID);
  const page = await renderPage("[a](/a) [b](/b)");
  resolve.mockRejectedValue(new ApiError("unreachable", 0, ""));
  handlers.get("resync")?.({});
  await new Promise((done) => setTimeout(done));
  resolve.mockReset();
  expect([linkAt(page), linkAt(page, 1)]).toEqual([["blue", "/wiki/a", null], red("/b")]);
});

it("nothing is followed after leaving", async () => {
  await renderPage("[a](/a)");
  aborting.abort();
  expect(handlers.size).toBe(0);
});

describe("a link without its own text", () => {
  const shown = (page: ParentNode) => [...page.querySelectorAll("a")].map((link) => [link.textContent, link.title]);

  it("shows the title of its page", async () => {
    pages.set("/travel/kyoto", ID);
    titles.set(ID, "Kyoto in Autumn");
    const page = await renderPage(`[[/travel/kyoto]] [[/travel/kyoto#Day 1]] [[page:${ID}]] [[/travel/kyoto|kyoto]] [kyoto](/travel/kyoto)`);
    expect(shown(page)).toEqual([
      ["Kyoto in Autumn", "/travel/kyoto"],
      ["Kyoto in Autumn#Day 1", "/travel/kyoto#Day 1"],
      ["Kyoto in Autumn", "/travel/kyoto"],
      ["kyoto", ""],
      ["kyoto", ""],
    ]);
  });

  it("keeps a text that only resembles it", async () => {
    pages.set("/kyoto", ID);
    titles.set(ID, "Kyoto");
    expect(shown(await renderPage('[here](/kyoto "/kyoto")'))).toEqual([["here", "/kyoto"]]);
  });

  it("follows the page's title and path", async () => {
    pages.set("/a", ID);
    titles.set(ID, "Before");
    const page = await renderPage("[[/a]]");
    titles.set(ID, "After");
    await emit("saved", ID, "/a");
    expect(shown(page)).toEqual([["After", "/a"]]);
    pages = new Map([["/b", ID]]);
    await emit("renamed", ID, "/b");
    expect(shown(page)).toEqual([["After", "/b"]]);
    titles.delete(ID);
    await emit("saved", ID, "/b");
    expect(shown(page)).toEqual([["b", "/b"]]);
  });

  it("needs no request for a known page", async () => {
    links.know([{ page_id: ID, path: "/a", title: "A page" }]);
    expect(shown(await renderPage("[[/a]]"))).toEqual([["A page", "/a"]]);
    expect(resolve).not.toHaveBeenCalled();
  });
});
