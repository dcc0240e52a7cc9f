import { render, screen } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { FakeServer } from "../testing/fake-server";
import { StubHost } from "../testing/stub-host";
import { WikiRoom } from ".";

let server: FakeServer;
let host: StubHost;

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/wiki/p");
  server = new FakeServer();
  host = new StubHost();
});

function open() {
  return render(WikiRoom, { path: "/p", revision: null, known: null, backend: server.backend(), host });
}

const body = () => screen.findByTestId("page-body");

it("a page is printed whole, also where its rest is not rendered yet", async () => {
  const text = Array.from({ length: 200 }, (_, index) => `## Part ${index}\n\n${"words ".repeat(100)}`).join("\n\n");
  server.add("/p", `${text}\n\n<details><summary>more</summary>closed</details>\n\n[out](https://example.org/)`);
  open();
  const shown = await body();
  expect(shown.textContent).not.toContain("Part 199");
  dispatchEvent(new Event("beforeprint"));
  expect(shown.textContent).toContain("Part 199");
  expect(shown.querySelector("details")?.open).toBe(true);
  expect(shown.querySelector<HTMLElement>("a[data-external]")?.dataset["printed"]).toBe("https://example.org/");
  dispatchEvent(new Event("afterprint"));
  expect(shown.querySelector("details")?.open).toBe(false);
});

it("a page is printed by its key, in light colours", async () => {
  document.documentElement.dataset["theme"] = "dark";
  server.add("/p", "text");
  open();
  await body();
  const themes: (string | undefined)[] = [];
  const print = vi.spyOn(window, "print").mockImplementation(() => void themes.push(document.documentElement.dataset["theme"]));
  await [...host.shortcuts].find(({ id }) => id === "print")?.run();
  expect(print).toHaveBeenCalledOnce();
  expect([...themes, document.documentElement.dataset["theme"]]).toEqual(["light", "dark"]);
  delete document.documentElement.dataset["theme"];
});
