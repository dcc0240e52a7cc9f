// The user, the settings, and the state of the connection, on which the whole page depends.
import type { Backend, Settings, SettingsPatch, User } from "../api/backend";
import { type ApiError, type ApiErrorCode, hasCode } from "../api/errors";
import type { Method } from "../api/transport/request";
import { resolveLocale, setLocale, setMe } from "../i18n";

export type Phase =
  | { name: "starting" }
  /** No user is registered yet. */
  | { name: "greeting" }
  | { name: "ready" }
  | { name: "failed"; error: unknown };

/** Faults that concern more than the request that revealed them. */
export type Trouble = Extract<ApiErrorCode, "unauthenticated" | "unreachable" | "storage_failed" | "disk_full" | "read_only">;

const TROUBLES: readonly ApiErrorCode[] = ["unauthenticated", "unreachable", "storage_failed", "disk_full", "read_only"];
/** Panel widths follow the pointer; they are written when it rests. */
const SETTLE = 400;
/** The delay of a new request after one without an answer, at first and at most. */
const MIN_POLL_INTERVAL = 1_000;
const MAX_POLL_INTERVAL = 15_000;

export class Session {
  phase = $state.raw<Phase>({ name: "starting" });
  #user = $state.raw<User | null>(null);
  #trouble = $state.raw<Trouble | null>(null);
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  connected = $state(true);
  #settings = $state.raw<Settings | null>(null);
  #unsent: SettingsPatch = {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly backend: () => Backend) {}

  get user(): User | null {
    return this.#user;
  }

  set user(user: User | null) {
    this.#user = user;
    setMe(user?.name ?? null);
  }

  get trouble(): Trouble | null {
    return this.#trouble;
  }

  set trouble(trouble: Trouble | null) {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    clearTimeout(this.#pollTimer);
    if (trouble === "unreachable") this.#schedulePoll(MIN_POLL_INTERVAL);
  }

  /**
   * The stream of events may not have noticed that the server was away, or may have noticed already that it is back:
   * nothing else would retry.
   */
  #schedulePoll(wait: number): void {
    this.#pollTimer = setTimeout(() => void this.#poll(wait), wait);
  }

  async #poll(waited: number): Promise<void> {
    try {
      await this.#readSettings();
      this.observe({ method: "GET", error: null });
    } catch {
      // The failure is already reported; the next attempt finds out more.
    }
    if (this.#trouble === "unreachable") this.#schedulePoll(Math.min(waited * 2, MAX_POLL_INTERVAL));
  }

  /** Stops all polling. */
  stop(): void {
    clearTimeout(this.#pollTimer);
    this.#trouble = null;
  }

  /** Only valid when the phase is "greeting" or "ready". */
  get settings(): Settings {
    if (this.#settings === null) throw new Error("BUG: settings are read before they arrive");
    return this.#settings;
  }

  /** The keys that the user has changed, by the ids of their actions. */
  get shortcuts(): Settings["shortcuts"] {
    return this.#settings?.shortcuts ?? {};
  }

  /** Starts with the server's given answers, or else by requesting them. */
  async start(preloaded: { settings: Settings; user: User | null } | null = null): Promise<void> {
    if (preloaded !== null) return this.#begin(preloaded.settings, preloaded.user);
    this.phase = { name: "starting" };
    try {
      this.#begin(...(await Promise.all([this.backend().settings.get(), this.#me()])));
    } catch (error) {
      this.phase = { name: "failed", error };
    }
  }

  async register(name: string): Promise<void> {
    this.user = await this.backend().users.create(name);
    this.phase = { name: "ready" };
  }

  async rename(name: string): Promise<void> {
    this.user = await this.backend().users.rename(name);
  }

  /** Applies a change at once and writes it; if that fails, restores the server's settings. */
  async change(patch: SettingsPatch): Promise<void> {
    this.#show(patch);
    try {
      const settings = await this.backend().settings.patch(patch);
      // Later changes are kept.
      this.#apply({ ...settings, ...setFields(this.#unsent) });
    } catch (error) {
      await this.refreshSettings();
      throw error;
    }
  }

  /** Like `change`, for values that follow the pointer; `onError` is called on failure. */
  changeSoon(patch: SettingsPatch, onError: (error: unknown) => void): void {
    this.#show(patch);
    this.#unsent = { ...this.#unsent, ...patch };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const changes = this.#unsent;
      this.#unsent = {};
      this.change(changes).catch(onError);
    }, SETTLE);
  }

  /** Checks if the trouble is over: by a read for a lost server, or by writing the last settings again for a disk. */
  async retry(): Promise<void> {
    if (this.trouble === "unauthenticated" || this.trouble === "unreachable") await this.refreshSettings();
    else await this.change({ theme: this.settings.theme });
  }

  /** Called after another window changed a setting. */
  async refreshSettings(): Promise<void> {
    try {
      await this.#readSettings();
    } catch (error) {
      // `observe` has noted faults that concern everything; the shown settings stay.
      if (!hasCode(error, ...TROUBLES)) throw error;
    }
  }

  async #readSettings(): Promise<void> {
    const settings = await this.backend().settings.get();
    this.#apply({ ...settings, ...setFields(this.#unsent) });
  }

  /** The backend's observer. */
  readonly observe = ({ method, error }: { method: Method; error: ApiError | null }): void => {
    if (error) {
      if (TROUBLES.includes(error.code)) this.trouble = error.code as Trouble;
    } else if (this.trouble === "unauthenticated" || this.trouble === "unreachable" || method !== "GET") {
      // A successful read says nothing about a disk that cannot be written.
      this.trouble = null;
    }
  };

  #begin(settings: Settings, user: User | null): void {
    this.#apply(settings);
    this.user = user;
    this.phase = { name: user === null ? "greeting" : "ready" };
  }

  #show(patch: SettingsPatch): void {
    this.#apply({ ...this.settings, ...setFields(patch) });
  }

  #apply(settings: Settings): void {
    this.#settings = settings;
    setLocale(resolveLocale(settings.language));
    document.documentElement.dataset["theme"] = settings.theme;
    document.documentElement.dataset["language"] = settings.language;
    document.documentElement.dataset["textSize"] = settings.text_size;
    document.documentElement.dataset["readingWidth"] = settings.reading_width;
  }

  async #me(): Promise<User | null> {
    try {
      return await this.backend().users.me();
    } catch (error) {
      if (hasCode(error, "no_user")) return null;
      throw error;
    }
  }
}

/** Removes the unset fields of a patch. */
function setFields(patch: SettingsPatch): Partial<Settings> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null && value !== undefined));
}
