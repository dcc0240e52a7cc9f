// A question about pictures, from the choice of its mode to the answer about one picture, or to the job over many.
import type { Host } from "../api/host";
import type { ScanMode, ScannedPicture, ScanResult, VisionApi, VisionState } from "../api/vision";
import { SCAN_MODES } from "../api/vision";
import { type Failure, failureOf } from "./failure";
import { agree, hostWithoutConsent } from "./privacy";

export type Phase =
  | { name: "loading" }
  | { name: "unconfigured" }
  /** The user selects the mode. */
  | { name: "choosing" }
  /** The user is told which data leaves the computer before anything is sent. */
  | { name: "consent" }
  | { name: "asking" }
  | { name: "answered"; result: ScanResult }
  | { name: "failed"; failure: Failure }
  /** The job has started. */
  | { name: "started" };

/** Starts a job over many pictures. */
type Begin = (mode: ScanMode) => Promise<void>;

/** The mode of the last question. */
let lastMode: ScanMode = "describe";

export class DescriptionRequest {
  phase = $state.raw<Phase>({ name: "loading" });
  mode = $state<ScanMode>(lastMode);
  state = $state.raw<VisionState | null>(null);
  /** The seconds until the question may be repeated. */
  wait = $state(0);
  #requests = new AbortController();
  #counting: ReturnType<typeof setInterval> | undefined;
  #again = false;

  /** Creates a question about one picture, or about many. */
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

  /** The available modes. An OCR command only reads text. */
  get modes(): readonly ScanMode[] {
    return this.state?.effective.dialect === "command" ? ["text"] : SCAN_MODES;
  }

  choose(mode: ScanMode): void {
    this.#begin();
    this.mode = lastMode = mode;
    if (this.state !== null) this.phase = { name: "choosing" };
  }

  /** Asks the service, after consent if that is needed. `again` asks even if an answer is stored. */
  async ask(again = false): Promise<void> {
    if (this.state === null) return this.open();
    this.#again = again;
    if (hostWithoutConsent(this.state) === null) return this.#ask();
    this.phase = { name: "consent" };
  }

  /** Stores the user's consent to the data that leaves the computer, then asks. */
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

  /** Repeats the failed question. */
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
        if (!signal.aborted) this.phase = { name: "started" };
        return;
      }
      const options = { language: this.host.locale, signal, ...(this.#again && { again: true }) };
      const result = await this.api.scan(this.about, this.mode, options);
      if (!signal.aborted) this.phase = { name: "answered", result };
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  /** Cancels the running request and its countdown. */
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
