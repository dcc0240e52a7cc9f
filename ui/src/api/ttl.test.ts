import { expect, it, vi } from "vitest";
import { ttlApi } from "./ttl";

it("asks with the addresses of the contract", async () => {
  const send = vi.fn<(...asked: unknown[]) => Promise<Response>>(() => Promise.resolve(new Response(JSON.stringify({ id: "J1" }))));
  const api = ttlApi(send);
  const policy = { enabled: true, ttl_days: 90, remove_gone: true };
  await api.setPolicy(null, policy);
  await api.setPolicy("R1", policy);
  await api.followDefault("R1");
  await api.preview(90, null);
  await api.preview(7, "R1");
  expect(await api.run()).toBe("J1");
  await api.retry(null);
  await api.retry("ab");
  expect(send.mock.calls).toEqual([
    ["PUT", "/api/ttl/default", { json: policy }],
    ["PUT", "/api/roots/R1/ttl-policy", { json: policy }],
    ["DELETE", "/api/roots/R1/ttl-policy"],
    ["GET", "/api/ttl/preview", { query: { ttl_days: 90, root: null }, signal: undefined }],
    ["GET", "/api/ttl/preview", { query: { ttl_days: 7, root: "R1" }, signal: undefined }],
    ["POST", "/api/ttl/run"],
    ["POST", "/api/ttl/retry", { json: {} }],
    ["POST", "/api/ttl/retry", { json: { key: "ab" } }],
  ]);
});
