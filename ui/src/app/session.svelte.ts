// Who is here, their settings, and whether the server can be reached: what the whole page stands on.
import type { Backend, Settings, SettingsPatch, User } from "../api/backend";
import { type ApiError, type ApiErrorCode, hasCode } from "../api/errors";
import type { Method } from "../api/request";
import { resolveLocale, setLocale, setMe } from "../i18n";

export type Phase =
  | { name: "starting" }
  /** Nobody is registered yet. */
  | { name: "greeting" }
  | { name: "ready" }
  | { name: "failed"; error: unknown };

/** Faults that concern more than the request that met them. */
export type Trouble = Extract<ApiErrorCode, "unauthenticated" | "unreachable" | "storage_failed" | "disk_full" | "read_only">;

const TROUBLES: readonly ApiErrorCode[] = ["unauthenticated", "unreachable", "storage_failed", "disk_full", "read_only"];
/** Panel widths follow the pointer; they are written when it rests. */
const SETTLE = 400;
/** How long after a request without an answer another one is made, at first and at most. */
const FIRST_LOOK = 1_000;
const LAST_LOOK = 15_000;

export class Session {
  phase = $state.raw<Phase>({ name: "starting" });
  #user = $state.raw<User | null>(null);
  #trouble = $state.raw<Trouble | null>(null);
  #looking: ReturnType<typeof setTimeout> | undefined;
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
    clearTimeout(this.#looking);
    if (trouble === "unreachable") this.#lookAgain(FIRST_LOOK);
  }

  /**
   * The stream of events may never have noticed that the server was away, or has noticed already that it is back: nothing
   * else would ask again.
   */
  #lookAgain(wait: number): void {
    this.#looking = setTimeout(() => void this.#look(wait), wait);
  }

  async #look(waited: number): Promise<void> {
    try {
      await this.#readSettings();
      this.observe({ method: "GET", error: null });
    } catch {
      // What failed is told already; the next look finds out more.
    }
    if (this.#trouble === "unreachable") this.#lookAgain(Math.min(waited * 2, LAST_LOOK));
  }

  /** Asks nobody any more. */
  stop(): void {
    clearTimeout(this.#looking);
    this.#trouble = null;
  }

  /** Only read when the phase is "greeting" or "ready". */
  get settings(): Settings {
    if (this.#settings === null) throw new Error("BUG: settings are read before they have come");
    return this.#settings;
  }

  /** With what the server has answered already, or else by asking it. */
  async start(known: { settings: Settings; user: User | null } | null = null): Promise<void> {
    if (known !== null) return this.#begin(known.settings, known.user);
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

  /** Shows a change at once and writes it; when that fails, what the server has is shown again. */
  async change(patch: SettingsPatch): Promise<void> {
    this.#show(patch);
    try {
      const settings = await this.backend().settings.patch(patch);
      // What has been moved since then is not moved back.
      this.#apply({ ...settings, ...known(this.#unsent) });
    } catch (error) {
      await this.refreshSettings();
      throw error;
    }
  }

  /** As `change`, for what follows the pointer; `onError` hears of a failure. */
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

  /** Looks whether the trouble is over: a read for a lost server, the last settings written again for a disk. */
  async retry(): Promise<void> {
    if (this.trouble === "unauthenticated" || this.trouble === "unreachable") await this.refreshSettings();
    else await this.change({ theme: this.settings.theme });
  }

  /** After another window changed something. */
  async refreshSettings(): Promise<void> {
    try {
      await this.#readSettings();
    } catch (error) {
      // `observe` has noted what concerns everything; what is shown stays.
      if (!hasCode(error, ...TROUBLES)) throw error;
    }
  }

  async #readSettings(): Promise<void> {
    const settings = await this.backend().settings.get();
    this.#apply({ ...settings, ...known(this.#unsent) });
  }

  /** For the backend's observer. */
  readonly observe = ({ method, error }: { method: Method; error: ApiError | null }): void => {
    if (error) {
      if (TROUBLES.includes(error.code)) this.trouble = error.code as Trouble;
    } else if (this.trouble === "unauthenticated" || this.trouble === "unreachable" || method !== "GET") {
      // A read that went well says nothing about a disk that cannot be written.
      this.trouble = null;
    }
  };

  #begin(settings: Settings, user: User | null): void {
    this.#apply(settings);
    this.user = user;
    this.phase = { name: user === null ? "greeting" : "ready" };
  }

  #show(patch: SettingsPatch): void {
    this.#apply({ ...this.settings, ...known(patch) });
  }

  #apply(settings: Settings): void {
    this.#settings = settings;
    setLocale(resolveLocale(settings.language));
    document.documentElement.dataset["theme"] = settings.theme;
    document.documentElement.dataset["language"] = settings.language;
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

/** A patch without the fields that it leaves alone. */
function known(patch: SettingsPatch): Partial<Settings> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null && value !== undefined));
}
