// A pending move of a page: its effects, requested from the server during typing.
import type { Backend } from "../../api/backend";
import { hasCode } from "../../api/errors";
import type { RenamedPage } from "../../api/moves";
import { isMe, t } from "../../i18n";

/** A page to be moved, deleted or restored. */
export interface MovingPage {
  id: string;
  path: string;
}

export type Preview =
  | { kind: "none" }
  | { kind: "asking" }
  | { kind: "possible"; would: RenamedPage }
  | { kind: "refused"; why: string };

/** The pause in typing; otherwise every letter would be a request. */
const TYPING_PAUSE = 250;

export class MovePreview {
  state = $state.raw<Preview>({ kind: "none" });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | null = null;

  constructor(
    private readonly backend: Backend,
    private readonly page: MovingPage,
    private readonly describe: (error: unknown) => string,
  ) {}

  /** Requests the effects of a move; null cancels the request. */
  ask(query: { to: string; recursive: boolean } | null): void {
    this.stop();
    if (query === null) {
      this.state = { kind: "none" };
      return;
    }
    this.state = { kind: "asking" };
    const { signal } = (this.#asking = new AbortController());
    this.#timer = setTimeout(() => void this.#preview(query, signal), TYPING_PAUSE);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#asking?.abort();
  }

  async #preview(query: { to: string; recursive: boolean }, signal: AbortSignal): Promise<void> {
    try {
      const would = await this.backend.moves.preview(this.page.id, query, signal);
      if (!signal.aborted) this.state = { kind: "possible", would };
    } catch (error) {
      if (!signal.aborted) this.state = { kind: "refused", why: refusalOf(error, query.to, this.describe) };
    }
  }
}

/** The reason why a page cannot move to a path, in words. */
export function refusalOf(error: unknown, to: string, describe: (error: unknown) => string): string {
  if (!hasCode(error, "path_taken")) return describe(error);
  const { path, userName } = error.details;
  if (isMe(userName)) return t("move.path_draft_own", { path: path ?? to });
  if (userName !== undefined) return t("move.path_draft", { path: path ?? to, user: userName });
  return t("move.path_taken", { path: path ?? to });
}
