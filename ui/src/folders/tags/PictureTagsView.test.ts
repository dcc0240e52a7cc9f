import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { ShownJob } from "../../jobs";
import { FakeBackend } from "../../testing/fake-backend";
import { fail } from "../../testing/server";
import { StubHost } from "../../testing/stub-host";
import PictureTagsView from "./PictureTagsView.svelte";
import { TagRuns } from "./tag-runs.svelte";

let backend: FakeBackend;
let host: StubHost;
let runs: TagRuns;
const begun = vi.fn(() => Promise.resolve());

beforeEach(() => {
  backend = new FakeBackend();
  host = new StubHost();
  runs = new TagRuns(backend, host, begun);
  backend.tagsNow = [{ tag: "Places/Norway/Oslo", count: 3 }, { tag: "sea", count: 2 }, { tag: "Sea", count: 1 }];
  const album = { id: "A1", name: "North", search: "tag:sea", renamed: "tag:lake" };
  backend.on("POST /api/files/tags/effects", ({ body }) => ({ pictures: 2, unread: 0, unavailable: 0, albums: body.to === "lake" ? [album] : [] }));
  backend.on("POST /api/files/tags/rename", () => ({ id: "J1" }));
});

async function open(initial: string | null = null) {
  render(PictureTagsView, { initial, backend, host, runs });
  await screen.findByTestId("picture-tags");
}

const row = (tag: string) => screen.getAllByTestId("tree-item").find(({ dataset }) => dataset["id"] === tag) as HTMLElement;
const renamed = () => backend.sent("POST /api/files/tags/rename").map(({ body }) => body);

it("renames a tag with its smart albums", async () => {
  await open();
  await fireEvent.click(row("sea"));
  await fireEvent.keyDown(row("sea"), { key: "F2" });
  const field = screen.getByTestId("tag-change-name");
  await userEvent.clear(field);
  await userEvent.type(field, "lake");
  expect((await screen.findByTestId<HTMLInputElement>("tag-change-album")).checked).toBe(true);
  expect(screen.getByTestId("tag-change-effects").textContent).toBe("2 pictures change.");
  await userEvent.type(field, "{Enter}");
  await waitFor(() => expect(begun).toHaveBeenCalledWith("J1"));
  expect(renamed()).toEqual([{ from: ["sea"], to: "lake", albums: ["A1"] }]);
  expect(screen.queryByTestId("tag-change-dialog")).toBeNull();
});

it("joins tags that differ in case", async () => {
  await open();
  const notice = screen.getByTestId("tags-similar");
  expect(notice.textContent).toContain("“sea”, “Sea” differ only in case or width.");
  await fireEvent.click(notice.querySelector("button") as HTMLElement);
  expect(screen.getByTestId("tag-change-target").textContent).toBe("It becomes “sea”.");
  await fireEvent.click(screen.getByTestId("tag-change-do"));
  await waitFor(() => expect(renamed()).toEqual([{ from: ["Sea"], to: "sea", albums: [] }]));
});

it("removes a tag after its number is known", async () => {
  await open("Places/Norway");
  await fireEvent.click(screen.getByTestId("tag-remove"));
  await screen.findByText("2 pictures change.");
  backend.on("POST /api/files/tags/rename", () => fail("too_much_work"));
  await fireEvent.click(screen.getByTestId("tag-change-do"));
  await screen.findByRole("alert");
  backend.on("POST /api/files/tags/rename", () => ({ id: "J2" }));
  await fireEvent.click(screen.getByTestId("tag-change-do"));
  await waitFor(() => expect(renamed()).toHaveLength(2));
  expect(renamed()[1]).toEqual({ from: ["Places/Norway"], albums: [] });
});

it("opens the pictures of a tag", async () => {
  await open("Places/Norway/Oslo");
  await fireEvent.keyDown(row("Places/Norway/Oslo"), { key: "Enter" });
  expect(host.visited).toEqual(["/pictures/search/?q=tag%3A%22Places%2FNorway%2FOslo%22"]);
});

it("typing filters the tree", async () => {
  await open();
  await userEvent.type(screen.getByTestId("tags-filter"), "norw");
  expect(screen.getAllByTestId("tree-item").map(({ dataset }) => dataset["id"])).toEqual(["Places", "Places/Norway", "Places/Norway/Oslo"]);
});

const ended = (result: object) => ({ id: "J1", kind: "rename_tags", state: "done", result: { operation: "O1", changed: 2, skipped: 0, failed: 0, failures: [], albums: 0, ...result } }) as unknown as ShownJob;

it("a renaming is undone as far as possible", async () => {
  await runs.begin({ from: ["a"], to: "b" });
  runs.ended(ended({}), vi.fn());
  expect(host.open.map(({ message }) => message)).toEqual(["Changed the tags of 2 pictures."]);
  backend.on("POST /api/files/operations/{id}/undo", ({ query }) => (query.partly ? { operation: "O1", redo: "O2", done: 1, skipped: 0, failed: [] } : fail("changed_since")));
  await host.open[0]?.options.undo?.();
  await host.open.at(-1)?.options.action?.run();
  expect(host.toasts.at(-1)).toBe("Restored the tags of 1 picture.");
});

it("pictures that failed are listed with reasons", async () => {
  await open();
  const failures = [{ root: "R1", path: "2026/a.jpg", error: { code: "read_only", message: "read-only" } }];
  runs.ended(ended({ failed: 1, failures }), vi.fn());
  const list = await screen.findByTestId("tags-failed");
  expect(list.textContent).toContain("1 picture couldn’t be changed.");
  expect(list.textContent).toContain("2026/a.jpg: ");
});
