// A service that describes pictures, in memory for the tests.
import { vi } from "vitest";
import { ApiError } from "../api/errors";
import type { LimiterUsage, ScanResult, VisionApi, VisionModel, VisionSetting, VisionSettings, VisionState } from "../api/vision";

export const NO_SETTINGS: VisionSettings = { dialect: null, url: null, model: null, command: null, command_output: "text", language: null, agreed_origin: null, key_origin: null, declined_keys: [], keyless_origin: null, local_limits: null };

const FIXABLE: readonly VisionSetting[] = ["dialect", "url", "model", "command", "local_limits"];

export class FakeVision implements VisionApi {
  stored: VisionSettings = NO_SETTINGS;
  /** The settings that the environment fixes. */
  environment: Partial<VisionSettings> = {};
  /** The addresses that the owner has set. */
  addresses: VisionState["addresses"] = { gemini: null, openai: null };
  /** False as for a browser. */
  canSetService = true;
  key: VisionState["key"] = "missing";
  environmentKeys: VisionState["environment_keys"] = [];
  problem: string | null = null;
  problemReason: string | null = null;
  modelsNow: VisionModel[] = [];
  usageNow: LimiterUsage = {
    backend: "in_memory",
    daily_count: 3,
    daily_limit: 1000,
    daily_reset: 3600,
    minute_count: 1,
    minute_reset: 30,
    per_minute_limit: 20,
  };
  /** The answer; an error rejects the request. */
  answer: Partial<ScanResult> | ApiError = { description: "A cat on a wall." };

  readonly scan = vi.fn<VisionApi["scan"]>((_picture, mode, { language }) => {
    if (this.answer instanceof ApiError) return Promise.reject(this.answer);
    return Promise.resolve({ mode, language, model: "m", cached: false, ...this.answer });
  });
  readonly describe = vi.fn<VisionApi["describe"]>(() => Promise.resolve("J1"));
  readonly models = vi.fn<VisionApi["models"]>(() => Promise.resolve(this.modelsNow));
  readonly settings = vi.fn<VisionApi["settings"]>(() => Promise.resolve(this.state()));
  readonly setSettings = vi.fn<VisionApi["setSettings"]>((settings) => {
    if (settings.url === "nonsense") return Promise.reject(new ApiError("invalid_value", 422, "not an address"));
    this.stored = settings;
    const { dialect, url = null } = settings;
    if (this.canSetService && (dialect === "gemini" || dialect === "openai")) this.addresses = { ...this.addresses, [dialect]: url };
    const { local_limits: limits } = settings;
    this.usageNow = { ...this.usageNow, per_minute_limit: limits?.per_minute ?? 20, daily_limit: limits?.daily ?? 1000 };
    return Promise.resolve(this.state());
  });
  readonly setKey = vi.fn<VisionApi["setKey"]>((_dialect, key) => {
    this.key = key === null ? "missing" : "keyring";
    return Promise.resolve();
  });
  readonly usage = vi.fn<VisionApi["usage"]>(() => Promise.resolve(this.usageNow));

  /** Configures a service at an address, as the user would. */
  configure(url: string | null, dialect: VisionSettings["dialect"] = "openai"): void {
    this.stored = { ...NO_SETTINGS, dialect, url };
  }

  state(): VisionState {
    const effective = { ...this.stored, ...this.environment };
    const { hostname: host = null, origin = null } = addressOf(effective) ?? {};
    const isNetwork = host?.endsWith(".local") ?? false;
    const isAllowed = host !== null && effective.key_origin === origin && this.environmentKeys.some((kind) => kind === effective.dialect);
    const key = isAllowed ? "environment" : this.key;
    const lacksKey = isNetwork && key === "missing" && effective.keyless_origin !== origin;
    const problem = lacksKey ? "No key" : this.problem;
    const configured = effective.dialect !== null && problem === null;
    return {
      settings: this.stored,
      effective,
      fixed: FIXABLE.filter((one) => one in this.environment),
      configured,
      recipient: configured ? recipientOf(effective) : null,
      host,
      origin,
      addresses: this.addresses,
      can_set_service: this.canSetService,
      is_local: effective.dialect === "command" || isNetwork || host === "localhost" || host === "127.0.0.1",
      key,
      environment_keys: this.environmentKeys,
      problem,
      problem_reason: lacksKey ? "key_missing" : this.problemReason,
    };
  }
}

function addressOf({ dialect, url }: VisionSettings): URL | null {
  if (!dialect || dialect === "command") return null;
  return new URL(url ?? (dialect === "gemini" ? "https://generativelanguage.googleapis.com" : "https://api.openai.com/v1"));
}

function recipientOf(settings: VisionSettings): NonNullable<VisionState["recipient"]> {
  const hostname = addressOf(settings)?.hostname;
  if (hostname === undefined) return { kind: "this_machine" };
  return hostname === "localhost" || hostname === "127.0.0.1" ? { kind: "this_machine" } : { kind: "host", host: hostname };
}
