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

it("a notice that goes away hands the focus back to where it came from", async () => {
  const { unmount } = notice();
  before.focus();
  screen.getByTestId("inside").focus();
  unmount();
  await tick();
  expect(document.activeElement).toBe(before);
});

it("or to the room, where that is gone", async () => {
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
] as const)("in %s puts what it is about before the rest", (language, said) => {
  setLocale(language);
  render(Notice, { tone: "warn", icon: CircleAlert, lead: "Lead.", children: words });
  expect(screen.getByRole("status").textContent.trim()).toBe(said);
});

it("takes the focus from nobody else", async () => {
  const { unmount } = notice();
  screen.getByTestId("inside").focus();
  before.focus();
  unmount();
  await tick();
  expect(document.activeElement).toBe(before);
});
