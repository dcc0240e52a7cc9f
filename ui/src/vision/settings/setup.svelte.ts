// The configuration of the service that describes pictures: its settings, its models, and the usage of its limits.
import type { LimiterUsage, LocalLimits, VisionApi, VisionDialect, VisionModel, VisionSetting, VisionSettings, VisionState } from "../../api/vision";

/** The address of Ollama on this machine: a service that sends nothing anywhere. */
export const LOCAL_ADDRESS = "http://localhost:11434/v1";
export const TESSERACT: readonly string[] = ["tesseract", "{picture}", "-", "-l", "{language3}", "-c", "preserve_interword_spaces=1"];

export class VisionSetup {
  state = $state.raw<VisionState | null>(null);
  usage = $state.raw<LimiterUsage | null>(null);
  /** Null until the models are requested. */
  models = $state.raw<readonly VisionModel[] | null>(null);
  failure = $state.raw<{ reason: unknown } | null>(null);
  #asking = new AbortController();
  /** Settles when the latest change is stored, or refused. */
  #stored: Promise<unknown> = Promise.resolve();

  constructor(private readonly api: VisionApi) {}

  async read(): Promise<void> {
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    try {
      const [state, usage] = await Promise.all([this.api.settings(signal), this.api.usage(signal)]);
      if (signal.aborted) return;
      this.state = state;
      this.usage = usage;
      this.failure = null;
    } catch (reason) {
      if (!signal.aborted) this.failure = { reason };
    }
  }

  /** Reads the usage. Rejects if that fails, and keeps the previous numbers. */
  async readUsage(): Promise<void> {
    this.usage = await this.api.usage();
  }

  /** Stores changed settings. Rejects if they are refused, and keeps the previous ones. */
  async change(changes: Partial<VisionSettings>): Promise<void> {
    if (this.state === null) return;
    const state = this.api.setSettings({ ...this.state.settings, ...changes });
    this.#stored = state.catch(() => undefined);
    this.state = await state;
  }

  /** Selects a kind of service, at the address that was set for it. The model belongs to one kind of service. */
  async choose(dialect: VisionDialect | null, url = this.#addressOf(dialect)): Promise<void> {
    this.models = null;
    await this.change({ dialect, model: null, url });
  }

  /** Allows the key of the environment for the service of this kind at its current address, or at its own one. */
  async useEnvironmentKey(kind: VisionDialect): Promise<void> {
    if (this.state?.effective.dialect !== kind) await this.choose(kind, null);
    await this.change({ key_origin: this.state?.origin ?? null, declined_keys: this.#declined().filter((one) => one !== kind) });
  }

  /** Stops the use of the key of the environment, and its offer. */
  declineEnvironmentKey(kind: VisionDialect): Promise<void> {
    return this.change({ key_origin: null, declined_keys: [...this.#declined().filter((one) => one !== kind), kind] });
  }

  /** The kinds of services whose keys in the environment can be offered. */
  get offeredKeys(): readonly VisionDialect[] {
    return this.state?.environment_keys.filter((kind) => !this.#declined().includes(kind)) ?? [];
  }

  #addressOf(dialect: VisionDialect | null): string | null {
    if (this.state === null || dialect === null || dialect === "command") return null;
    const suggested = dialect === "openai" && this.state.can_set_service ? LOCAL_ADDRESS : null;
    return this.state.addresses[dialect] ?? suggested;
  }

  #declined(): readonly VisionDialect[] {
    return this.state?.settings.declined_keys ?? [];
  }

  /** Sets a limit of a local service; null for the configured limits. */
  async limit(limits: Partial<LocalLimits> | null): Promise<void> {
    const current = this.usage;
    if (current === null) return;
    const own = { per_minute: current.per_minute_limit, daily: current.daily_limit };
    await this.change({ local_limits: limits && { ...own, ...limits } });
    await this.readUsage();
  }

  /** Stores the key in the system's keyring; null deletes it there. */
  async setKey(key: string | null): Promise<void> {
    const dialect = this.state?.effective.dialect;
    if (!dialect) return;
    await this.api.setKey(dialect, key);
    this.state = await this.api.settings();
  }

  /** Reads the models of the service. A change that is on its way, perhaps of the address, is stored first. */
  async readModels(): Promise<void> {
    await this.#stored;
    this.models = await this.api.models();
  }

  /** True if the environment or the configuration file sets this setting. */
  isFixed(setting: VisionSetting): boolean {
    return this.state?.fixed.includes(setting) ?? false;
  }

  dispose(): void {
    this.#asking.abort();
  }
}

/** The variable of the environment that holds the key of a kind of service. */
export function keyVariable(kind: VisionDialect): string {
  return kind === "gemini" ? "GEMINI_API_KEY" : "OPENAI_API_KEY";
}

/** Formats a command for the input field: words, of which those with spaces are in quotation marks. */
export function commandText(command: readonly string[]): string {
  return command.map((word) => (/^[^\s"\\]+$/u.test(word) ? word : JSON.stringify(word))).join(" ");
}

/** Parses the program and its arguments; null if the text is empty. */
export function commandOf(text: string): string[] | null {
  const words = text.match(/"(?:[^"\\]|\\.)*"|\S+/gu) ?? [];
  return words.length === 0 ? null : words.map(unquoted);
}

function unquoted(word: string): string {
  return /^".*"$/su.test(word) ? word.slice(1, -1).replace(/\\(["\\])/gu, "$1") : word;
}
