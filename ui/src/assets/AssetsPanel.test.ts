import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { DesktopApi } from "../api/backend";
import { FakeAssets } from "../testing/fake-assets";
import { fakeDesktop } from "../testing/fake-backend";
import { fail } from "../testing/server";
import { StubHost } from "../testing/stub-host";
import AssetsPanel from "./AssetsPanel.svelte";
import { PanelRequests } from "./panel-request.svelte";
import "../editing/files/file-names";

let assets: FakeAssets;
let host: StubHost;
let requests: PanelRequests;

beforeEach(() => {
  assets = new FakeAssets();
  host = new StubHost();
  requests = new PanelRequests();
});

interface Options {
  oninsert?: (markdown: string) => void;
  onrewrite?: (change: (text: string) => string | null) => boolean;
  desktop?: DesktopApi | null;
}

function open(source = "", { desktop = null, ...more }: Options = {}) {
  assets.backend.desktop = desktop;
  assets.on("GET /api/pages/{page_id}/source", () => new Response(source, { headers: { "X-Page-Revision": "1" } }));
  return render(AssetsPanel, { pageId: "P1", path: "/garden", source, backend: assets.backend, host, requests, ...more });
}

const names = () => screen.queryAllByTestId("asset").map((row) => row.dataset["name"]);

/** Presses the only action of a message. */
async function undo(): Promise<void> {
  await host.open.at(-1)?.options.action?.run();
}

describe("the files of a page", () => {
  it("are listed with their sizes and uses", async () => {
    assets.add("moss.png");
    assets.add("plan.pdf", { size: 1.25 * 2 ** 20 });
    assets.add("elsewhere.png", { page_id: "P2" });
    open("![](asset:moss.png) and [again](asset:moss.png)");
    await waitFor(() => expect(names()).toEqual(["moss.png", "plan.pdf"]));
    const [moss, plan] = screen.getAllByTestId("asset");
    expect(moss?.textContent).toContain("27.7\u00a0KiB · used 2 times");
    expect(plan?.textContent).toContain("1.25\u00a0MiB · unused");
    expect(moss?.querySelector("img")?.getAttribute("src")).toBe(assets.backend.assets.thumbUrl("A1", 80));
    expect(plan?.querySelector("img")).toBeNull();
  });

  it("are explained if there are none", async () => {
    open();
    await screen.findByText("This page has no files yet. Files you add can be shown in its text.");
  });

  it("report a failed load, and retry", async () => {
    assets.fault = "unreachable";
    assets.add("moss.png");
    open();
    await screen.findByRole("alert");
    assets.fault = null;
    await userEvent.click(screen.getByText("Try again"));
    await waitFor(() => expect(names()).toEqual(["moss.png"]));
  });

  it("are focused by id beyond the listed ones", async () => {
    for (let number = 101; number <= 202; number += 1) assets.add(`${number}.png`);
    const { id } = assets.add("wanted.png");
    requests.request({ file: id });
    open();
    await waitFor(() => expect(document.activeElement?.closest("li")?.dataset["name"]).toBe("wanted.png"));
  });

  it("are added and removed by events", async () => {
    open();
    await screen.findByTestId("assets-add");
    await waitFor(() => expect(assets.backend.assets.list).toHaveBeenCalled());
    assets.emitAdded(assets.add("late.png"));
    await waitFor(() => expect(names()).toEqual(["late.png"]));
  });

  it("are focused by a key once loaded", async () => {
    assets.add("moss.png");
    requests.request("look");
    open();
    await waitFor(() => expect(document.activeElement?.getAttribute("data-testid")).toBe("asset-use"));
  });
});

it("a key adds one before the panel loads", async () => {
  const clicked = vi.spyOn(HTMLInputElement.prototype, "click").mockImplementation(() => {});
  requests.request("add");
  open();
  await waitFor(() => expect(clicked).toHaveBeenCalledOnce());
  requests.request("add");
  await waitFor(() => expect(clicked).toHaveBeenCalledTimes(2));
  clicked.mockRestore();
});

