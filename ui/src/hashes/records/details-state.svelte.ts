// The record whose details are open: a row of the list, or a finding of a report, whose record is read first.
import type { HashesApi, HashFinding, HashItem } from "../../api/hashes";
import type { Host } from "../../api/host";

export class DetailsState {
  item = $state.raw<HashItem | null>(null);
  /** The finding whose record is shown or read. */
  finding = $state.raw<HashFinding | null>(null);
  /** The id of the record's hash folder. */
  dir = $state("");
  #reading = new AbortController();

  constructor(
    private readonly api: Pick<HashesApi, "detail">,
    private readonly host: Pick<Host, "toast" | "describe">,
  ) {}

  get isOpen(): boolean {
    return this.item !== null || this.finding !== null;
  }

  show(item: HashItem, dir: string): void {
    this.#reading.abort();
    this.dir = dir;
    this.finding = null;
    this.item = item;
  }

  /** Replaces the open record with its current version. */
  replace(item: HashItem): void {
    if (this.item !== null) this.item = item;
  }

  /**
   * Reads the record of a finding. No record is shown until it arrives, so that no decision applies to another file.
   */
  async read(finding: HashFinding, dir: string): Promise<void> {
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    this.dir = dir;
    this.finding = finding;
    this.item = null;
    try {
      const item = await this.api.detail({ path: finding.path, path_bytes: finding.path_bytes ?? null }, dir, signal);
      if (!signal.aborted) this.item = item;
    } catch (error) {
      if (signal.aborted) return;
      this.close();
      this.host.toast(this.host.describe(error), { tone: "bad" });
    }
  }

  close(): void {
    this.#reading.abort();
    this.item = null;
    this.finding = null;
  }
}
