import { expect, it } from "vitest";
import { createClient } from "./transport/client";
import { recordRequests } from "./transport/request-recorder";
import { ttlApi } from "./ttl";

it("requests the contract's addresses", async () => {
  const { fetcher, sent } = recordRequests(() => Response.json({ id: "J1" }));
  const api = ttlApi(createClient(fetcher));
  const policy = { enabled: true, ttl_days: 90, remove_gone: true };
  await api.setPolicy(null, policy);
  await api.setPolicy("R1", policy);
  await api.followDefault("R1");
  await api.preview(90, null);
  await api.preview(7, "R1");
  expect(await api.run()).toBe("J1");
  await api.retry(null);
  await api.retry("ab");
  expect(sent()).toEqual([
    ["PUT", "/api/ttl/default", policy],
    ["PUT", "/api/roots/R1/ttl-policy", policy],
    ["DELETE", "/api/roots/R1/ttl-policy"],
    ["GET", "/api/ttl/preview?ttl_days=90"],
    ["GET", "/api/ttl/preview?ttl_days=7&root=R1"],
    ["POST", "/api/ttl/run"],
    ["POST", "/api/ttl/retry", {}],
    ["POST", "/api/ttl/retry", { key: "ab" }],
  ]);
});
