import { fireEvent, render, screen } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { thumbProps } from "../../testing/thumb-props";
import Thumbnail from "./Thumbnail.svelte";

const picture = thumbProps.entry;
const entry = { ...picture, width: 4000, height: 3000, orientation: 6 };
const props = { ...thumbProps, entry };
/** The hash of a red picture. */
const HASH = "1QcSHQRnh493V4dIh4eXh1h4kJUI";

const address = () => screen.getByTestId("thumb").getAttribute("src");

it("is not requested during fast scrolling", async () => {
  const { rerender } = render(Thumbnail, { ...props, isCalm: false });
  expect(screen.queryByTestId("thumb")).toBeNull();
  await rerender({ isCalm: true });
  expect(address()).toBe("/thumb/a?ahead");
});

it("is cancelled when its cell is removed", () => {
  const { unmount } = render(Thumbnail, props);
  const going = screen.getByTestId("thumb");
  unmount();
  expect(going.hasAttribute("src")).toBe(false);
});

it("stays loaded when its cell is removed", async () => {
  const { unmount } = render(Thumbnail, props);
  const going = screen.getByTestId("thumb");
  await fireEvent.load(going);
  unmount();
  expect(going.getAttribute("src")).toBe("/thumb/a?ahead");
});

it("shows a placeholder until it loads", async () => {
  const { rerender } = render(Thumbnail, { ...props, isCalm: false, entry: { ...entry, thumbhash: HASH, embeds: true } });
  expect(screen.queryByTestId("placeholder")).toBeNull();
  await rerender({ isVisible: true });
  expect(screen.getByTestId("placeholder").querySelector("canvas")).not.toBeNull();
  expect(screen.queryByTestId("embedded")).toBeNull();
  await rerender({ isCalm: true });
  await fireEvent.load(screen.getByTestId("thumb"));
  expect(screen.queryByTestId("placeholder")).toBeNull();
  // In another size it is already loaded.
  await rerender({ url: "/thumb/b", aheadUrl: "/thumb/b?ahead" });
  expect(screen.queryByTestId("placeholder")).toBeNull();
});

it("requests the embedded preview only if needed", async () => {
  const { rerender } = render(Thumbnail, { ...props, entry: { ...entry, embeds: true } });
  expect(screen.queryByTestId("embedded")).toBeNull();
  await rerender({ isVisible: true });
  const embedded = screen.getByTestId("embedded");
  expect(embedded.getAttribute("src")).toBe("/embedded/a");
  expect(embedded.style.transform).toContain("rotate(90deg)");
  await fireEvent.error(embedded);
  expect(screen.queryByTestId("embedded")).toBeNull();
});

it("has an empty place without data", () => {
  render(Thumbnail, { ...props, isVisible: true, entry: picture });
  expect(screen.queryByTestId("placeholder")).toBeNull();
});
