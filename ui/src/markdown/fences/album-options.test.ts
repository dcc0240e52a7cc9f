import { expect, it } from "vitest";
import { albumFence, readAlbum } from "./album-options";

it("reads what it writes", () => {
  const fence = albumFence({ id: "A1", name: "旅: 京都\u2028", is_favourites: false });
  expect(fence).toBe("```album\nalbum: 旅: 京都 \nid: A1\n```\n");
  const [, ...lines] = fence.split("\n");
  expect(readAlbum(lines.slice(0, 2).join("\n"))).toEqual({ album: "旅: 京都", id: "A1", limit: 60, rows: 2, size: 160 });
});

it("an id is enough", () => {
  expect(readAlbum("id: A1\nrows: 1")).toEqual({ album: "", id: "A1", limit: 60, rows: 1, size: 160 });
});
