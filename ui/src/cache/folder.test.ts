// Choosing the folder of the thumbnails.
import { render, screen, waitFor } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import { ApiError } from "../api/errors";
import { FakeBackend, fakeDesktop } from "../testing/fake-backend";
import { StubHost } from "../testing/stub-host";
import CacheFolderSection from "./CacheFolderSection.svelte";

function open(change: Partial<FakeBackend["cacheNow"]>, grant: string | null = "G1", inBrowser = false) {
  const backend = new FakeBackend();
  backend.cacheNow = { ...backend.cacheNow, ...change };
  const desktop = fakeDesktop({ pickFolder: vi.fn(() => Promise.resolve(grant === null ? null : { grant, name: "Disk" })) });
  const host = new StubHost();
  const toast = vi.spyOn(host, "toast");
  const onchanged = vi.fn();
  render(CacheFolderSection, { cache: backend.cacheNow, api: backend.cache, desktop: inBrowser ? null : desktop, host, onchanged });
  return { backend, desktop, toast, onchanged };
}

it("a chosen folder gets the thumbnails next start", async () => {
  const { backend, desktop, toast, onchanged } = open({});
  expect(screen.getByTestId("cache-folder").textContent).toBe("/cache/thumbs");
  screen.getByTestId("cache-folder-change").click();
  await waitFor(() => expect(onchanged).toHaveBeenCalledOnce());
  expect(desktop.pickFolder).toHaveBeenCalledExactlyOnceWith("cache");
  expect(backend.cache.setFolder).toHaveBeenCalledExactlyOnceWith("G1");
  expect(toast).toHaveBeenCalledWith(expect.stringContaining("/chosen/G1"), { tone: "good" });
});

it("keeps the folder after cancelling or a refusal", async () => {
  const none = open({}, null);
  screen.getByTestId("cache-folder-change").click();
  await waitFor(() => expect(none.desktop.pickFolder).toHaveBeenCalledOnce());
  expect(none.backend.cache.setFolder).not.toHaveBeenCalled();
  document.body.replaceChildren();
  const refused = open({});
  refused.backend.cache.setFolder.mockRejectedValueOnce(new ApiError("invalid_value", 422, ""));
  screen.getByTestId("cache-folder-change").click();
  await waitFor(() => expect(refused.toast).toHaveBeenCalledWith(expect.any(String), { tone: "bad" }));
  expect(refused.onchanged).not.toHaveBeenCalled();
});

it.each([
  [{ folder_fixed: true }, false, "ESTELLE_CACHE_DIR"],
  [{}, true, "desktop window"],
  [{ next_folder: "/disk/thumbs" }, false, "/disk/thumbs"],
])("explains a fixed or pending folder: %o", (change, inBrowser, words) => {
  open(change, "G1", inBrowser);
  expect(screen.getByTestId("cache-folder-about").textContent).toContain(words);
});
