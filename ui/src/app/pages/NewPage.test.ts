import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeBackend } from "../../testing/fake-backend";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";

let stop = () => {};
let app: App;

async function open(address: string): Promise<void> {
  history.replaceState(null, "", address);
  const backend = new FakeBackend();
  const last_update = { revision: 1, timestamp: "2026-11-20T09:00:00Z", user_name: "Aya" };
  backend.pagesNow = [
    { page_id: "P1", path: "/travel", title: "Travel", deleted: false, last_update },
    { page_id: "P2", path: "/travel/kyoto", title: "Kyoto", deleted: false, last_update },
    { page_id: "P3", path: "/templates/meeting", title: "Meeting", deleted: false, last_update },
  ];
  app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address, page: null } });
  await userEvent.click(await screen.findByTestId("new-page"));
}

const field = () => screen.getByTestId<HTMLInputElement>("new-page-path");
const submit = () => screen.getByTestId("new-page-submit").textContent.trim();
const words = () => screen.getByTestId("new-page-dialog").textContent;

beforeEach(() => open("/settings"));
afterEach(() => stop());

it.each([
  ["{Enter}", "Enter a title"],
  [" {Enter}", "Enter a title"],
  ["/{Enter}", "the top page"],
  ["//{Enter}", "the top page"],
])("%j is rejected with a reason", async (typed, words) => {
  await userEvent.type(screen.getByTestId("new-page-path"), typed);
  expect(screen.getByTestId("new-page-dialog").textContent).toContain(words);
  expect(location.pathname).toBe("/settings");
});

it("a title creates a page", async () => {
  await userEvent.type(screen.getByTestId("new-page-path"), "garden{Enter}");
  await vi.waitFor(() => expect(location.pathname).toBe("/edit/garden"));
});

it("a page begins with a chosen template", async () => {
  await userEvent.type(field(), "garden");
  await userEvent.selectOptions(await screen.findByTestId("new-page-template"), "Meeting");
  await userEvent.click(screen.getByTestId("new-page-submit"));
  await vi.waitFor(() => expect(location.pathname + location.search).toBe("/edit/garden?template=%2Ftemplates%2Fmeeting"));
});

it("an existing page is named, and opened", async () => {
  await userEvent.type(field(), "/travel");
  await vi.waitFor(() => expect(words()).toContain("There is a page at /travel."));
  expect(submit()).toBe("Open it");
  await userEvent.type(field(), "ing");
  await vi.waitFor(() => expect(submit()).toBe("Start writing"));
  await userEvent.type(field(), "{Backspace}{Backspace}{Backspace}{Enter}");
  await vi.waitFor(() => expect(location.pathname).toBe("/wiki/travel"));
});

it("reports an existing path differing only by case", async () => {
  await userEvent.type(field(), "/Travel/oslo");
  await vi.waitFor(() => expect(words()).toContain("There is already /travel, which differs only in upper and lower case."));
});

describe("for another purpose", () => {
  const create = vi.fn<(path: string) => Promise<void>>();
  beforeEach(async () => {
    create.mockReset();
    app.overlay = null;
    await tick();
    app.askNewPath({ title: "Extract", confirm: "Create page", base: "/travel", create });
    await screen.findByText("Create page");
  });

  it("the page is created at the typed path", async () => {
    await userEvent.type(field(), "garden{Enter}");
    await vi.waitFor(() => expect(screen.queryByTestId("new-page-dialog")).toBeNull());
    expect(create).toHaveBeenCalledExactlyOnceWith("/travel/garden");
    expect(location.pathname).toBe("/settings");
  });

  it("a refusal keeps the dialog, with the reason", async () => {
    create.mockRejectedValueOnce(new Error("broken"));
    await userEvent.type(field(), "garden{Enter}");
    await vi.waitFor(() => expect(words()).toContain(app.describe(new Error("broken"))));
    await userEvent.type(field(), "s{Enter}");
    await vi.waitFor(() => expect(create).toHaveBeenLastCalledWith("/travel/gardens"));
  });

  it("an existing page is refused", async () => {
    await userEvent.type(field(), "kyoto");
    await vi.waitFor(() => expect(words()).toContain("There is a page at /travel/kyoto."));
    await userEvent.type(field(), "{Enter}");
    expect(create).not.toHaveBeenCalled();
  });
});

describe("at the current place", () => {
  beforeEach(async () => {
    stop();
    document.body.replaceChildren();
    await open("/wiki/travel/kyoto");
  });

  it.each([
    ["sibling", "/travel/", "temples", "/edit/travel/temples"],
    ["child", "/travel/kyoto/", "temples", "/edit/travel/kyoto/temples"],
    ["sibling", "/travel/", "/garden", "/edit/garden"],
  ] as const)("a %s page is suggested at %s", async (where, suggested, typed, address) => {
    app.overlay = null;
    await tick();
    app.askNewPage(where);
    await vi.waitFor(() => expect(field().value).toBe(suggested));
    expect(words()).toContain(`Add a title: the page will be below ${suggested.slice(0, -1)}`);
    await userEvent.type(field(), `${typed}{Enter}`);
    await vi.waitFor(() => expect(location.pathname).toBe(address));
  });

  it("a new page is suggested beside existing subpages", async () => {
    await app.router.navigate("/wiki/travel");
    await vi.waitFor(() => expect(app.pages.state).toBe("ready"));
    app.overlay = null;
    await tick();
    app.askNewPage("sibling");
    await vi.waitFor(() => expect(field().value).toBe("/travel/"));
  });
});
