import { beforeEach, expect, it, vi } from "vitest";
import type { PagesApi } from "../../api/backend";
import { ApiError, type ApiErrorCode } from "../../api/errors";
import { PageLinks } from "./page-links";
import { dom, MISSING } from "../testing";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const error = (code: ApiErrorCode) => new ApiError(code, 404, code);

let resolve: ReturnType<typeof vi.fn<PagesApi["resolve"]>>;
let path: ReturnType<typeof vi.fn<PagesApi["path"]>>;
let links: PageLinks;
let aborting: AbortController;

beforeEach(() => {
  resolve = vi.fn<PagesApi["resolve"]>(() => Promise.resolve({ id: ID, revision: 1 }));
  path = vi.fn<PagesApi["path"]>(() => Promise.resolve("/旅/庭"));
  aborting = new AbortController();
  links = new PageLinks({ resolve, path }, MISSING, aborting.signal);
});

it("links to missing pages lead to creating them", async () => {
  resolve.mockRejectedValueOnce(error("page_not_found"));
  const page = dom("[冬の庭](/冬の庭)");
  await links.mark(page);
  const link = page.querySelector("a");
  expect(link?.className).toBe("none");
  expect(link?.getAttribute("href")).toBe("/edit/%E5%86%AC%E3%81%AE%E5%BA%AD");
  expect(link?.title).toBe("not written yet");
});

it("does not mark links to existing pages", async () => {
  const page = dom("[庭](/庭#光)");
  await links.mark(page);
  expect(page.querySelector("a")?.className).toBe("");
  expect(page.querySelector("a")?.getAttribute("href")).toBe("/wiki/%E5%BA%AD#%E5%85%89");
});

it.each([
  ["My wiki", "My wiki"],
  [null, "Top page"],
])("a bare top link shows its title (%s)", async (title, expected) => {
  resolve.mockResolvedValue({ id: ID, revision: 1, title });
  const page = dom("[[/]] and [[/|start]]");
  await links.mark(page);
  expect([...page.querySelectorAll("a")].map(({ textContent }) => textContent)).toEqual([expected, "start"]);
});

it("asks once for each page until forgotten", async () => {
  const page = dom("[a](/a) [b](/a) [[/a]] [c](/c)");
  await links.mark(page);
  await links.mark(dom("[a](/a)"));
  expect(resolve.mock.calls.map(([asked]) => asked)).toEqual(["/a", "/c"]);
  links.forget();
  await links.mark(dom("[a](/a)"));
  expect(resolve).toHaveBeenCalledTimes(3);
});

it("requests at most six at once", async () => {
  let running = 0;
  let most = 0;
  resolve.mockImplementation(async () => {
    most = Math.max(most, ++running);
    await new Promise((done) => setTimeout(done, 1));
    running -= 1;
    return { id: ID, revision: 1 };
  });
  await links.mark(dom(Array.from({ length: 40 }, (_, at) => `[[/p${at}]]`).join(" ")));
  expect(most).toBe(6);
  expect(resolve).toHaveBeenCalledTimes(40);
});

it("finds the path of a page by id", async () => {
  const page = dom(`[t](page:${ID}#光)`);
  await links.mark(page);
  expect(page.querySelector("a")?.getAttribute("href")).toBe("/wiki/%E6%97%85/%E5%BA%AD#%E5%85%89");
});

it("a link to a trashed page offers restoring", async () => {
  resolve.mockRejectedValueOnce(new ApiError("page_not_found", 404, "", { pageId: ID }));
  path.mockRejectedValueOnce(new ApiError("deleted", 410, "", { path: "/旅/庭" }));
  const page = dom(`[冬の庭](/冬の庭) [[page:${ID}]]`);
  await links.mark(page);
  const [byPath, byId] = page.querySelectorAll("a.trashed");
  expect([byPath?.getAttribute("title"), byPath?.getAttribute("href")]).toEqual(["in the trash", "/edit/%E5%86%AC%E3%81%AE%E5%BA%AD"]);
  expect([byId?.textContent, byId?.getAttribute("href")]).toEqual(["庭", `/bin?page=${ID}`]);
});

it.each([
  ["[[/旅/庭@trash]]", "庭"],
  ["[[/旅/庭@trash|冬]]", "冬"],
])("a trash path leads to its page (%s)", async (source, text) => {
  resolve.mockRejectedValue(new ApiError("page_not_found", 404, "", { pageId: ID, path: "/旅/庭" }));
  const page = dom(source);
  await links.mark(page);
  const link = page.querySelector("a.trashed");
  expect([link?.textContent, link?.getAttribute("href"), link?.getAttribute("data-mark")]).toEqual([text, `/bin?page=${ID}`, "trash"]);
});

it("shows a deleted page's link as broken", async () => {
  path.mockRejectedValueOnce(error("gone"));
  const page = dom(`[t](page:${ID})`);
  await links.mark(page);
  expect(page.querySelector("a.none")?.hasAttribute("href")).toBe(false);
});

it("marks nothing without an answer, but asks again", async () => {
  resolve.mockRejectedValueOnce(error("unreachable"));
  const page = dom("[庭](/庭)");
  await links.mark(page);
  expect(page.querySelector("a.none")).toBeNull();
  await links.mark(dom("[庭](/庭)"));
  expect(resolve).toHaveBeenCalledTimes(2);
});

it("changes nothing after stopping", async () => {
  resolve.mockRejectedValueOnce(error("page_not_found"));
  const page = dom("[庭](/庭)");
  const marked = links.mark(page);
  aborting.abort();
  await marked;
  expect(page.querySelector("a.none")).toBeNull();
});
