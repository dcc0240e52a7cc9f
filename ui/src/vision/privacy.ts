// The data that leaves this computer, its recipient, and the user's consent to it.
import type { Host } from "../api/host";
import type { VisionApi, VisionState } from "../api/vision";

type Recipients = Pick<VisionState, "recipient" | "effective" | "origin">;

/** Returns the host that the user has not agreed to yet; null if no consent is needed. */
export function hostWithoutConsent({ recipient, effective, origin }: Recipients): string | null {
  return recipient?.kind === "host" && origin !== effective.agreed_origin ? recipient.host : null;
}

/** Returns sentences about the data that leaves this computer. */
export function privacyWords({ recipient, effective }: Recipients, t: Host["t"]): string[] {
  if (!recipient) return [];
  if (recipient.kind === "this_machine") return [t("vision.nothing_leaves")];
  const sent = t("vision.sent_to", { host: recipient.host });
  return effective.dialect === "gemini" ? [sent, t("vision.gemini_free")] : [sent];
}

/** Stores the user's consent to send pictures to the current recipient. */
export function agree(api: Pick<VisionApi, "setSettings">, state: VisionState): Promise<VisionState> {
  return api.setSettings({ ...state.settings, agreed_origin: state.origin });
}

/** Asks for consent if it is needed. Returns false if the user declines. */
export async function ensureConsent(api: Pick<VisionApi, "setSettings">, state: VisionState, host: Pick<Host, "t" | "confirm">): Promise<boolean> {
  if (hostWithoutConsent(state) === null) return true;
  const message = privacyWords(state, host.t).join("\n");
  if (!(await host.confirm({ title: host.t("vision.consent_title"), message, confirm: host.t("vision.send") }))) return false;
  await agree(api, state);
  return true;
}
