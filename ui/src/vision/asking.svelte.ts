// A question about pictures, from the choice of what is asked to the answer about one, or to the job over many.
import type { Host } from "../api/host";
import type { ScanMode, ScannedPicture, ScanResult, VisionApi, VisionState } from "../api/vision";
import { SCAN_MODES } from "../api/vision";
import { type Failure, failureOf } from "./failure";
import { agree, unagreedHost } from "./privacy";

export type Phase =
  | { name: "loading" }
  | { name: "unconfigured" }
  /** What is asked can be chosen. */
  | { name: "choosing" }
  /** The person is told first what leaves the computer. */
  | { name: "consent" }
  | { name: "asking" }
  | { name: "answered"; result: ScanResult }
  | { name: "failed"; failure: Failure }
  /** The job has begun. */
  | { name: "begun" };

/** Begins a job over many pictures. */
type Begin = (mode: ScanMode) => Promise<void>;

/** What was asked for last. */
let lastMode: ScanMode = "describe";

export class Asking {
  phase = $state.raw<Phase>({ name: "loading" });
  mode = $state<ScanMode>(lastMode);
  state = $state.raw<VisionState | null>(null);
  /** Seconds until the question may be repeated. */
  wait = $state(0);
  #requests = new AbortController();
  #counting: ReturnType<typeof setInterval> | undefined;
  #again = false;

  /** About one picture, or many. */
  constructor(
    private readonly api: VisionApi,
    private readonly host: Pick<Host, "t" | "describe" | "locale">,
    private readonly about: ScannedPicture | Begin,
  ) {}

  async open(): Promise<void> {
    this.phase = { name: "loading" };
    const { signal } = this.#begin();
    try {
      const state = await this.api.settings(signal);
      if (signal.aborted) return;
      this.state = state;
      if (!this.modes.includes(this.mode)) this.mode = "text";
      this.phase = { name: state.configured ? "choosing" : "unconfigured" };
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  /** An OCR command reads text alone. */
  get modes(): readonly ScanMode[] {
    return this.state?.effective.dialect === "command" ? ["text"] : SCAN_MODES;
  }

  choose(mode: ScanMode): void {
    this.#begin();
    this.mode = lastMode = mode;
    if (this.state !== null) this.phase = { name: "choosing" };
  }

  /** With `again` although an answer is stored. */
  async ask(again = false): Promise<void> {
    if (this.state === null) return this.open();
    this.#again = again;
    if (unagreedHost(this.state) === null) return this.#ask();
    this.phase = { name: "consent" };
  }

  /** The person agrees to what leaves the computer. */
  async send(): Promise<void> {
    if (this.state === null) return;
    const { signal } = this.#begin();
    try {
      this.state = await agree(this.api, this.state);
    } catch (error) {
      return this.#fail(error, signal);
    }
    await this.#ask();
  }

  /** What failed, once more. */
  retry(): Promise<void> {
    return this.ask(this.#again);
  }

  dispose(): void {
    this.#begin().abort();
  }

  async #ask(): Promise<void> {
    const { signal } = this.#begin();
    this.phase = { name: "asking" };
    try {
      if (typeof this.about === "function") {
        await this.about(this.mode);
        if (!signal.aborted) this.phase = { name: "begun" };
        return;
      }
      const options = { language: this.host.locale, signal, ...(this.#again && { again: true }) };
      const result = await this.api.scan(this.about, this.mode, options);
      if (!signal.aborted) this.phase = { name: "answered", result };
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  /** Ends what is being asked, and its countdown. */
  #begin(): AbortController {
    this.#requests.abort();
    clearInterval(this.#counting);
    this.wait = 0;
    return (this.#requests = new AbortController());
  }

  #fail(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    const failure = failureOf(error, this.host);
    this.phase = { name: "failed", failure };
    this.wait = failure.wait;
    if (this.wait > 0) this.#counting = setInterval(() => this.#tick(), 1_000);
  }

  #tick(): void {
    this.wait -= 1;
    if (this.wait <= 0) clearInterval(this.#counting);
  }
}
