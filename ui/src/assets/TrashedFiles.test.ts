import { render, screen } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import { FakeAssets } from "../testing/fake-assets";
import { StubHost } from "../testing/stub-host";
import TrashedFiles from "./TrashedFiles.svelte";

it("focuses the requested file", () => {
  const [host, assets] = [new StubHost(), new FakeAssets()];
  const files = [assets.add("a.png"), assets.add("b.png")];
  render(TrashedFiles, { files, file: "A2", backend: assets.backend, host });
  expect(document.activeElement).toBe(screen.getAllByTestId("trashed-file-save")[1]);
});

it("a key saves a trashed page's shown file", async () => {
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  const [host, assets] = [new StubHost(), new FakeAssets()];
  const files = [assets.add("a.png"), assets.add("b.png")];
  const { unmount } = render(TrashedFiles, { files, backend: assets.backend, host });
  expect(host.named("d")).toBe("Save a copy");
  await host.press("d");
  expect(document.activeElement).toBe(screen.getAllByTestId("trashed-file-save")[0]);
  expect(clicked).not.toHaveBeenCalled();
  await host.press("d");
  expect(clicked).toHaveBeenCalledOnce();
  unmount();
  expect(host.named("d")).toBeUndefined();
  clicked.mockRestore();
});
