import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { createRawSnippet, tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../api/errors";
import { setLocale } from "../../i18n";
import { FakeBackend } from "../../testing/fake-backend";
import { retries } from "../../widgets";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";
import { ViewState } from "../view-state.svelte";

let backend: FakeBackend;
let app: App;
let stop = () => {};

beforeEach(() => {
  history.replaceState(null, "", "/settings");
  backend = new FakeBackend();
});
afterEach(() => {
  stop();
  setLocale("en");
});

function open(): void {
  app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
}

async function openShell(): Promise<void> {
  open();
  await screen.findByTestId("activity-bar");
}

const ariaKeys = (id: string) => screen.getByTestId(id).getAttribute("aria-keyshortcuts");

/** The text of a key in the list of keys; undefined if the key is not listed. */
async function listed(caps: string): Promise<string | undefined> {
  app.overlay = "keys";
  const dialog = await screen.findByTestId("keys-dialog");
  const found = [...dialog.querySelectorAll("dl > div")].find((line) => [...line.querySelectorAll("kbd")].some((cap) => cap.textContent === caps));
  app.overlay = null;
  await waitFor(() => expect(screen.queryByTestId("keys-dialog")).toBeNull());
  return found?.querySelector("dt")?.textContent;
}

describe("the retry key", () => {
  it("restarts a failed start", async () => {
    backend.fault = "storage_failed";
    open();
    await screen.findByTestId("retry");
    expect(ariaKeys("retry")).toBe("t");
    backend.fault = null;
    await userEvent.keyboard("t");
    expect(await screen.findByTestId("activity-bar")).toBeDefined();
  });

  it("retries all failures, and exists only during one", async () => {
    await openShell();
    expect(await listed("T")).toBeUndefined();
    const others = vi.fn();
    const remove = retries.add(others);
    const retried = vi.spyOn(app.session, "retry");
    app.session.observe({ method: "PUT", error: new ApiError("disk_full", 507, "") });
    await screen.findByTestId("banner-retry");
    expect(await listed("T")).toBe("Try again");
    await userEvent.keyboard("t");
    expect([retried.mock.calls.length, others.mock.calls.length]).toEqual([1, 1]);
    remove();
    app.session.observe({ method: "PUT", error: null });
    await waitFor(() => expect(screen.queryByTestId("banner-retry")).toBeNull());
    expect(await listed("T")).toBeUndefined();
  });
});

it("a held Enter runs nothing in the palette", async () => {
  await openShell();
  await userEvent.keyboard("{Control>}k{/Control}");
  const input = await screen.findByRole("combobox", { name: "Find pages, folders and commands" });
  await screen.findAllByTestId("palette-entry");
  const chosen = vi.spyOn(app, "attempt");
  expect(await fireEvent.keyDown(input, { key: "Enter", repeat: true })).toBe(false);
  expect(chosen).not.toHaveBeenCalled();
});

it("confirming a loss needs a key combination", async () => {
  await openShell();
  const answer = app.confirmations.ask({ title: "Lose it?", message: "All of it.", confirm: "Lose it", danger: true });
  await screen.findByTestId("question");
  expect([ariaKeys("question-no"), ariaKeys("question-yes")]).toEqual(["Escape", "Control+Enter"]);
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  expect(await answer).toBe(true);
  void app.confirmations.ask({ title: "Go?", message: "ExternalLinks.", confirm: "Go" });
  await screen.findByText("Go?");
  expect([ariaKeys("question-no"), ariaKeys("question-yes")]).toEqual(["Escape", "Enter"]);
});

it("opening a dialog shows no tooltip", async () => {
  // The tests' document has no `:focus-visible`.
  const { matches } = Element.prototype;
  vi.spyOn(Element.prototype, "matches").mockImplementation(function (this: Element, selector: string) {
    return matches.call(this, selector.replace(":focus-visible", ":focus"));
  });
  await openShell();
  void app.confirmations.ask({ title: "Lose it?", message: "All of it.", confirm: "Lose it", danger: true });
  const no = await screen.findByTestId("question-no");
  expect(document.activeElement).toBe(no);
  expect(document.querySelector(".tooltip")).toBeNull();
  await userEvent.tab();
  expect(document.querySelector(".tooltip")?.textContent).toBe("Ctrl Enter");
  vi.restoreAllMocks();
});

describe("the keys of messages", () => {
  it("trigger and close the latest", async () => {
    await openShell();
    const [older, newer] = [vi.fn(), vi.fn()];
    app.toast("one", { action: { label: "Do it", run: older } });
    app.toast("two", { action: { label: "Do that", run: newer } });
    app.toast("three");
    await waitFor(() => expect(screen.getAllByTestId("toast")).toHaveLength(3));
    expect(screen.getAllByTestId("toast-action").map((button) => button.getAttribute("aria-keyshortcuts"))).toEqual([null, "Control+Alt+y"]);
    expect(await listed("Ctrl Alt Y")).toBe("Message action: Do that");
    expect(await listed("Ctrl Alt N")).toBe("Dismiss message");
    await userEvent.keyboard("{Control>}{Alt>}n{/Alt}{/Control}");
    await waitFor(() => expect(app.toasts.items.map(({ message }) => message)).toEqual(["one", "two"]));
    await userEvent.keyboard("{Control>}{Alt>}y{/Alt}{/Control}");
    await waitFor(() => expect(newer).toHaveBeenCalledOnce());
    await userEvent.keyboard("{Control>}{Alt>}y{/Alt}{/Control}");
    await waitFor(() => expect(older).toHaveBeenCalledOnce());
    expect(await listed("Ctrl Alt Y")).toBeUndefined();
  });

  it("are named in the user's language", async () => {
    await openShell();
    setLocale("ja");
    app.toast("一つ", { action: { label: "表示", run: () => {} } });
    await screen.findByTestId("toast");
    expect(await listed("Ctrl Alt Y")).toBe("お知らせの操作: 表示");
  });
});

it("the right panel's key needs such a panel", async () => {
  await openShell();
  const { open: before } = app.session.settings.right_panel;
  expect(await listed("Ctrl I")).toBeUndefined();
  await userEvent.keyboard("{Control>}i{/Control}");
  app.view.rightPanelAsked += 1;
  await tick();
  expect(app.session.settings.right_panel.open).toBe(before);
  app.view.rightPanel = { label: "Panel", content: createRawSnippet(() => ({ render: () => "<p>inside</p>" })) };
  await screen.findByTestId("right-toggle");
  expect(await listed("Ctrl I")).toBe("Show or hide right panel");
  await userEvent.keyboard("{Control>}i{/Control}");
  expect(app.session.settings.right_panel.open).toBe(!before);
});

describe("a requested panel", () => {
  const wide = matchMedia;
  afterEach(() => void (window.matchMedia = wide));

  async function ask(): Promise<() => void> {
    await openShell();
    const close = vi.fn(() => void (app.view.rightPanel = null));
    app.view.rightPanel = { label: "Panel", content: createRawSnippet(() => ({ render: () => "<p>inside</p>" })), close };
    await screen.findByText("inside");
    return close;
  }

  it("has no bar button when beside the view", async () => {
    await ask();
    expect(screen.getByTestId("right-panel")).toBeDefined();
    expect(screen.queryByTestId("right-toggle")).toBeNull();
  });

  it("when covering the view, closes from the bar", async () => {
    window.matchMedia = (media) => Object.assign(wide(media), { matches: media.includes("width < 900px") });
    const close = await ask();
    expect(screen.getByTestId("main").inert).toBe(true);
    expect(screen.getByTestId("right-toggle").getAttribute("aria-expanded")).toBe("true");
    await userEvent.click(screen.getByTestId("right-toggle"));
    expect(close).toHaveBeenCalledOnce();
    await waitFor(() => expect(screen.queryByTestId("drawer")).toBeNull());
  });
});

it("a key opens the menu of more actions", async () => {
  await openShell();
  expect(await listed(".")).toBeUndefined();
  const view = new ViewState();
  const run = vi.fn();
  view.actions = [{ id: "rare", label: "Rare", menu: true, run }];
  app.enter(view);
  await screen.findByTestId("more-actions");
  expect(ariaKeys("more-actions")).toBe(".");
  expect(await listed(".")).toBe("More actions");
  await userEvent.keyboard(".");
  expect(await screen.findByTestId("action-rare")).toBe(document.activeElement);
  expect(await fireEvent.keyDown(screen.getByTestId("action-rare"), { key: "Enter", repeat: true })).toBe(false);
  await userEvent.keyboard("{Enter}");
  expect(run).toHaveBeenCalledOnce();
});

it("closing the menu by key restores the focus", async () => {
  await openShell();
  const view = new ViewState();
  const run = vi.fn(() => void expect(document.activeElement).toBe(main));
  view.actions = [{ id: "rare", label: "Rare", menu: true, run }];
  app.enter(view);
  await screen.findByTestId("more-actions");
  const main = screen.getByTestId("main");
  main.focus();
  for (const key of ["{Escape}", "{Enter}"]) {
    await userEvent.keyboard(".");
    expect(document.activeElement).toBe(await screen.findByTestId("action-rare"));
    await userEvent.keyboard(key);
    expect(document.activeElement).toBe(main);
  }
  expect(run).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByTestId("more-actions"));
  await userEvent.keyboard("{Escape}");
  expect(document.activeElement).toBe(screen.getByTestId("more-actions"));
});

