import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { Asset, FoundPage } from "../api/backend";
import { FakeAssets } from "../testing/fake-assets";
import { StubHost } from "../testing/stub-host";
import OrphanedAssetsView from "./OrphanedAssetsView.svelte";

let assets: FakeAssets;
let host: StubHost;
/** Delays the search for pages. */
let slowly: Promise<void>;

beforeEach(() => {
  slowly = Promise.resolve();
  assets = new FakeAssets();
  host = new StubHost();
});

const lose = (name: string, more: Partial<Asset> = {}) =>
  assets.add(name, { state: "zombie", page_id: null, last_path: "/old/garden", ...more });

function foundPage(path: string): FoundPage {
  return { page_id: `P${path}`, path, score: 0, title: null, path_spans: [], title_spans: [] };
}

function open() {
  const all = [foundPage("/"), foundPage("/旅/京都")];
  assets.on("GET /api/pages/search", ({ query: { q = "" } }) => slowly.then(() => all.filter(({ path }) => path.includes(q))));
  render(OrphanedAssetsView, { backend: assets.backend, host });
}

const names = () => screen.queryAllByTestId("orphan").map((row) => row.dataset["name"]);

describe("files without a page", () => {
  it("are explained if there are none", async () => {
    open();
    await screen.findByTestId("orphans-empty");
  });

  it("show the former path of their page", async () => {
    lose("moss.png");
    open();
    expect((await screen.findByTestId("orphan")).textContent.replace(/\s+/g, " ")).toContain("27.7 KiB · from /old/garden");
  });

  it("are deleted permanently after naming the loss", async () => {
    lose("moss.png");
    lose("plan.pdf");
    open();
    const [first] = await screen.findAllByTestId("orphan-remove");
    host.confirmAnswer = false;
    await userEvent.click(first as HTMLElement);
    expect(assets.backend.assets.remove).not.toHaveBeenCalled();
    host.confirmAnswer = true;
    await userEvent.click(first as HTMLElement);
    await waitFor(() => expect(names()).toEqual(["plan.pdf"]));
    expect(host.questions[0]?.message).toBe(
      "moss.png (27.7\u00a0KiB) from the former page /old/garden will be permanently deleted. This can’t be undone.",
    );
    expect(assets.backend.assets.remove).toHaveBeenCalledExactlyOnceWith("A1", true);
  });

  it("are moved to a page found by keyboard", async () => {
    lose("moss.png");
    open();
    await userEvent.click(await screen.findByTestId("orphan-assign"));
    await userEvent.type(screen.getByTestId("give-page"), "京");
    await waitFor(() => expect(screen.getAllByTestId("give-option")).toHaveLength(1));
    await userEvent.keyboard("{Enter}");
    await screen.findByTestId("orphans-empty");
    expect(assets.backend.assets.setOwner).toHaveBeenCalledExactlyOnceWith("A1", "P/旅/京都");
    expect(screen.queryByTestId("give-dialog")).toBeNull();
  });

  it("wait for the typed page to be found", async () => {
    lose("moss.png");
    open();
    await userEvent.click(await screen.findByTestId("orphan-assign"));
    await waitFor(() => expect(screen.getAllByTestId("give-option")).toHaveLength(2));
    let answer: () => void = () => {};
    slowly = new Promise((resolve) => (answer = resolve));
    await userEvent.type(screen.getByTestId("give-page"), "京{Enter}");
    expect(assets.backend.assets.setOwner).not.toHaveBeenCalled();
    answer();
    await screen.findByTestId("orphans-empty");
    expect(assets.backend.assets.setOwner).toHaveBeenCalledExactlyOnceWith("A1", "P/旅/京都");
  });

  it("stay when the page has such a file", async () => {
    lose("moss.png");
    open();
    await userEvent.click(await screen.findByTestId("orphan-assign"));
    await waitFor(() => expect(screen.getAllByTestId("give-option")).toHaveLength(2));
    assets.fault = "file_name_taken";
    await userEvent.click(screen.getByTestId("give-submit"));
    await waitFor(() => expect(screen.getByTestId("give-page").getAttribute("aria-invalid")).toBe("true"));
    expect(names()).toEqual(["moss.png"]);
  });

  it("have their own keys for the marked row", async () => {
    lose("moss.png");
    lose("plan.pdf");
    open();
    await screen.findAllByTestId("orphan");
    await host.press("Delete");
    expect(host.questions).toEqual([]);
    await host.press("j");
    await host.press("Delete");
    await waitFor(() => expect(names()).toEqual(["moss.png"]));
    expect(assets.backend.assets.remove).toHaveBeenCalledExactlyOnceWith("A2", true);
    await host.press("g");
    expect(await screen.findByTestId("give-dialog")).toBeDefined();
  });

  it("are loaded in parts", async () => {
    for (let index = 0; index < 205; index++) lose(`${index}.png`);
    open();
    await waitFor(() => expect(names()).toHaveLength(100));
    await userEvent.click(screen.getByTestId("orphan-more"));
    await waitFor(() => expect(names()).toHaveLength(200));
    expect(host.named("m")).toBe("Show more");
    await host.press("m");
    await waitFor(() => expect(names()).toHaveLength(205));
    expect(host.named("m")).toBeUndefined();
    expect(screen.queryByTestId("orphan-more")).toBeNull();
  });
});
