import { expect, it } from "vitest";
import { placesOfDuplicates } from "./duplicate-names";

it("pages with the same name show their folders", () => {
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
