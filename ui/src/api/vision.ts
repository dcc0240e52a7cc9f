// The API for describing pictures (docs/API.md, "Describing pictures" and "Limits").
import type { FilePlace } from "./backend";
import { type ApiClient, data } from "./transport/client";
import { type EncodedPath, pathFields } from "./names";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type VisionSettings = Schemas["VisionSettings"];
export type LocalLimits = Schemas["LocalLimits"];
export type VisionSetting = Schemas["VisionSetting"];
export type VisionState = Schemas["VisionState"];
export type VisionDialect = Schemas["VisionDialect"];
export type VisionModel = Schemas["VisionModel"];
export type ScanMode = Schemas["ScanMode"];
export type ScanObject = Schemas["ScanObject"];
export type ScanResult = Schemas["ScanResult"];
export type LimiterUsage = Schemas["LimiterUsage"];

export const SCAN_MODES = ["describe", "text", "tags", "objects"] as const satisfies readonly ScanMode[];

/** A file of a root, or of a page. */
export type ScannedPicture = FilePlace | { asset: string };

export interface ScanOptions {
  /** The language of the answer, such as "ja"; the settings override it. */
  language: string;
  /** Sends a request although an answer is stored. */
  again?: boolean;
  signal?: AbortSignal;
}

export type VisionApi = ReturnType<typeof visionApi>;

export function visionApi(client: ApiClient) {
  return {
    scan: (picture: ScannedPicture, mode: ScanMode, { signal, ...options }: ScanOptions) =>
      data(client.POST("/api/vision/scan", { body: { ...placeFields(picture), mode, ...options }, signal })),
    /** Starts a job over pictures of one root; resolves to its id. */
    async describe(root: string, paths: readonly EncodedPath[], mode: ScanMode, language: string) {
      const body = { root, paths: paths.map(textOf), mode, language };
      return (await data(client.POST("/api/vision/describe", { body }))).id;
    },
    models: async (signal?: AbortSignal) => (await data(client.GET("/api/vision/models", { signal }))).models,
    settings: (signal?: AbortSignal) => data(client.GET("/api/vision/settings", { signal })),
    setSettings: (settings: VisionSettings) => data(client.PUT("/api/vision/settings", { body: settings })),
    /** Stores a key in the system's keyring; null deletes it there. */
    async setKey(dialect: VisionDialect, key: string | null) {
      await client.PUT("/api/vision/key", { body: { dialect, key } });
    },
    usage: (signal?: AbortSignal) => data(client.GET("/api/config/usage", { signal })),
  };
}

function placeFields(picture: ScannedPicture) {
  return "asset" in picture ? picture : { root: picture.root, ...pathFields(picture.path) };
}

/** True if a job can name the path: it is text. */
export function isNameable(path: EncodedPath): boolean {
  return "path" in pathFields(path);
}

function textOf(path: EncodedPath): string {
  const named = pathFields(path);
  if ("path" in named) return named.path;
  throw new Error("BUG: a job can't name a path that is not UTF-8");
}
