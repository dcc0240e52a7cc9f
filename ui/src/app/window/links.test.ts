import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FakeBackend, page } from "../../testing/fake-backend";
import { FakeServer } from "../../testing/fake-server";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";
import { loadWiki } from "../../wiki/view";

let stops: (() => void)[];
/** For each clicked link, true if the browser would follow it and reload the page. */
let followed: boolean[];

// The first test is not timed with the transformation of the view.
beforeAll(loadWiki);
beforeEach(async () => {
  followed = [];
  history.replaceState(null, "", "/wiki/p");
  const server = new FakeServer();
  server.add("/p", "[[/travel/Kyoto]] [[/travel|the\\|trip]] [part](#there)\n\n## there");
  server.add("/travel/Kyoto", "moss and stones");
  const { pages, autosave, assets } = server.backend;
  const backend = new FakeBackend();
  backend.pagesNow = [page("/"), page("/p"), page("/travel"), page("/travel/Kyoto")];
  Object.assign(backend, { autosave, assets, pages: { ...pages, list: backend.pages.list, search: backend.pages.search, query: backend.pages.query } });
  const app = new App(backend);
  // The frame listens at the document: an event that arrives here was left to the browser.
  const last = (event: Event) => {
    followed.push(!event.defaultPrevented);
    event.preventDefault();
  };
  const kinds = ["click", "auxclick"];
  for (const kind of kinds) window.addEventListener(kind, last);
  stops = [app.start(), () => kinds.forEach((kind) => window.removeEventListener(kind, last))];
  await loadWiki();
  render(Frame, { app, first: { address: "/wiki/p", page: null } });
});

afterEach(() => {
  for (const stop of stops) stop();
});

const row = (name: string) => screen.findByRole<HTMLAnchorElement>("treeitem", { name: new RegExp(`^${name}`) });
const linkTo = (name: string) => screen.findByRole<HTMLAnchorElement>("link", { name });
const body = () => screen.getByTestId("page-body").textContent;

/** Clicks that open another tab or window, or save the target. */
const BESIDES: [string, string, MouseEventInit][] = [
  ["Ctrl", "click", { ctrlKey: true }],
  ["Cmd", "click", { metaKey: true }],
  ["Shift", "click", { shiftKey: true }],
  ["Alt", "click", { altKey: true }],
  ["the middle button", "auxclick", { button: 1 }],
  ["the middle button of an older browser", "click", { button: 1 }],
];

const click = (link: HTMLElement, kind: string, init: MouseEventInit) =>
  fireEvent(link, new MouseEvent(kind, { bubbles: true, cancelable: true, ...init }));

describe("a row of the page tree", () => {
  it("links to its page at every level", async () => {
    expect((await row("Top page")).getAttribute("href")).toBe("/wiki/");
    expect((await row("p")).getAttribute("href")).toBe("/wiki/p");
    const travel = await row("travel");
    expect([travel.localName, travel.getAttribute("href")]).toEqual(["a", "/wiki/travel"]);
    await userEvent.click(travel.querySelector("[data-twisty]") ?? travel);
    expect((await row("Kyoto")).getAttribute("href")).toBe("/wiki/travel/Kyoto");
    expect(location.pathname).toBe("/wiki/p");
  });

  it("is followed within the program", async () => {
    const rail = await screen.findByTestId("activity-bar");
    const travel = await row("travel");
    await userEvent.click(travel.querySelector("[data-twisty]") ?? travel);
    followed = [];
    await userEvent.click(await row("Kyoto"));
    expect(followed).toEqual([false]);
    await waitFor(() => expect(body()).toBe("moss and stones"));
    expect(location.pathname).toBe("/wiki/travel/Kyoto");
    expect(screen.getByTestId("activity-bar")).toBe(rail);
    expect((await row("Kyoto")).getAttribute("aria-current")).toBe("page");
  });

  it("keeps the keys of the view when clicked", async () => {
    await userEvent.click(await row("travel"));
    expect(document.activeElement).toBe(screen.getByTestId("main"));
    await userEvent.keyboard("l");
    await waitFor(() => expect(location.pathname).toBe("/pages"));
  });

  it("keeps its keys when followed by a key", async () => {
    const travel = await row("travel");
    travel.focus();
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(location.pathname).toBe("/wiki/travel"));
    expect(document.activeElement?.getAttribute("data-id")).toBe("/travel");
  });

  it("keeps them when opened or closed, too", async () => {
    const travel = await row("travel");
    await userEvent.click(travel.querySelector("[data-twisty]") ?? travel);
    expect(document.activeElement).toBe(travel);
  });

  it.each(BESIDES)("is left to the browser with %s", async (_, kind, init) => {
    await click(await row("travel"), kind, init);
    expect(followed).toEqual([true]);
    expect(location.pathname).toBe("/wiki/p");
  });
});

describe("a link in a page", () => {
  it("is followed within the program", async () => {
    const rail = await screen.findByTestId("activity-bar");
    await userEvent.click(await linkTo("Kyoto"));
    expect(followed).toEqual([false]);
    await waitFor(() => expect(body()).toBe("moss and stones"));
    expect(location.pathname).toBe("/wiki/travel/Kyoto");
    expect(screen.getByTestId("activity-bar")).toBe(rail);
  });

  it("to a place within it stays there", async () => {
    await userEvent.click(await linkTo("part"));
    expect(followed).toEqual([false]);
    expect([location.pathname, location.hash]).toEqual(["/wiki/p", "#there"]);
  });

  it.each(BESIDES)("is left to the browser with %s", async (_, kind, init) => {
    await click(await linkTo("Kyoto"), kind, init);
    await click(await linkTo("part"), kind, init);
    expect(followed).toEqual([true, true]);
    expect([location.pathname, location.hash]).toEqual(["/wiki/p", ""]);
    expect(body()).toContain("Kyoto");
  });
});
