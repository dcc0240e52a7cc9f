import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { ApiError } from "../../api/errors";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import PicturePages from "./PicturePages.svelte";

const entry = (name: string) => ({ name, id: name, kind: "picture" as const, size: 1, mtime: "2026-11-20T00:00:00Z" });

function open(backend: FakeBackend) {
  return render(PicturePages, { entry: entry("a.jpg"), root: "R1", path: canonicalPath("2026"), backend });
}

it("lists the pages of the picture by name", async () => {
  const backend = new FakeBackend();
  backend.pagesWithPicture = [
    { page_id: "P1", path: "/旅/京都", title: "苔の寺" },
    { page_id: "P2", path: "/notes/moss", title: null },
  ];
  open(backend);
  const links = await screen.findAllByTestId<HTMLAnchorElement>("picture-page");
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["苔の寺", "/wiki/%E6%97%85/%E4%BA%AC%E9%83%BD"],
    ["moss", "/wiki/notes/moss"],
  ]);
  expect(backend.files.pagesWith).toHaveBeenCalledExactlyOnceWith({ root: "R1", path: "2026/a.jpg" }, expect.any(AbortSignal));
});

it("updates when a page gets the picture", async () => {
  const backend = new FakeBackend();
  open(backend);
  expect(await screen.findByText("No page uses this picture.")).toBeDefined();
  backend.pagesWithPicture = [{ page_id: "P1", path: "/a", title: null }];
  backend.emit("asset.changed", { page_id: "P1", asset_id: "A1", kind: "added" });
  expect(await screen.findAllByTestId("picture-page")).toHaveLength(1);
});

it("requests nothing for pictures passed quickly", async () => {
  const backend = new FakeBackend();
  const { rerender } = open(backend);
  await rerender({ entry: entry("b.jpg") });
  await rerender({ entry: entry("c.jpg") });
  await screen.findByText("No page uses this picture.");
  expect(backend.files.pagesWith.mock.calls.map(([place]) => place.path)).toEqual(["2026/c.jpg"]);
});

it("shows the error and can retry", async () => {
  const backend = new FakeBackend();
  backend.files.pagesWith.mockRejectedValueOnce(new ApiError("not_found", 404, ""));
  open(backend);
  await userEvent.click(await screen.findByTestId("picture-pages-retry"));
  await waitFor(() => expect(screen.getByText("No page uses this picture.")).toBeDefined());
});

it("an error belongs to one picture", async () => {
  const backend = new FakeBackend();
  backend.files.pagesWith.mockRejectedValueOnce(new ApiError("not_found", 404, ""));
  const { rerender } = open(backend);
  await screen.findByTestId("picture-pages-retry");
  await rerender({ entry: entry("b.jpg") });
  expect(screen.queryByTestId("picture-pages-retry")).toBeNull();
});
