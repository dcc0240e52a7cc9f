import { expect, test } from "vitest";
import { formatDuration, typeOf } from "./video";

test.each([
  [1, "0:01"],
  [4_600, "0:05"],
  [59_600, "1:00"],
  [754_000, "12:34"],
  [36_000_000, "10:00:00"],
])("%i ms are shown as %s", (milliseconds, expected) => {
  expect(formatDuration(milliseconds)).toBe(expected);
});

test("the type of a video is its extension", () => {
  expect(typeOf({ name: "a.b.webm" })).toBe("WEBM");
});
