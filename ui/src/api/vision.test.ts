import { expect, it } from "vitest";
import { createClient } from "./transport/client";
import { encodePath, type EncodedPath } from "./names";
import { recordRequests } from "./transport/request-recorder";
import { isNameable, visionApi } from "./vision";

function recorded(answer: unknown) {
  const { fetcher, sent } = recordRequests(() => Response.json(answer));
  return { sent, api: visionApi(createClient(fetcher)) };
}

it("identifies a picture by path or file id", async () => {
  const { sent, api } = recorded({ mode: "tags", tags: ["a"] });
  await api.scan({ root: "R", path: encodePath("a b.jpg") }, "tags", { language: "ja", again: true });
  await api.scan({ root: "R", path: "%FF.jpg" as EncodedPath }, "text", { language: "ja" });
  await api.scan({ asset: "A1" }, "describe", { language: "en" });
  expect(sent().map(([, , body]) => body)).toEqual([
    { root: "R", path: "a b.jpg", mode: "tags", language: "ja", again: true },
    { root: "R", path_bytes: "/y5qcGc=", mode: "text", language: "ja" },
    { asset: "A1", mode: "describe", language: "en" },
  ]);
});

it("a job sends textual paths, returns its id", async () => {
  const { sent, api } = recorded({ id: "J1" });
  expect(await api.describe("R", [encodePath("é/1.jpg")], "describe", "en")).toBe("J1");
  const body = { root: "R", paths: ["é/1.jpg"], mode: "describe", language: "en" };
  expect(sent()).toEqual([["POST", "/api/vision/describe", body]]);
  expect(isNameable("%FF.jpg" as EncodedPath)).toBe(false);
});
