import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { StubHost } from "../testing/stub-host";
import Contents from "./Contents.svelte";

const OUTLINE = [
  { level: 1, text: "Autumn", slug: "autumn", line: 0 },
  { level: 2, text: "光", slug: "光", line: 2 },
  { level: 3, text: "", slug: "section", line: 4 },
];

function open(outline = OUTLINE) {
  const calls = { onjump: vi.fn(), oncopyid: vi.fn(() => Promise.resolve()), oncopylink: vi.fn(() => Promise.resolve()) };
  render(Contents, { id: "01JF4Q2Z8V0000000000000000", outline, current: 1, host: new StubHost(), ...calls });
  return calls;
}

const links = () => within(screen.getByTestId("toc")).getAllByRole("link");

it("lists nested headings, and marks the current one", () => {
  open();
  expect(links().map((link) => [link.textContent, link.getAttribute("href"), link.style.getPropertyValue("--depth")])).toEqual([
    ["Autumn", "#autumn", "0"],
    ["光", "#%E5%85%89", "1"],
    ["—", "#section", "2"],
  ]);
  expect(links().map((link) => link.getAttribute("aria-current"))).toEqual([null, "location", null]);
});

it("scrolls to headings on plain clicks only", async () => {
  const { onjump } = open();
  const [, light] = links();
  await userEvent.click(light as HTMLElement);
  expect(onjump).toHaveBeenCalledExactlyOnceWith("光");
  const user = userEvent.setup();
  await user.keyboard("{Control>}");
  await user.click(light as HTMLElement);
  expect(onjump).toHaveBeenCalledTimes(1);
});

it("reports a page without headings", () => {
  open([]);
  expect(screen.getByTestId("toc").textContent.trim()).not.toBe("");
  expect(screen.queryByRole("link")).toBeNull();
});

it("shows the page's id", () => {
  open();
  expect(screen.getByTestId("page-id").textContent).toBe("01JF4Q2Z8V0000000000000000");
});

it("copies the page's id and permanent link", async () => {
  const { oncopyid, oncopylink } = open();
  await userEvent.click(screen.getByTestId("copy-id"));
  await userEvent.click(screen.getByTestId("copy-link"));
  expect([oncopyid.mock.calls.length, oncopylink.mock.calls.length]).toEqual([1, 1]);
});
