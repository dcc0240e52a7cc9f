// The metadata of a picture, as rows for display.
import type { Crop, FolderEntry, PictureInfo } from "../../api/backend";
import { PICTURE_FORMATS } from "virtual:picture-formats";
import { formatBytes, formatCameraTime, formatDateTime, formatNumber, numberFormat, t } from "../../i18n";
import { croppedSize } from "../entries/crops";
import type { Size } from "../../zoom/zoom";
import { type Dated, statedDate } from "../marks/dates";

export interface MetadataRow {
  /** The id of the fact. */
  id: string;
  name: string;
  value: string;
}

/** Returns the rows that have a value. The date is the one with which the entry is listed, which its sidecar may state. */
export function metadataRows(info: PictureInfo, entry: Dated & Pick<FolderEntry, "crop">): MetadataRow[] {
  const { width, height, camera, exposure, place } = info;
  const pixels = width && height ? t("folders.pixels", { width: formatNumber(width), height: formatNumber(height), count: megapixels(width * height) }) : null;
  const rows: [string, string, string | null | undefined][] = [
    ["size", t("folders.fact_pixels"), pixels],
    ["crop", t("crop.fact"), width && height && entry.crop ? cropWords({ width, height }, entry.crop) : null],
    ["file", t("folders.fact_file"), `${formatName(info.mime)} · ${formatBytes(info.size)}`],
    ["taken", t("folders.fact_taken"), takenOf(info, entry)],
    ["modified", t("folders.fact_modified"), formatDateTime(info.mtime)],
    ["camera", t("folders.fact_camera"), cameraOf(camera)],
    ["lens", t("folders.fact_lens"), camera.lens],
    ["exposure", t("folders.fact_exposure"), exposureOf(exposure)],
    ["flash", t("folders.fact_flash"), exposure.flash ? t("folders.flash_fired") : null],
    ["profile", t("folders.fact_profile"), info.profile],
    ["place", t("folders.fact_place"), place && placeOf(place)],
  ];
  return rows.flatMap(([id, name, value]) => (value ? [{ id, name, value }] : []));
}

function cropWords(whole: Size, crop: Crop): string {
  const { width, height } = croppedSize(whole, crop);
  const size = t("crop.size", { width: formatNumber(width), height: formatNumber(height) });
  if (crop.angle === 0) return size;
  const degrees = numberFormat({ maximumFractionDigits: 1 }).format(Math.abs(crop.angle));
  return t("crop.fact_straightened", { size, degrees });
}

function takenOf({ taken: inFile }: PictureInfo, entry: Dated): string | null {
  const stated = statedDate(entry);
  if (stated === null) return inFile ? formatCameraTime(inFile) : null;
  const shown = formatCameraTime(stated);
  return inFile ? t("folders.taken_changed", { date: shown, file: formatCameraTime(inFile) }) : shown;
}

/** Returns the name of a media type's format: "JPEG" for "image/jpeg". */
function formatName(mime: string): string {
  return PICTURE_FORMATS.find((format) => format.mime === mime)?.label ?? mime.replace(/^image\//, "").toUpperCase();
}

function megapixels(pixels: number): string {
  return numberFormat({ maximumSignificantDigits: 2 }).format(pixels / 1e6);
}

/** Returns the camera's name. Many makers already include their name in the model. */
function cameraOf({ make, model }: PictureInfo["camera"]): string | null {
  if (!make || !model) return model ?? make ?? null;
  const [first = ""] = make.split(" ");
  return model.toLowerCase().startsWith(first.toLowerCase()) ? model : `${make} ${model}`;
}

function exposureOf({ time, aperture, iso, focal_length, focal_length_35mm, bias }: PictureInfo["exposure"]): string | null {
  const same = focal_length_35mm === undefined || focal_length_35mm === Math.round(focal_length ?? 0);
  const focal = focal_length && `${round(focal_length, 1)} mm`;
  const parts = [
    time && shutter(time),
    aperture && `f/${round(aperture, 1)}`,
    iso && `ISO ${iso}`,
    focal && (same ? focal : t("folders.focal_35mm", { focal, film: `${focal_length_35mm} mm` })),
    bias && `${bias > 0 ? "+" : "−"}${round(Math.abs(bias), 1)} EV`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(" · ") : null;
}

/** Formats an exposure time as cameras do: fractions below a third of a second. */
function shutter(seconds: number): string {
  return seconds < 0.3 ? `1/${Math.round(1 / seconds)} s` : `${round(seconds, 1)} s`;
}

function placeOf({ latitude, longitude, altitude }: NonNullable<PictureInfo["place"]>): string {
  const degrees = (angle: number) => `${Math.abs(angle).toFixed(5)}°`;
  const place = t("folders.place", {
    latitude: t(latitude < 0 ? "folders.south" : "folders.north", { degrees: degrees(latitude) }),
    longitude: t(longitude < 0 ? "folders.west" : "folders.east", { degrees: degrees(longitude) }),
  });
  return altitude === undefined || altitude === null ? place : `${place} · ${formatNumber(Math.round(altitude))} m`;
}

function round(value: number, digits: number): string {
  return numberFormat({ maximumFractionDigits: digits }).format(value);
}
