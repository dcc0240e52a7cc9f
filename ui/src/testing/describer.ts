// A service that describes pictures, in memory.
import { ApiError } from "../api/errors";
import type { LimiterUsage, ScanResult, VisionModel, VisionSetting, VisionSettings, VisionState } from "../api/vision";
import { fail, type Server } from "./server";

export const NO_SETTINGS: VisionSettings = { dialect: null, url: null, model: null, command: null, command_output: "text", language: null, agreed_origin: null, key_origin: null, declined_keys: [], keyless_origin: null, local_limits: null };

const FIXABLE: readonly VisionSetting[] = ["dialect", "url", "model", "command", "local_limits"];

export class Describer {
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

  constructor(server: Server) {
    server.on("POST /api/vision/scan", ({ body }) => {
      if (this.answer instanceof ApiError) throw this.answer;
      return { mode: body.mode, language: body.language ?? "", model: "m", cached: false, ...this.answer };
    });
    server.on("POST /api/vision/describe", () => ({ id: "J1" }));
    server.on("GET /api/vision/models", () => ({ models: this.modelsNow }));
    server.on("GET /api/vision/settings", () => this.state());
    server.on("PUT /api/vision/settings", ({ body }) => this.#store(body));
    server.on("PUT /api/vision/key", ({ body }) => void (this.key = body.key === null ? "missing" : "keyring"));
    server.on("GET /api/config/usage", () => this.usageNow);
  }

  #store(settings: VisionSettings): VisionState {
    if (settings.url === "nonsense") fail("invalid_value");
    this.stored = settings;
    const { dialect, url = null, local_limits: limits } = settings;
    if (this.canSetService && (dialect === "gemini" || dialect === "openai")) this.addresses = { ...this.addresses, [dialect]: url };
    this.usageNow = { ...this.usageNow, per_minute_limit: limits?.per_minute ?? 20, daily_limit: limits?.daily ?? 1000 };
    return this.state();
  }

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