describe("a file", () => {
  beforeEach(() => {
    assets.add("苔 寺.png");
    assets.add("plan.pdf");
  });

  it("is inserted as a picture or a link", async () => {
    const oninsert = vi.fn();
    open("", { oninsert });
    const [picture, plan] = await screen.findAllByTestId("asset-use");
    await userEvent.click(picture as HTMLElement);
    await userEvent.click(plan as HTMLElement);
    expect(oninsert.mock.calls).toEqual([["![](asset:苔%20寺.png)"], ["[plan.pdf](asset:plan.pdf)"]]);
  });

  it("is copied as Markdown in the reading view", async () => {
    userEvent.setup();
    open();
    const [picture] = await screen.findAllByTestId("asset-use");
    await userEvent.click(picture as HTMLElement);
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe("![](asset:苔%20寺.png)"));
  });

  it("is deleted by its key, and undone", async () => {
    open("![](asset:plan.pdf)");
    const uses = await screen.findAllByTestId("asset-use");
    uses[1]?.focus();
    await userEvent.keyboard("{Delete}");
    await waitFor(() => expect(names()).toEqual(["苔 寺.png"]));
    expect(host.toasts.at(-1)).toBe("Deleted plan.pdf. It is still used in one place in the text.");
    expect(document.activeElement).toBe(uses[0]);
    await undo();
    await waitFor(() => expect(names()).toEqual(["苔 寺.png", "plan.pdf"]));
  });

  it.each(["asset-save", "asset-rename", "asset-remove"])("is deleted and renamed by keys from %s", async (button) => {
    open();
    const page = vi.fn((event: KeyboardEvent) => !event.defaultPrevented && /^(?:Delete|F2)$/.test(event.key) && event.key);
    window.addEventListener("keydown", page);
    (await screen.findAllByTestId(button))[1]?.focus();
    await userEvent.keyboard("{F2}{Escape}");
    screen.getAllByTestId(button)[1]?.focus();
    await userEvent.keyboard("{Delete}");
    await waitFor(() => expect(names()).toEqual(["苔 寺.png"]));
    window.removeEventListener("keydown", page);
    expect(page.mock.results.map(({ value }) => value as unknown).filter(Boolean)).toEqual([]);
  });

  it("ignores a key held since another deletion", async () => {
    open();
    (await screen.findAllByTestId("asset-use"))[0]?.focus();
    await userEvent.keyboard("{Delete}");
    await waitFor(() => expect(names()).toEqual(["plan.pdf"]));
    const row = screen.getByTestId("asset-use");
    expect(document.activeElement).toBe(row);
    expect(await fireEvent.keyDown(row, { key: "Delete", repeat: true })).toBe(false);
    expect(assets.backend.assets.remove).toHaveBeenCalledOnce();
  });

  it("ignores a deletion key in its name field", async () => {
    open();
    (await screen.findAllByTestId("asset-use"))[1]?.focus();
    await userEvent.keyboard("{F2}{Delete}");
    expect((await screen.findByTestId<HTMLInputElement>("asset-name")).value).toBe(".pdf");
    expect(names()).toEqual(["苔 寺.png", "plan.pdf"]);
  });

  it("gets the keys before the page when deleted", async () => {
    assets.add("old.png", { state: "deleted", deleted_at: "2026-11-02T00:00:00Z" });
    open();
    await userEvent.click(await screen.findByTestId("assets-deleted"));
    const button = screen.getByTestId("asset-restore");
    expect(await fireEvent.keyDown(button, { key: "Delete" })).toBe(false);
    expect(await fireEvent.keyDown(button, { key: "F2" })).toBe(false);
    expect(await fireEvent.keyDown(button, { key: "e" })).toBe(true);
  });

  it("if deleted, appears among deleted ones on request", async () => {
    const { id } = assets.add("old.png", { state: "deleted", deleted_at: "2026-11-02T00:00:00Z" });
    requests.request({ file: id });
    open();
    await waitFor(() => expect(document.activeElement?.getAttribute("data-testid")).toBe("asset-restore"));
  });

  it("is restored later, reporting a name conflict", async () => {
    assets.add("old.png", { state: "deleted", deleted_at: "2026-11-02T00:00:00Z" });
    assets.add("plan.pdf", { state: "deleted", deleted_at: "2026-11-03T00:00:00Z" });
    open();
    await userEvent.click(await screen.findByTestId("assets-deleted"));
    const [taken, old] = screen.getAllByTestId("asset-restore");
    await userEvent.click(taken as HTMLElement);
    await waitFor(() => expect(host.toasts).toHaveLength(1));
    expect(names()).toHaveLength(2);
    await userEvent.click(old as HTMLElement);
    await waitFor(() => expect(names()).toContain("old.png"));
  });

  it("is renamed in place with undo", async () => {
    open();
    const uses = await screen.findAllByTestId("asset-use");
    uses[1]?.focus();
    await userEvent.keyboard("{F2}garden{Enter}");
    await waitFor(() => expect(names()).toEqual(["苔 寺.png", "garden.pdf"]));
    expect(host.toasts.at(-1)).toBe("Renamed to garden.pdf.");
    await undo();
    await waitFor(() => expect(names()).toContain("plan.pdf"));
  });

  it("is renamed by the server in the text", async () => {
    assets.renamedRevision = 2;
    open("[p](asset:plan.pdf)");
    (await screen.findAllByTestId("asset-use"))[1]?.focus();
    await userEvent.keyboard("{F2}garden{Enter}");
    await waitFor(() => expect(host.toasts.at(-1)).toBe("Renamed to garden.pdf, also in the text."));
    await undo();
    expect(assets.sent("POST /api/assets/{asset_id}/rename").map(({ body }) => body)).toEqual([{ file_name: "garden.pdf" }, { file_name: "plan.pdf" }]);
  });

  it("keeps its name while the page is edited", async () => {
    assets.on("POST /api/assets/{asset_id}/rename", () => fail("lock_required"));
    open("[p](asset:plan.pdf)");
    (await screen.findAllByTestId("asset-use"))[1]?.focus();
    await userEvent.keyboard("{F2}garden{Enter}");
    expect((await screen.findByRole("alert")).textContent).not.toBe("");
    expect(names()).toEqual(["苔 寺.png", "plan.pdf"]);
  });

  it("is renamed in the edited text, too", async () => {
    let text = "[p](asset:plan.pdf)";
    const onrewrite = (change: (text: string) => string | null) => {
      const changed = change(text);
      text = changed ?? text;
      return changed !== null;
    };
    open(text, { onrewrite });
    (await screen.findAllByTestId("asset-use"))[1]?.focus();
    await userEvent.keyboard("{F2}garden{Enter}");
    await waitFor(() => expect(host.toasts.at(-1)).toBe("Renamed to garden.pdf, also in the text."));
    expect(text).toBe("[p](asset:garden.pdf)");
    await undo();
    expect(text).toBe("[p](asset:plan.pdf)");
  });

  it("keeps its extension unless another is typed", async () => {
    open();
    const uses = await screen.findAllByTestId("asset-use");
    uses[1]?.focus();
    await userEvent.keyboard("{F2}{Control>}a{/Control}garden{Enter}");
    await waitFor(() => expect(names()).toContain("garden.pdf"));
    (await screen.findAllByTestId("asset-use"))[1]?.focus();
    await userEvent.keyboard("{F2}{Control>}a{/Control}garden.txt{Enter}");
    await waitFor(() => expect(names()).toContain("garden.txt"));
    expect(host.toasts.at(-1)).toBe("Renamed to garden.txt. Its extension is “.txt” now, no longer “.pdf”.");
  });

  it("keeps its name after conflict or cancellation", async () => {
    open();
    const uses = await screen.findAllByTestId("asset-use");
    uses[0]?.focus();
    await userEvent.keyboard("{F2}{Control>}a{/Control}plan.pdf{Enter}");
    expect((await screen.findByRole("alert")).textContent).not.toBe("");
    await userEvent.keyboard("{Escape}");
    expect(names()).toEqual(["苔 寺.png", "plan.pdf"]);
    expect(assets.backend.assets.renameInText).toHaveBeenCalledTimes(1);
  });

  it("keeps its name after Escape despite a blur", async () => {
    open();
    const uses = await screen.findAllByTestId("asset-use");
    uses[0]?.focus();
    await userEvent.keyboard("{F2}{Control>}a{/Control}new.png");
    const field = screen.getByTestId("asset-name");
    await fireEvent.keyDown(field, { key: "Escape" });
    await fireEvent.blur(field);
    await waitFor(() => expect(names()).toEqual(["苔 寺.png", "plan.pdf"]));
    expect(assets.backend.assets.renameInText).not.toHaveBeenCalled();
  });
});