it("a key opens the running job", async () => {
  history.replaceState(null, "", "/nowhere");
  backend.jobsNow = [{ id: "J1", kind: "backup", state: "running", done: 45, total: 100, started_at: "2026-11-01T00:00:00Z" }];
  await openShell();
  await screen.findByTestId("jobs-at-work");
  expect(ariaKeys("jobs-at-work")).toBe("Control+Alt+j");
  expect(await listed("Ctrl Alt J")).toBe("Show task");
  await userEvent.keyboard("{Control>}{Alt>}j{/Alt}{/Control}");
  await waitFor(() => expect(location.pathname + location.hash).toBe("/settings#backup"));
});

describe("going back and forward", () => {
  const goes = async (to: string) => waitFor(() => expect(app.router.url.pathname).toBe(to));

  it("is done by keys as far as visited", async () => {
    await openShell();
    expect(await listed("Alt ←")).toBeUndefined();
    await app.router.navigate("/nowhere");
    expect(await listed("Alt ←")).toBe("Go back");
    expect(await listed("Alt →")).toBeUndefined();
    await userEvent.keyboard("{Alt>}{ArrowLeft}{/Alt}");
    await goes("/settings");
    expect(await listed("Alt →")).toBe("Go forward");
    await userEvent.keyboard("{Alt>}{ArrowRight}{/Alt}");
    await goes("/nowhere");
  });

  it("is done by bar buttons, which show keys", async () => {
    await openShell();
    await app.router.navigate("/nowhere");
    expect([ariaKeys("go-back"), ariaKeys("go-forward")]).toEqual(["Alt+ArrowLeft", "Alt+ArrowRight"]);
    await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("go-back").disabled).toBe(false));
    expect(screen.getByTestId<HTMLButtonElement>("go-forward").disabled).toBe(true);
    await userEvent.click(screen.getByTestId("go-back"));
    await goes("/settings");
    await userEvent.click(screen.getByTestId("go-forward"));
    await goes("/nowhere");
  });

  it("moves to the activity bar without enough space", async () => {
    const wide = matchMedia;
    vi.spyOn(window, "matchMedia").mockImplementation((media) => Object.assign(wide(media), { matches: true }));
    await openShell();
    expect(screen.getByTestId("activity-bar").contains(screen.getByTestId("go-back"))).toBe(true);
  });

  it("leaves its keys to text fields", async () => {
    await openShell();
    await app.router.navigate("/settings?again");
    (await screen.findByTestId("settings-name")).focus();
    await userEvent.keyboard("{Alt>}{ArrowLeft}{/Alt}");
    await new Promise((resolve) => setTimeout(resolve));
    expect(app.router.url.search).toBe("?again");
  });
});
