// The API for describing pictures (docs/API.md, "Describing pictures" and "Limits").
import type { FilePlace } from "./backend";
import { type ApiClient, data } from "./client";
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

export interface VisionApi {
  scan(picture: ScannedPicture, mode: ScanMode, options: ScanOptions): Promise<ScanResult>;
  /** Starts a job over pictures of one root; resolves to its id. */
  describe(root: string, paths: readonly EncodedPath[], mode: ScanMode, language: string): Promise<string>;
  models(signal?: AbortSignal): Promise<VisionModel[]>;
  settings(signal?: AbortSignal): Promise<VisionState>;
  setSettings(settings: VisionSettings): Promise<VisionState>;
  /** Stores a key in the system's keyring; null deletes it there. */
  setKey(dialect: VisionDialect, key: string | null): Promise<void>;
  usage(signal?: AbortSignal): Promise<LimiterUsage>;
}

export function visionApi(client: ApiClient): VisionApi {
  return {
    scan: (picture, mode, { signal, ...options }) =>
      data(client.POST("/api/vision/scan", { body: { ...placeFields(picture), mode, ...options }, signal })),
    async describe(root, paths, mode, language) {
      const body = { root, paths: paths.map(textOf), mode, language };
      return (await data(client.POST("/api/vision/describe", { body }))).id;
    },
    models: async (signal) => (await data(client.GET("/api/vision/models", { signal }))).models,
    settings: (signal) => data(client.GET("/api/vision/settings", { signal })),
    setSettings: (settings) => data(client.PUT("/api/vision/settings", { body: settings })),
    async setKey(dialect, key) {
      await client.PUT("/api/vision/key", { body: { dialect, key } });
    },
    usage: (signal) => data(client.GET("/api/config/usage", { signal })),
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
