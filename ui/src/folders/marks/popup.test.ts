import { expect, it, vi } from "vitest";
import { showPopup } from "./popup";

function opened(top: number) {
  const [field, list] = [document.createElement("input"), document.createElement("ul")];
  field.getBoundingClientRect = () => new DOMRect(20, top, 180, 30);
  const [showPopover, hidePopover] = [vi.fn(), vi.fn()];
  Object.assign(list, { showPopover, hidePopover });
  return { list, showPopover, hidePopover, end: showPopup(list, field), move: (to: number) => (top = to) };
}

it("a list follows its field, above or below", () => {
  const { list, showPopover, hidePopover, end, move } = opened(100);
  expect(showPopover).toHaveBeenCalledOnce();
  const { left, width, top, bottom, maxHeight } = list.style;
  expect({ left, width, top, bottom, maxHeight }).toEqual({ left: "20px", width: "180px", top: "134px", bottom: "auto", maxHeight: "148px" });
  move(innerHeight - 60);
  document.dispatchEvent(new Event("scroll"));
  expect([list.style.top, list.style.bottom]).toEqual(["auto", "64px"]);
  end();
  expect(hidePopover).toHaveBeenCalledOnce();
  move(0);
  document.dispatchEvent(new Event("scroll"));
  expect(list.style.bottom).toBe("64px");
});

it("a list stays in place without popovers", () => {
  const list = document.createElement("ul");
  showPopup(list, document.createElement("input"))();
  expect(list.getAttribute("style")).toBeNull();
});
