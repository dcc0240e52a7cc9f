import { render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { FakeServer } from "../../testing/fake-server";
import { StubHost } from "../../testing/stub-host";
import { WikiView } from "..";

let server: FakeServer;
let host: StubHost;

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/wiki/p");
  server = new FakeServer();
  host = new StubHost();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function open(backend = server.backend) {
  return render(WikiView, { path: "/p", revision: null, preloaded: null, backend, host });
}

const print = () => host.act("print");

/** A page whose gallery is far from the view. */
async function openGallery(): Promise<{ shown: HTMLElement; folders: FakeBackend }> {
  vi.spyOn(window.IntersectionObserver.prototype, "observe").mockImplementation(() => {});
  HTMLImageElement.prototype.decode = () => Promise.resolve();
  const folders = new FakeBackend();
  folders.rootsNow = [{ id: "R1", name: "Pictures", path: "/pictures", available: true }];
  folders.entries = [{ name: "a.jpg", kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", id: "a" }];
  server.add("/p", "```gallery\nfolder: Pictures\n```");
  open({ ...server.backend, folders: folders.folders, roots: folders.roots });
  return { shown: await body(), folders };
}

const pictures = (article: HTMLElement) => [...article.querySelectorAll<HTMLImageElement>(".gallery img")].map(({ loading }) => loading);

const body = () => screen.findByTestId("page-body");

it("prints the whole page, rendered or not", async () => {
  const text = Array.from({ length: 200 }, (_, index) => `## Part ${index}\n\n${"words ".repeat(100)}`).join("\n\n");
  server.add("/p", `${text}\n\n<details><summary>more</summary>closed</details>\n\n[out](https://example.org/)`);
  open();
  const article = await body();
  expect(article.textContent).not.toContain("Part 199");
  dispatchEvent(new Event("beforeprint"));
  expect(article.textContent).toContain("Part 199");
  expect(article.querySelector("details")?.open).toBe(true);
  expect(article.querySelector<HTMLElement>("a[data-external]")?.dataset["printed"]).toBe("https://example.org/");
  dispatchEvent(new Event("afterprint"));
  expect(article.querySelector("details")?.open).toBe(false);
});

it("a key prints a page in light colours", async () => {
  document.documentElement.dataset["theme"] = "dark";
  server.add("/p", "text");
  open();
  await body();
  const themes: (string | undefined)[] = [];
  const printed = vi.spyOn(window, "print").mockImplementation(() => void themes.push(document.documentElement.dataset["theme"]));
  await print();
  expect(printed).toHaveBeenCalledOnce();
  expect([...themes, document.documentElement.dataset["theme"]]).toEqual(["light", "dark"]);
  delete document.documentElement.dataset["theme"];
});

it("in the window the shell prints everything open", async () => {
  server.add("/p", "<details><summary>more</summary>closed</details>");
  const isOpen = () => document.querySelector<HTMLDetailsElement>("details")?.open;
  const states: unknown[] = [];
  const desktop = fakeDesktop({
    print: async () => {
      states.push(isOpen());
      await Promise.resolve();
      states.push(isOpen());
      return true;
    },
  });
  const byBrowser = vi.spyOn(window, "print").mockImplementation(() => {});
  open({ ...server.backend, desktop });
  await body();
  await print();
  expect([...states, isOpen()]).toEqual([true, true, false]);
  expect(byBrowser).not.toHaveBeenCalled();
});

it("renders galleries far from the view before printing", async () => {
  const { shown } = await openGallery();
  const loading: string[] = [];
  vi.spyOn(window, "print").mockImplementation(() => void loading.push(...pictures(shown)));
  await print();
  expect(loading).toEqual(["eager"]);
});

it("the browser's own print draws galleries too", async () => {
  const { shown } = await openGallery();
  dispatchEvent(new Event("beforeprint"));
  await vi.waitFor(() => expect(pictures(shown)).toEqual(["eager"]));
});

it("a failed gallery does not prevent printing", async () => {
  const { shown, folders } = await openGallery();
  folders.fault = "internal";
  const printed = vi.spyOn(window, "print").mockImplementation(() => {});
  await print();
  expect(printed).toHaveBeenCalledOnce();
  expect(shown.querySelector(".gallery-note")?.textContent).toContain("Pictures");
});

it("the page is saved as one HTML file", async () => {
  HTMLImageElement.prototype.decode = () => Promise.resolve();
  server.add("/p", "# Kyoto: autumn\n\nleaves");
  const saveFile = vi.fn().mockResolvedValue({ name: "Kyoto.html" });
  open({ ...server.backend, desktop: fakeDesktop({ saveFile }) });
  await body();
  await host.act("save-html");
  await vi.waitFor(() => expect(host.toasts).toEqual(["Saved as Kyoto.html"]));
  expect(saveFile).toHaveBeenCalledWith({ text: { name: "Kyoto_ autumn.html", text: expect.stringContaining("<p>leaves</p>") as string } });
});

it("the page's Markdown is copied", async () => {
  const writeText = vi.fn().mockResolvedValue(undefined);
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
  server.add("/p", "# Kyoto\n\n**leaves**");
  open();
  await body();
  await host.act("copy-markdown");
  await vi.waitFor(() => expect(writeText).toHaveBeenCalledWith("# Kyoto\n\n**leaves**"));
});
