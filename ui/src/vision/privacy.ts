// What leaves this computer, to whom, and whether the person has agreed to it.
import type { Host } from "../api/host";
import type { VisionApi, VisionState } from "../api/vision";

type Recipients = Pick<VisionState, "recipient" | "effective">;

/** The host that the person has not agreed to yet; null if nothing needs to be asked. */
export function unagreedHost({ recipient, effective }: Recipients): string | null {
  return recipient?.kind === "host" && recipient.host !== effective.agreed_host ? recipient.host : null;
}

/** In sentences. */
export function privacyWords({ recipient, effective }: Recipients, t: Host["t"]): string[] {
  if (!recipient) return [];
  if (recipient.kind === "this_machine") return [t("vision.nothing_leaves")];
  const sent = t("vision.sent_to", { host: recipient.host });
  return effective.dialect === "gemini" ? [sent, t("vision.gemini_free")] : [sent];
}

/** The person agrees that pictures are sent to the present recipient. */
export function agree(api: Pick<VisionApi, "setSettings">, state: VisionState): Promise<VisionState> {
  return api.setSettings({ ...state.settings, agreed_host: unagreedHost(state) });
}

/** Asks the person if need be; false if they don't want it. */
export async function mayAsk(api: Pick<VisionApi, "setSettings">, state: VisionState, host: Pick<Host, "t" | "confirm">): Promise<boolean> {
  if (unagreedHost(state) === null) return true;
  const message = privacyWords(state, host.t).join("\n");
  if (!(await host.confirm({ title: host.t("vision.consent_title"), message, confirm: host.t("vision.send") }))) return false;
  await agree(api, state);
  return true;
}
