// The API of hash records (docs/API.md, "Hash records").
import type { FilePlace } from "./backend";
import { type ApiClient, data, placeFields, placeQuery, rawPath, text } from "./transport/client";
import type { EncodedPath } from "./names";
import { address } from "./transport/request";
import type { components } from "./schema";

type Schemas = components["schemas"];
/** The document makes nullable fields optional; the server omits none but those named. */
type Explicit<T, Omitted extends keyof T = never> = Required<Omit<T, Omitted>> & Pick<T, Omitted>;

export type HashState = Schemas["HashState"];
/** The kind of a record's name. `asset` is a file of the wiki, which has no record. */
export type HashKind = Schemas["HashRecordKind"];
export type HashFolder = Schemas["HashFolderInfo"];
export type HashItem = Explicit<Schemas["HashItem"], "path_bytes" | "page" | "reason_code">;
export type HashPage = Explicit<Omit<Schemas["HashPage"], "items">> & { items: HashItem[] };
export type HashPlace = Schemas["HashPlace"];
export type ReplacedHash = Explicit<Schemas["ReplacedHash"]>;
export type HashDetail = HashItem & Pick<Schemas["HashDetail"], "record" | "places"> & { history: ReplacedHash[] };
export type NameExplanation = Explicit<Schemas["HashNameSteps"], "path_bytes" | "name_bytes">;
export type RecordedFolder = Explicit<Schemas["RecordedFolder"], "path_bytes">;
export type HashBadges = Schemas["HashBadges"];
export type HashFinding = Explicit<Schemas["HashFinding"], "path_bytes" | "to_bytes" | "reason_code">;
export type HashReport = Explicit<Omit<Schemas["HashReport"], "kind" | "findings">> & { kind: HashJobKind; findings: HashFinding[] };
export type RemovedHash = Explicit<Schemas["RemovedHash"], "path_bytes">;
export type RemovedHashPage = Omit<Schemas["RemovedHashPage"], "items"> & { items: RemovedHash[] };
export type ReinstatedHashes = Schemas["ReinstatedHashes"];
export type HashReportEntry = Explicit<Omit<Schemas["HashReportEntry"], "kind">> & { kind: HashJobKind };
export type ImportedList = Schemas["HashImport"];
export type HashSchedule = Explicit<Schemas["HashSchedule"]>;
export type RestoredFile = Explicit<Schemas["RestoredFile"]>;

/** The state of a file compared with its record. */
export const FILE_STATES = [
  "ok",
  "changed",
  "corrupt",
  "altered",
  "touched",
  "new",
  "moved",
  "missing",
  "root_away",
  "unreadable",
  "racy",
  "differs",
] as const satisfies readonly HashState[];
/** The state of a record by itself. */
export const RECORD_STATES = ["orphan", "malformed", "collision", "legacy", "foreign"] as const satisfies readonly HashState[];
export const HASH_STATES = [...FILE_STATES, ...RECORD_STATES] as const;

export const HASH_KINDS = ["encoded", "fallback", "legacy", "hashed", "malformed", "foreign"] as const satisfies readonly HashKind[];

