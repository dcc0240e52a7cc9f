import { expect, it } from "vitest";
import { commandsOf } from "./commands.ts";

it("maps requests to the commands of the window", () => {
  const paths = {
    "/api/pages/{page_id}": {
      get: { "x-commands": { page_show: { over_http: true as const } } },
      post: { "x-commands": { page_rename: { parameter: "rename_to" }, page_restore: { parameter: "restore_to" } } },
    },
    "/api/ttl/default": { put: { "x-commands": { ttl_default_set: { body: "policy" } } } },
    "/api/asset": { get: {} },
  };
  expect(commandsOf({ paths })).toEqual({
    commands: {
      "POST /api/pages/{page_id}?rename_to": "page_rename",
      "POST /api/pages/{page_id}?restore_to": "page_restore",
      "PUT /api/ttl/default": "ttl_default_set",
    },
    wholeBodies: { ttl_default_set: "policy" },
  });
});
