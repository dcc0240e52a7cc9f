import { beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "../../api/errors";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { type LoadedImage, PictureLoad, type PictureRequest } from "./picture-load.svelte";

const image = (more: Partial<LoadedImage> = {}): LoadedImage => ({ naturalWidth: 40, naturalHeight: 30, isConnected: true, decode: () => Promise.resolve(), ...more });
const request = (name: string): PictureRequest => ({ url: `/api/image?path=${name}`, thumbnailUrl: `/thumb?path=${name}`, root: "R1", path: canonicalPath(name), isUndecodable: false });

let backend: FakeBackend;
let picture: PictureRequest;
let load: PictureLoad;
const onsettled = vi.fn();

beforeEach(() => {
  onsettled.mockClear();
  backend = new FakeBackend();
  picture = request("a.jpg");
  load = new PictureLoad(backend.folders, () => picture, onsettled);
  load.start();
});

it("a loaded picture settles with its size", async () => {
  await load.loaded(image());
  expect([load.isShown, load.naturalSize, load.failure]).toEqual([true, { width: 40, height: 30 }, null]);
  expect(onsettled.mock.calls).toEqual([["/api/image?path=a.jpg"]]);
});

it("an undecodable picture has a reason", async () => {
  backend.folders.probe.mockRejectedValueOnce(new ApiError("picture_undecodable", 422, ""));
  await load.loaded(image({ decode: () => Promise.reject(new Error("no picture")) }));
  expect([load.isShown, load.failure?.reason]).toMatchObject([false, { code: "picture_undecodable" }]);
  expect(onsettled).toHaveBeenCalledOnce();
});

it("a retry forgets the failure", async () => {
  await load.failed();
  expect(load.failure).toEqual({ url: "/api/image?path=a.jpg", reason: null });
  load.retry();
  expect([load.failure, load.attempt]).toEqual([null, 1]);
});

it("a late picture does not settle another", async () => {
  const loading = load.loaded(image());
  picture = request("b.jpg");
  await loading;
  expect([load.isShown, load.naturalSize, load.shownUrl]).toEqual([false, null, "/api/image?path=a.jpg"]);
  expect(onsettled).not.toHaveBeenCalled();
});

it("a former picture's failure is not reported", async () => {
  const end = load.start();
  backend.folders.probe.mockRejectedValueOnce(new ApiError("not_found", 404, ""));
  const failing = load.failed();
  end();
  await failing;
  expect(load.failure).toBeNull();
  expect(onsettled).not.toHaveBeenCalled();
});

it("a picture without a thumbnail is damaged", async () => {
  backend.folders.probe.mockRejectedValueOnce(new ApiError("picture_undecodable", 422, ""));
  await load.loaded(image());
  await vi.waitFor(() => expect(load.isDamaged).toBe(true));
  expect(backend.folders.probe.mock.calls).toEqual([["/thumb?path=a.jpg", expect.any(AbortSignal)]]);
});

it("a loaded thumbnail is not probed", async () => {
  load.thumbnailLoaded();
  await load.loaded(image());
  expect(backend.folders.probe).not.toHaveBeenCalled();
});

it("reports a truncated file beside the picture", async () => {
  const infoOf = backend.infoOf;
  backend.infoOf = (path) => ({ ...infoOf(path), is_incomplete: true });
  await load.loaded(image());
  await vi.waitFor(() => expect(load.isTruncated).toBe(true));
  picture = request("b.jpg");
  expect(load.isTruncated).toBe(false);
});
