// The choice of the destination.
import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { tick } from "svelte";
import { beforeEach, expect, it, vi } from "vitest";
import type { TargetFolders } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import type { NamedFolder } from "../entries/folder-place";
import TargetFolderDialog from "./TargetFolderDialog.svelte";

let backend: FakeBackend;
const ontake = vi.fn<(to: NamedFolder) => void>();
const ontargets = vi.fn<(targets: TargetFolders) => void>();
const folder = (path: string) => ({ root: "R1", path: canonicalPath(path) });

beforeEach(() => {
  vi.clearAllMocks();
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
});

function open(targets: TargetFolders = { recent: [], favourites: [] }) {
  const entries = [{ name: "a.jpg", kind: "picture" as const, size: 1, mtime: "2026-11-20T00:00:00Z" }];
  const describe = (error: unknown) => String(error);
  render(TargetFolderDialog, { transfer: "copy", files: { folder: folder(""), entries }, currentFolder: { ...folder(""), name: "Photos" }, backend, roots: backend.rootsNow, targets, ontargets, describe, ontake, onclose: () => {} });
}

it("recent folders and favourites are a press away", async () => {
  open({ recent: [folder("Trips")], favourites: [folder("Best")] });
  const offered = within(screen.getByTestId("target-offered")).getAllByRole("button");
  expect(offered.map(({ textContent }) => textContent.trim())).toEqual(["Best", "Trips"]);
  await userEvent.click(offered[1] as HTMLElement);
  expect(screen.getByTestId("target-path").textContent).toBe("Photos › Trips");
  await userEvent.click(screen.getByTestId("target-favourite"));
  expect(ontargets).toHaveBeenLastCalledWith({ recent: [folder("Trips")], favourites: [folder("Best"), folder("Trips")] });
  await userEvent.click(screen.getByTestId("target-take"));
  expect(ontake).toHaveBeenCalledExactlyOnceWith({ ...folder("Trips"), name: "Trips" });
});

it("typing finds folders, and Enter takes one", async () => {
  backend.on("GET /api/search/folders", () => [{ root: "R1", path: "Trips/Kyoto", pictures: 3 }]);
  open();
  await userEvent.type(screen.getByTestId("target-find"), "kyo{Enter}");
  await waitFor(() => expect(ontake).toHaveBeenCalledExactlyOnceWith({ ...folder("Trips/Kyoto"), name: "Kyoto" }));
  expect(screen.getByTestId("target-found").textContent).toContain("Photos › Trips › Kyoto");
});

it("a path can be typed, and deleted again", async () => {
  backend.search.folders.mockResolvedValue([]);
  open();
  const field = screen.getByTestId("target-find");
  await userEvent.type(field, "2022/Home");
  expect(field).toHaveProperty("value", "2022/Home");
  await screen.findByText("No folder found.");
  expect(backend.search.folders).toHaveBeenLastCalledWith("2022 Home", expect.anything());
  await userEvent.clear(field);
  await within(await screen.findByTestId("target-tree")).findAllByRole("treeitem");
  await tick();
  expect(document.activeElement).toBe(field);
});

it("an unknown name takes nothing", async () => {
  open();
  await userEvent.type(screen.getByTestId("target-find"), "kyo{Enter}");
  await screen.findByText("No folder found.");
  expect(ontake).not.toHaveBeenCalled();
});

it("a new folder becomes the destination", async () => {
  open();
  await userEvent.click(screen.getByTestId("target-new"));
  const name = screen.getByTestId("target-new-name");
  await userEvent.type(name, "a/b{Enter}");
  expect(backend.folders.create).not.toHaveBeenCalled();
  await userEvent.clear(name);
  await userEvent.type(name, "京都{Enter}");
  await waitFor(() => expect(screen.getByTestId("target-path").textContent).toBe("Photos › 京都"));
  expect(backend.folders.create).toHaveBeenCalledExactlyOnceWith({ ...folder(""), name: "Photos" }, "京都");
});
