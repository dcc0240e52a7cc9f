import { afterEach, describe, expect, it } from "vitest";
import type { PictureInfo } from "../../api/backend";
import { setLocale } from "../../i18n";
import { metadataRows } from "./metadata-rows";

const bare: PictureInfo = {
  id: "1",
  mime: "image/jpeg",
  size: 2_000_000,
  mtime: "2026-11-20T00:00:00Z",
  is_incomplete: false,
  camera: {},
  exposure: {},
  notes: [],
};

const fact = (info: Partial<PictureInfo>, id: string) =>
  metadataRows({ ...bare, ...info }, {}).find((one) => one.id === id)?.value.replaceAll("\u00a0", " ");

afterEach(() => setLocale("en"));

describe("the metadata rows", () => {
  it("has rows only for existing values", () => {
    expect(metadataRows(bare, {}).map(({ id }) => id)).toEqual(["file", "modified"]);
    expect(fact({}, "file")).toBe("JPEG · 1.91 MiB");
    expect(fact({ mime: "image/webp" }, "file")).toBe("WebP · 1.91 MiB");
    expect(fact({ mime: "image/x-dcraw" }, "file")).toBe("RAW · 1.91 MiB");
  });

  it("shows the date that the sidecar states", () => {
    const taken = (inFile: string | null, stated: string) => metadataRows({ ...bare, taken: inFile }, { taken: stated, taken_in_sidecar: true }).find(({ id }) => id === "taken")?.value.replaceAll("\u202f", " ");
    expect(taken(null, "2026-11-20T09:30:00")).toBe("Nov 20, 2026, 9:30 AM");
    expect(taken("2026-11-20T08:30:00", "2026-11-20T09:30:00")).toBe("Nov 20, 2026, 9:30 AM (in the file: Nov 20, 2026, 8:30 AM)");
  });

  it("shows dimensions and the number of pixels", () => {
    expect(fact({ width: 4_000, height: 3_000 }, "size")).toBe("4,000 × 3,000 pixels · 12 MP");
    expect(fact({ width: 40, height: 30 }, "size")).toBe("40 × 30 pixels · 0.0012 MP");
  });

  it("names the camera once", () => {
    expect(fact({ camera: { make: "Canon", model: "Canon EOS R6" } }, "camera")).toBe("Canon EOS R6");
    expect(fact({ camera: { make: "NIKON CORPORATION", model: "NIKON Z 6" } }, "camera")).toBe("NIKON Z 6");
    expect(fact({ camera: { make: "FUJIFILM", model: "X-T5" } }, "camera")).toBe("FUJIFILM X-T5");
    expect(fact({ camera: { make: "FUJIFILM" } }, "camera")).toBe("FUJIFILM");
  });

  it("writes the exposure as cameras do", () => {
    const exposure = { time: 0.004, aperture: 2.8, iso: 100, focal_length: 23, focal_length_35mm: 35, bias: -1 / 3 };
    expect(fact({ exposure }, "exposure")).toBe("1/250 s · f/2.8 · ISO 100 · 23 mm (35 mm equiv.) · −0.3 EV");
    expect(fact({ exposure: { time: 2.5, focal_length: 50, focal_length_35mm: 50, bias: 0 } }, "exposure")).toBe("2.5 s · 50 mm");
    expect(fact({ exposure: { flash: false } }, "flash")).toBeUndefined();
    expect(fact({ exposure: { flash: true } }, "flash")).toBe("Fired");
  });

  it("shows the place by hemispheres", () => {
    const place = { latitude: -33.85678, longitude: 151.2153, altitude: 4.6 };
    expect(fact({ place }, "place")).toBe("33.85678° S, 151.21530° E · 5 m");
    setLocale("ja");
    expect(fact({ place: { latitude: 35, longitude: -139.5 } }, "place")).toBe("北緯 35.00000°、西経 139.50000°");
  });

  it("shows the camera's own time", () => {
    expect(fact({ taken: "2024-05-06T07:08:09" }, "taken")).toMatch(/May 6, 2024, 7:08/);
  });
});
