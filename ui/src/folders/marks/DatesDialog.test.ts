import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";

const entry = (name: string, taken: string | null): FolderEntry => ({ name, kind: "picture", size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${name}`, taken });

it("dates are moved, and moved back", async () => {
  const [backend, host] = [new FakeBackend(), new StubHost()];
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = [entry("a.jpg", null), entry("b.jpg", "2024-12-31T23:30:00")];
  const marked = () => backend.files.mark.mock.calls.map(([items, change]) => [items.map(({ path }) => path), change]);
  openPictures({ place: { root: "R1", path: canonicalPath("2026"), view: null }, backend, host });
  await screen.findAllByTestId("cell");
  await host.press("Mod+a");
  await host.act("dates");
  const preview = await screen.findByTestId("dates-preview");
  await fireEvent.input(screen.getByTestId("dates-hours"), { target: { value: "x" } });
  expect(screen.getByTestId("dates-do")).toHaveProperty("disabled", true);
  await fireEvent.input(screen.getByTestId("dates-hours"), { target: { value: "１" } });
  expect(preview.textContent).toContain("2024-12-31 23:30:00 → 2025-01-01 00:30:00");
  expect(preview.textContent).toContain("no date → unchanged");
  await fireEvent.click(screen.getByTestId("dates-do"));
  await waitFor(() => expect(host.statusItems.find(({ id }) => id === "marked")?.text).toBe("Changed the date of “b.jpg”"));
  expect(marked()).toEqual([[["2026/b.jpg"], { shift: 3_600 }]]);
  await host.undos[0]?.run();
  await waitFor(() => expect(marked().at(-1)).toEqual([["2026/b.jpg"], { shift: -3_600, discardEmpty: true }]));
});
