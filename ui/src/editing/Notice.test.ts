import { render, screen } from "@testing-library/svelte";
import { createRawSnippet, tick } from "svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import CircleAlert from "@lucide/svelte/icons/circle-alert";
import { setLocale } from "../i18n";
import Notice from "./Notice.svelte";

const words = createRawSnippet(() => ({ render: () => "<button data-testid='inside'>act</button>" }));
const notice = () => render(Notice, { tone: "warn", icon: CircleAlert, children: words });

afterEach(() => setLocale("en"));

let before: HTMLElement;
beforeEach(() => {
  document.body.innerHTML = "<main id='main' tabindex='-1'></main><input id='before'>";
  before = document.getElementById("before") as HTMLElement;
});

it("returns the focus when it closes", async () => {
  const { unmount } = notice();
  before.focus();
  screen.getByTestId("inside").focus();
  unmount();
  await tick();
  expect(document.activeElement).toBe(before);
});

it("focuses the view if the element is gone", async () => {
  const { unmount } = notice();
  before.focus();
  screen.getByTestId("inside").focus();
  before.remove();
  unmount();
  await tick();
  expect(document.activeElement?.id).toBe("main");
});

it.each([
  ["en", "Lead. act"],
  ["ja", "Lead.act"],
] as const)("puts the subject first in %s", (language, expected) => {
  setLocale(language);
  render(Notice, { tone: "warn", icon: CircleAlert, lead: "Lead.", children: words });
  expect(screen.getByRole("status").textContent.trim()).toBe(expected);
});

it("does not take the focus from other elements", async () => {
  const { unmount } = notice();
  screen.getByTestId("inside").focus();
  before.focus();
  unmount();
  await tick();
  expect(document.activeElement).toBe(before);
});
