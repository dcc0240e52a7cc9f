import { fireEvent, render, screen } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { StubHost } from "../../testing/stub-host";
import { FindBar } from "..";

const onclose = vi.fn();
let article: HTMLElement;

beforeEach(() => {
  onclose.mockReset();
  // A browser without highlights: the selection shows the match.
  vi.stubGlobal("CSS", {});
  Element.prototype.scrollIntoView = vi.fn();
  Range.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 1, 1);
  article = document.createElement("article");
  article.className = "reading";
  article.innerHTML = "<p>京都の秋</p><details><summary>x</summary><p>京都の冬</p></details><p>東<b>京都</b></p>";
  document.body.append(article);
  return () => article.remove();
});

const position = () => screen.getByTestId("find-position").textContent;
const type = (value: string) => fireEvent.input(screen.getByTestId("find-text"), { target: { value } });
const press = (key: string, more: KeyboardEventInit = {}) => fireEvent.keyDown(screen.getByTestId("find-text"), { key, ...more });

function open(text = "") {
  return render(FindBar, { text, asked: 1, host: new StubHost(), onclose });
}

it("has the focus, and finds during typing", async () => {
  open();
  expect(document.activeElement).toBe(screen.getByTestId("find-text"));
  expect(position()).toBe("");
  await type("京都");
  expect(position()).toBe("1 of 3");
  await type("奈良");
  expect(position()).toBe("No matches");
});

it("Enter goes on, Shift back, around the ends", async () => {
  open("京都");
  await press("Enter");
  expect(position()).toBe("2 of 3");
  expect(article.querySelector("details")?.open).toBe(true);
  await press("Enter", { shiftKey: true });
  await press("Enter", { shiftKey: true });
  expect(position()).toBe("3 of 3");
  expect(getSelection()?.toString()).toBe("京都");
});

it("Enter that ends a conversion stays in place", async () => {
  open("京都");
  await press("Enter", { isComposing: true });
  expect(position()).toBe("1 of 3");
});

it("Escape closes it", async () => {
  open("京都");
  await press("Escape");
  expect(onclose).toHaveBeenCalledOnce();
});

it("matches the case on request", async () => {
  article.innerHTML = "<p>Leica leica</p>";
  open("Leica");
  expect(position()).toBe("1 of 2");
  await fireEvent.click(screen.getByTestId("find-case"));
  expect(position()).toBe("1 of 1");
});
