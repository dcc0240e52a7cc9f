import { fireEvent, render, screen } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { FakeBackend } from "../testing/fake-backend";
import Thumb from "./Thumb.svelte";

const { folders } = new FakeBackend();
const props = { url: "/thumb/a", ahead: "/thumb/a?ahead", folders, calm: true, seen: false, undecodable: false };

const address = () => screen.getByTestId("thumb").getAttribute("src");

it("is asked for as one that is looked at, as soon as it is", async () => {
  const { rerender } = render(Thumb, props);
  expect(address()).toBe("/thumb/a?ahead");
  await rerender({ seen: true });
  expect(address()).toBe("/thumb/a");
  await rerender({ seen: false });
  expect(address()).toBe("/thumb/a");
});

it("that came ahead of the eye is not asked for again", async () => {
  const { rerender } = render(Thumb, props);
  await fireEvent.load(screen.getByTestId("thumb"));
  await rerender({ seen: true });
  expect(address()).toBe("/thumb/a?ahead");
});

it("of another file or size is asked for by its own address", async () => {
  const { rerender } = render(Thumb, props);
  await fireEvent.load(screen.getByTestId("thumb"));
  await rerender({ url: "/thumb/b", ahead: "/thumb/b?ahead" });
  expect(address()).toBe("/thumb/b?ahead");
  await rerender({ seen: true });
  expect(address()).toBe("/thumb/b");
  await rerender({ url: "/thumb/c", ahead: "/thumb/c?ahead" });
  expect(address()).toBe("/thumb/c");
});

it("is not asked for while one rushes past", async () => {
  const { rerender } = render(Thumb, { ...props, calm: false });
  expect(screen.queryByTestId("thumb")).toBeNull();
  await rerender({ calm: true });
  expect(address()).toBe("/thumb/a?ahead");
});

it("that has not come is given up when its place goes", () => {
  const { unmount } = render(Thumb, props);
  const going = screen.getByTestId("thumb");
  unmount();
  expect(going.hasAttribute("src")).toBe(false);
});

it("that has come stays what it is when its place goes", async () => {
  const { unmount } = render(Thumb, props);
  const going = screen.getByTestId("thumb");
  await fireEvent.load(going);
  unmount();
  expect(going.getAttribute("src")).toBe("/thumb/a?ahead");
});