export const EXPORT_FORMATS = ["sha256sums", "hashdeep", "rhash", "json", "csv", "text"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The kinds of jobs that work on records. */
export const HASH_JOBS = ["record_hashes", "verify_hashes", "check_hashes", "migrate_hashes", "tidy_hashes"] as const satisfies readonly Schemas["JobKind"][];
export type HashJobKind = (typeof HASH_JOBS)[number];

/** The program's own hash folder. */
export const OWN_FOLDER = "own";
/** In its place, the files of the wiki. */
export const WIKI_FOLDER = "wiki";

export interface HashQuery {
  dir?: string;
  state?: HashState;
  kind?: HashKind;
  /** A part of the path, without regard to case and width. */
  q?: string;
  place?: FilePlace;
  offset?: number;
  limit?: number;
}

export interface ReportQuery {
  state?: HashState;
  offset?: number;
  limit?: number;
}

export interface RecordOptions {
  dir?: string;
  full?: boolean;
  /** Enters folders on other file systems. */
  other_file_systems?: boolean;
  confirm_foreign?: boolean;
}

export interface VerifyOptions {
  dir?: string;
  /** All recorded files if absent. */
  place?: FilePlace;
  /** Reads only files whose size or times have changed. */
  quick?: boolean;
  /** The recorded file or folder of which the place is a copy. */
  original?: string;
}

/** A recorded file by its absolute path. */
export interface RecordedFile {
  path: string;
  path_bytes?: string | null;
}

/** The records of a hash folder, those below a root with names relative to it, or the report of a job. */
export type Exported = { dir: string; root?: string } | { job: string };

/** Starting work returns the job's id. */
export type HashesApi = ReturnType<typeof hashesApi>;

export function hashesApi(client: ApiClient) {
  // The document lists the fields of the jobs' bodies as required; the server has a default for those left out.
  return {
    list: ({ place, ...plain }: HashQuery = {}, signal?: AbortSignal) => {
      const query = { ...plain, ...(place && placeQuery(place)) };
      return data(client.GET("/api/hashes", { params: { query }, signal })) as Promise<HashPage>;
    },
    explain: (of: ({ path: string } | { name: string }) & { dir?: string }, signal?: AbortSignal) =>
      data(client.GET("/api/hashes/name", { params: { query: of }, signal })) as Promise<NameExplanation>,
    detail: (file: RecordedFile, dir?: string, signal?: AbortSignal) => {
      const query = { dir, path: rawPath(encodedFile(file)) };
      return data(client.GET("/api/hashes/record", { params: { query }, signal })) as Promise<HashDetail>;
    },
    /** The folders that contain recorded files themselves, by path. */
    folders: (dir?: string, signal?: AbortSignal) => data(client.GET("/api/hashes/folders", { params: { query: { dir } }, signal })) as Promise<{ items: RecordedFolder[]; truncated: boolean }>,
    badges: (folder: FilePlace, signal?: AbortSignal) => data(client.GET("/api/hashes/badges", { params: { query: placeQuery(folder) }, signal })),
    async record(place: FilePlace, options?: RecordOptions) {
      const body = { ...options, ...placeFields(place) };
      return (await data(client.POST("/api/hashes/record", { body }))).id;
    },
    async verify({ place, ...options }: VerifyOptions = {}) {
      const body = { ...options, ...(place && placeFields(place)) };
      return (await data(client.POST("/api/hashes/verify", { body }))).id;
    },
    async migrate(dry_run: boolean, dir?: string, confirmForeign?: boolean) {
      const body = { dir, dry_run, confirm_foreign: confirmForeign || undefined };
      return (await data(client.POST("/api/hashes/migrate", { body }))).id;
    },
    async tidy(dry_run: boolean, dir?: string) {
      const body = { dir, dry_run };
      return (await data(client.POST("/api/hashes/tidy", { body }))).id;
    },
    /** Compares the files of a list with its hashes. Relative names are resolved against the folder. */
    async check(folder: FilePlace, list: Blob) {
      const options = { params: { query: placeQuery(folder) }, body: list, headers: { "Content-Type": "application/octet-stream" } };
      return (await data(client.POST("/api/hashes/check", options))).id;
    },
    /** The reports of this launch, the latest first. */
    async reports(signal?: AbortSignal) {
      return (await data(client.GET("/api/hashes/reports", { signal }))).reports as HashReportEntry[];
    },
    /** `job_not_found` if the job belongs to another launch. */
    report: (job: string, query?: ReportQuery, signal?: AbortSignal) =>
      data(client.GET("/api/hashes/reports/{job}", { params: { path: { job }, query }, signal })) as Promise<HashReport>,
    /** Accepts the present contents as the recorded ones. */
    accept: (file: RecordedFile, dir?: string) => data(client.POST("/api/hashes/accept", { body: { dir, ...fileFields(file) } })) as Promise<HashItem>,
    /** Gives the records of a moved file or folder their new paths. Returns the number of records. */
    async acceptMove(file: RecordedFile, to: RecordedFile) {
      const target = to.path_bytes ? { to_bytes: to.path_bytes } : { to: to.path };
      return (await data(client.POST("/api/hashes/accept-move", { body: { ...fileFields(file), ...target } }))).records;
    },
    /**
     * Restores the recorded contents; `from` is a grant or a root with copies. `create` confirms that a missing file is
     * created.
     */
    restore: (file: RecordedFile, from?: string, create?: boolean) => data(client.POST("/api/hashes/restore", { body: { from, create, ...fileFields(file) } })) as Promise<RestoredFile>,
    /** The records that tidying set aside. */
    removed: (query?: { dir?: string; offset?: number; limit?: number }, signal?: AbortSignal) => data(client.GET("/api/hashes/removed", { params: { query }, signal })) as Promise<RemovedHashPage>,
    /** Brings back the records of some files, or all that were set aside. */
    reinstate: (files: readonly RecordedFile[] | null, dir?: string) => {
      const body = { dir, ...(files === null ? { all: true } : { files: files.map(fileFields) }) };
      return data(client.POST("/api/hashes/reinstate", { body }));
    },
    /** Relative names in the list are resolved against the folder. */
    import: (folder: FilePlace, list: Blob) =>
      data(
        client.POST("/api/hashes/import", {
          params: { query: placeQuery(folder) },
          body: list,
          headers: { "Content-Type": "application/octet-stream" },
        }),
      ),
    exportUrl: (format: ExportFormat, of: Exported) => address("/api/hashes/export", { format, ...of }),
    exportText: (format: ExportFormat, of: Exported) => text(client.GET("/api/hashes/export", { params: { query: { format, ...of } }, parseAs: "text" })),
    schedule: (signal?: AbortSignal) => data(client.GET("/api/hashes/schedule", { signal })) as Promise<HashSchedule>,
    setSchedule: (schedule: Pick<HashSchedule, "enabled" | "days" | "gib_a_day">) => data(client.PUT("/api/hashes/schedule", { body: schedule })) as Promise<HashSchedule>,
  };
}

/** A path is sent as text, or as bytes if it is not UTF-8. */
function fileFields({ path, path_bytes }: RecordedFile): { path: string } | { path_bytes: string } {
  return path_bytes ? { path_bytes } : { path };
}

/** An absolute path in percent-encoding, byte by byte. */
function encodedFile({ path, path_bytes }: RecordedFile): EncodedPath {
  if (!path_bytes) return encodeURIComponent(path) as EncodedPath;
  const bytes = Uint8Array.from(atob(path_bytes), (char) => char.charCodeAt(0));
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("") as EncodedPath;
}