describe("adding", () => {
  it("uploads the browser's files under free names", async () => {
    assets.add("a.png");
    open();
    await screen.findByTestId("asset");
    await userEvent.upload(screen.getByTestId("assets-input"), [new File(["1"], "a.png"), new File(["22"], "b.txt")]);
    await waitFor(() => expect(names().sort()).toEqual(["a-2.png", "a.png", "b.txt"]));
  });

  it("uses the window's dialog, and reports refused files", async () => {
    const desktop = fakeDesktop({
      pickFiles: () =>
        Promise.resolve(["good.png", "bad.png"].map((name) => ({ grant: `G${name}`, name, size: 1, folder: false }))),
    });
    assets.granted.set("Ggood.png", () => ({ name: "good.png", asset: assets.add("good.png"), error: null }));
    assets.granted.set("Gbad.png", () => ({ name: "bad.png", asset: null, error: { code: "too_large", message: "" } }));
    open("", { desktop });
    await userEvent.click(await screen.findByTestId("assets-add"));
    await waitFor(() => expect(names()).toEqual(["good.png"]));
    expect(host.toasts).toHaveLength(1);
    expect(host.toasts[0]).toContain("Couldn’t add bad.png");
  });
});

describe("the panel's keys", () => {
  /** The saved copies: the browser follows a link. */
  const saved = () => vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  const focused = () => document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset["row"];

  it("save a copy of the marked file", async () => {
    const clicked = saved();
    assets.add("a.png");
    assets.add("b.png");
    open();
    await screen.findAllByTestId("asset");
    expect(screen.getAllByTestId("asset-save")[0]?.getAttribute("aria-keyshortcuts")).toBe("d");
    expect(host.named("d")).toBe("Save a copy");
    await host.press("d");
    expect(clicked).not.toHaveBeenCalled();
    expect(focused()).toBe("A1");
    await host.press("d");
    expect(clicked).toHaveBeenCalledOnce();
    clicked.mockRestore();
  });

  it("restore deleted files one after the other", async () => {
    assets.add("a.png", { state: "deleted", deleted_at: "2026-11-02T00:00:00Z" });
    assets.add("b.png", { state: "deleted", deleted_at: "2026-11-01T00:00:00Z" });
    open();
    const summary = await screen.findByTestId("assets-deleted");
    expect(summary.getAttribute("aria-keyshortcuts")).toBe("r");
    expect(host.named("r")).toBe("Restore a deleted file");
    await host.press("r");
    const first = focused();
    expect(first).toBeDefined();
    expect(names()).toEqual([]);
    await host.press("r");
    await waitFor(() => expect(assets.backend.assets.restore).toHaveBeenCalledExactlyOnceWith(first));
    await waitFor(() => expect(names()).toHaveLength(1));
    expect(focused()).not.toBe(first);
    await host.press("r");
    await waitFor(() => expect(host.named("r")).toBeUndefined());
  });

  it("show all files, and end with the panel", async () => {
    for (let index = 0; index < 101; index++) assets.add(`${index}.png`);
    const { unmount } = open();
    await waitFor(() => expect(names()).toHaveLength(100));
    expect(host.named("Shift+m")).toBe("Show all files");
    await host.press("Shift+m");
    await waitFor(() => expect(names()).toHaveLength(101));
    expect(host.named("Shift+m")).toBeUndefined();
    unmount();
    expect(host.shortcuts.size).toBe(0);
  });
});
