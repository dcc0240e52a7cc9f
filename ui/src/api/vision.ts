// The API for describing pictures (docs/API.md, "Describing pictures" and "Limits").
import type { FilePlace } from "./backend";
import { type EncodedPath, pathFields } from "./names";
import type { RequestOptions, Send } from "./request";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type VisionSettings = Schemas["VisionSettings"];
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

export function visionApi(send: Send): VisionApi {
  async function ask<T>(method: "GET" | "POST" | "PUT", path: string, options: RequestOptions = {}): Promise<T> {
    return (await send(method, path, options)).json() as Promise<T>;
  }
  return {
    scan: (picture, mode, { signal, ...options }) => ask("POST", "/api/vision/scan", { json: { ...placeFields(picture), mode, ...options }, signal }),
    async describe(root, paths, mode, language) {
      const json = { root, paths: paths.map(textOf), mode, language };
      return (await ask<{ id: string }>("POST", "/api/vision/describe", { json })).id;
    },
    models: async (signal) => (await ask<Schemas["VisionModels"]>("GET", "/api/vision/models", { signal })).models,
    settings: (signal) => ask("GET", "/api/vision/settings", { signal }),
    setSettings: (settings) => ask("PUT", "/api/vision/settings", { json: settings }),
    async setKey(dialect, key) {
      await send("PUT", "/api/vision/key", { json: { dialect, key } });
    },
    usage: (signal) => ask("GET", "/api/config/usage", { signal }),
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
