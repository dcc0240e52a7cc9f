// A search for duplicates or similar pictures: its job, the groups that it found, and which of their pictures go to the trash.
import { SEARCH_ROOT } from "../../api/addresses/found-address";
import type { Backend, FilePlace, Job } from "../../api/backend";
import type { DuplicateGroup, DuplicateGroups, DuplicateMember, Likeness } from "../../api/duplicates";
import { hasCode } from "../../api/errors";
import { ROOT_PATH } from "../../api/names";
import { folderId, placeOfEntry } from "../entries/folder-place";

/** The number of groups that are read at once. */
const PART = 20;
/** The delay after a change in a folder, in milliseconds: more changes may follow. */
const DELAY = 400;

type Source = Pick<Backend, "duplicates" | "jobs" | "events">;
export type SearchState = "idle" | "running" | "reading" | "ready" | "cancelled" | "failed";

/** The place of a picture of a group. */
export function placeOfMember({ entry }: DuplicateMember): FilePlace {
  return placeOfEntry({ root: SEARCH_ROOT, path: ROOT_PATH }, entry);
}

export function memberId(member: DuplicateMember): string {
  return folderId(placeOfMember(member));
}

/** True if the picture is proposed for the trash. */
function isProposed({ keep, stays }: DuplicateMember): boolean {
  return !keep && !stays;
}

export class DuplicateSearch {
  state = $state<SearchState>("idle");
  job = $state.raw<Job | null>(null);
  error = $state.raw<unknown>(null);
  #answer = $state.raw<Omit<DuplicateGroups, "groups" | "offset"> | null>(null);
  #groups = $state.raw<readonly DuplicateGroup[]>([]);
  /** What the user has chosen: true for the trash. */
  #chosen = $state.raw<ReadonlyMap<string, boolean>>(new Map());
  /** The number of groups that were read, with those that are gone. */
  #read = 0;
  #id: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly backend: Source) {}

  /** The groups that still have several pictures. */
  readonly groups = $derived.by(() => this.#groups.filter(({ members }) => members.length > 1));
  readonly ticked = $derived.by(() => this.groups.flatMap(({ members }) => members).filter((member) => this.isTicked(member)));
  /** The size of the ticked pictures, in bytes. */
  readonly tickedBytes = $derived.by(() => this.ticked.reduce((sum, { entry }) => sum + entry.size, 0));

  get summary() {
    return this.#answer;
  }

  get hasMore(): boolean {
    return this.#answer !== null && this.#read < this.#answer.total;
  }

  get chosen(): [string, boolean][] {
    return [...this.#chosen];
  }

  /** Takes over choices that were kept with the address. */
  restore(chosen: readonly [string, boolean][]): void {
    this.#chosen = new Map(chosen);
  }

  isTicked(member: DuplicateMember): boolean {
    return this.#chosen.get(memberId(member)) ?? isProposed(member);
  }

  /** Ticks or unticks a picture. Returns false if it is the last one of its group that is kept. */
  toggle(group: DuplicateGroup, member: DuplicateMember): boolean {
    const to = !this.isTicked(member);
    const others = group.members.filter((other) => other !== member);
    if (to && group.more === 0 && others.every((other) => this.isTicked(other))) return false;
    this.#chosen = new Map(this.#chosen).set(memberId(member), to);
    return true;
  }

  /** Ticks all pictures of a group but one. */
  keepOnly(group: DuplicateGroup, kept: DuplicateMember): void {
    const chosen = group.members.map((member): [string, boolean] => [memberId(member), member !== kept]);
    this.#chosen = new Map([...this.#chosen, ...chosen]);
  }

  /** Starts a search, and returns its id. */
  async start(folder: FilePlace | null, likeness: Likeness): Promise<string> {
    const id = await this.backend.duplicates.search(folder, likeness);
    this.#chosen = new Map();
    return id;
  }

  /** Shows a search, or none. Returns a function that stops it. */
  follow(id: string | null): () => void {
    this.#id = id;
    [this.#groups, this.#answer, this.#read, this.job, this.error] = [[], null, 0, null, null];
    this.state = id === null ? "idle" : "reading";
    if (id === null) return () => {};
    const { events } = this.backend;
    const stops = [
      events.on("job.progress", (job) => {
        if (job.job_id === id) void this.#update(id);
      }),
      events.on("folder.changed", () => this.#readSoon()),
      events.on("resync", () => void this.#update(id)),
    ];
    void this.#update(id);
    return () => {
      this.#id = null;
      clearTimeout(this.#timer);
      stops.forEach((stop) => stop());
    };
  }

  readonly cancel = async (): Promise<void> => {
    if (this.#id !== null) await this.backend.jobs.cancel(this.#id);
  };

  /** Pauses or resumes the search. */
  readonly pause = async (): Promise<void> => {
    if (this.#id !== null) await this.backend.jobs.pause(this.#id, this.job?.state !== "paused");
  };

  /** Reads the groups again that were read before. */
  readonly readAgain = (): Promise<void> => this.#readGroups(0, Math.max(PART, this.#read));

  readonly readMore = (): Promise<void> => this.#readGroups(this.#read, this.#read + PART);

  #readSoon(): void {
    if (this.state !== "ready") return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.readAgain(), DELAY);
  }

  /** Reads the job, and the groups once it has ended. */
  async #update(id: string): Promise<void> {
    try {
      const job = await this.backend.jobs.get(id);
      if (this.#id !== id) return;
      this.job = job;
      if (job.state === "done") await this.readAgain();
      else if (job.state === "cancelled") this.state = "cancelled";
      else if (job.state === "failed") [this.state, this.error] = ["failed", job.error ?? null];
      else this.state = "running";
    } catch (error) {
      if (this.#id === id) this.#fail(error);
    }
  }

  async #readGroups(from: number, to: number): Promise<void> {
    const id = this.#id;
    if (id === null) return;
    try {
      const read: DuplicateGroup[] = [];
      let answer: DuplicateGroups | null = null;
      for (let offset = from; offset < to; offset += PART) {
        answer = await this.backend.duplicates.groups(id, { offset, limit: PART });
        read.push(...answer.groups);
        if (offset + PART >= answer.total) break;
      }
      if (this.#id !== id || answer === null) return;
      this.#groups = from === 0 ? read : [...this.#groups, ...read];
      this.#read = from + read.length;
      [this.#answer, this.state, this.error] = [answer, "ready", null];
    } catch (error) {
      if (this.#id === id) this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    // The groups that are shown stay: the connection may come back. A search of an earlier launch is gone.
    if (this.state === "ready" && !hasCode(error, "job_not_found")) return;
    this.error = error;
    this.state = hasCode(error, "job_not_found") ? "idle" : "failed";
  }
}
