import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { ApiError } from "../../api/errors";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import PictureInfo from "./PictureMetadata.svelte";

const entry = (name: string, id = name) => ({ name, id, kind: "picture" as const, size: 1, mtime: "2026-11-20T00:00:00Z" });

function open(backend: FakeBackend) {
  return render(PictureInfo, { entry: entry("a.jpg"), root: "R1", path: canonicalPath("2026"), folders: backend.folders });
}

it("keeps the previous metadata until the next arrives", async () => {
  const backend = new FakeBackend();
  const bare = backend.infoOf;
  backend.infoOf = (path) => ({ ...bare(path), camera: { model: path }, notes: [{ name: "Make", value: "Ours" }] });
  const { rerender } = open(backend);
  expect(await screen.findByText("2026/a.jpg")).toBeDefined();
  expect(screen.getByText("Ours")).toBeDefined();
  await rerender({ entry: entry("b.jpg") });
  expect(await screen.findByText("2026/b.jpg")).toBeDefined();
  await rerender({ entry: entry("b.jpg", "changed") });
  await waitFor(() => expect(backend.folders.info).toHaveBeenCalledTimes(3));
});

it("explains missing metadata, and retries", async () => {
  const backend = new FakeBackend();
  backend.folders.info.mockRejectedValueOnce(new ApiError("not_found", 404, ""));
  open(backend);
  await userEvent.click(await screen.findByTestId("picture-info-retry"));
  expect(await screen.findAllByTestId("fact")).toHaveLength(2);
});
