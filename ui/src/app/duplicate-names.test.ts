import { expect, it } from "vitest";
import { placesOfDuplicates } from "./duplicate-names";

it("pages that share their name say where they are", () => {
  const pages = [
    { path: "/Travel/Osaka/Hotels", label: "Hotels" },
    { path: "/Hotels", label: "Hotels" },
    { path: "/Travel", label: "Travel" },
    { path: "/notes/a", label: "Notes" },
    { path: "/notes/b", label: "Notes" },
  ];
  expect(Object.fromEntries(placesOfDuplicates(pages))).toEqual({
    "/Travel/Osaka/Hotels": "/Travel/Osaka",
    "/Hotels": "/",
    "/notes/a": "/notes/a",
    "/notes/b": "/notes/b",
  });
});
