import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { t } from "../../i18n";
import { PictureHandles } from "./picture-handles";

let article: HTMLElement;
const resize = vi.fn<(index: number, size: { width: number; height: number | null } | null) => boolean>();
let handles: PictureHandles;

beforeEach(() => {
  document.body.innerHTML = '<article><img src="/gallery/a.jpg"><p><img alt="Deer" src="/api/asset?path=%2F&file=deer.jpg"></p><img class="boxed" width="200" height="100" src="/api/asset?path=%2F&file=b.jpg"></article>';
  article = document.querySelector("article") as HTMLElement;
  for (const picture of article.querySelectorAll("img")) picture.getBoundingClientRect = () => new DOMRect(0, 0, parseFloat(picture.style.width || "200"), 100);
  Object.defineProperty(article, "clientWidth", { value: 600 });
  resize.mockReset().mockReturnValue(true);
  handles = new PictureHandles({ t, article: () => article, resize });
  handles.add(article);
});

const grips = () => [...article.querySelectorAll<HTMLElement>("[role=slider]")];

it("belongs to the files of pages", () => {
  expect(grips().map((grip) => grip.getAttribute("aria-label"))).toEqual(["Width of Deer", "Width of b.jpg"]);
});

it("writes the width once the keys rest", async () => {
  grips()[0]?.focus();
  await userEvent.keyboard("{ArrowRight}{ArrowRight}{Shift>}{ArrowLeft}{/Shift}");
  expect([grips()[0]?.getAttribute("aria-valuenow"), grips()[0]?.getAttribute("aria-valuemax"), resize.mock.calls.length]).toEqual(["231", "600", 0]);
  await vi.waitFor(() => expect(resize.mock.calls).toEqual([[0, { width: 231, height: null }]]));
});

it("writes the width when the focus leaves", async () => {
  grips()[0]?.focus();
  await userEvent.keyboard("{End}");
  grips()[0]?.blur();
  expect(resize.mock.calls).toEqual([[0, { width: 600, height: null }]]);
});

it("keeps the shape of a box", async () => {
  grips()[1]?.focus();
  await userEvent.keyboard("{Home}");
  grips()[1]?.blur();
  expect(resize.mock.calls).toEqual([[1, { width: 16, height: 8 }]]);
});

it("restores the own size", async () => {
  grips()[0]?.focus();
  await userEvent.keyboard("{Delete}");
  expect(resize.mock.calls).toEqual([[0, null]]);
});

it("is undone if the text can't be changed", async () => {
  resize.mockReturnValue(false);
  grips()[0]?.focus();
  await userEvent.keyboard("{ArrowRight}");
  grips()[0]?.blur();
  expect(article.querySelectorAll("img")[1]?.style.width).toBe("");
});

it("keeps the focus on the redrawn picture", async () => {
  resize.mockImplementation(() => {
    article.innerHTML = '<p><img alt="Deer" src="/api/asset?path=%2F&file=deer.jpg"></p>';
    handles.add(article);
    return true;
  });
  grips()[0]?.focus();
  await userEvent.keyboard("{Delete}");
  handles.placed();
  expect(document.activeElement).toBe(grips()[0]);
});
