// The report of a run, read in parts: all findings, or those of one state.
import type { HashesApi, HashFinding, HashItem, HashReport, HashReportEntry, HashState } from "../../api/hashes";
import type { Rows } from "../../list";

const PART = 200;

export class ReportPages implements Rows<HashFinding> {
  readonly state = "ready";
  readonly error = null;
  job = $state.raw<string | null>(null);
  report = $state.raw<HashReport | null>(null);
  findings = $state.raw<readonly HashFinding[]>([]);
  /** The state that filters the findings. */
  only = $state.raw<HashState | null>(null);
  failure = $state.raw<{ reason: unknown } | null>(null);
  isLoadingMore = $state(false);
  /** The reports of this launch, the latest first. */
  all = $state.raw<readonly HashReportEntry[]>([]);
  #reading = new AbortController();

  constructor(private readonly api: Pick<HashesApi, "report" | "reports">) {}

  /** The number of files in each state, independent of the filter. */
  get counts(): HashReport["summary"] {
    return this.report?.summary ?? {};
  }

  get count(): number {
    return this.findings.length;
  }

  at(index: number): HashFinding | undefined {
    return this.findings[index];
  }

  async retry(): Promise<void> {
    await this.filter(this.only);
  }

  get hasMore(): boolean {
    return this.report !== null && this.findings.length < this.report.total;
  }

  /** Reads the report of a job, unless it is already loaded. */
  async open(job: string): Promise<void> {
    if (this.job === job && this.failure === null) return;
    this.job = job;
    this.report = null;
    await this.filter(null);
  }

  /** Reads the list of reports. */
  async list(): Promise<void> {
    try {
      this.all = await this.api.reports();
    } catch {
      // The shown report is still there; only the others can't be chosen.
      this.all = [];
    }
  }

  async filter(only: HashState | null): Promise<void> {
    this.only = only;
    this.#reading.abort();
    this.#reading = new AbortController();
    await this.#read(0);
  }

  async more(): Promise<void> {
    if (!this.hasMore || this.isLoadingMore) return;
    this.isLoadingMore = true;
    await this.#read(this.findings.length);
    this.isLoadingMore = false;
  }

  /** Updates a file's state after a decision about it. */
  replace({ path, state }: HashItem): void {
    this.findings = this.findings.map((finding) => (finding.path === path && finding.files === null && state ? { ...finding, state } : finding));
  }

  /** Updates a finding after its move was accepted. */
  settle(moved: HashFinding): void {
    this.findings = this.findings.map((finding) => (finding === moved ? { ...finding, state: "ok" } : finding));
  }

  dispose(): void {
    this.#reading.abort();
  }

  async #read(offset: number): Promise<void> {
    const { job, only } = this;
    const { signal } = this.#reading;
    if (job === null) return;
    try {
      const report = await this.api.report(job, { ...(only && { state: only }), offset, limit: PART }, signal);
      if (signal.aborted) return;
      this.report = report;
      this.findings = offset === 0 ? report.findings : [...this.findings, ...report.findings];
      this.failure = null;
    } catch (reason) {
      if (!signal.aborted) this.failure = { reason };
    }
  }
}
