// An offer to describe pictures that were added without an alternative text. Text that the user wrote is never
// replaced.
import type { Backend } from "../../api/backend";
import type { Host } from "../../api/host";
import { ensureConsent, failureText } from "../../vision";

export interface AltOfferParts {
  backend: Pick<Backend, "assets" | "vision">;
  host: Host;
  /** The page or draft. */
  pageId: () => string;
  /** Writes the alternative text of a picture without one; false if there is no such picture any more. */
  fill: (name: string, alt: string) => Promise<boolean>;
}

/** Offers nothing if no service can describe pictures. */
export async function offerAlt({ backend, host, ...parts }: AltOfferParts, names: readonly string[]): Promise<void> {
  const { t } = host;
  if (!(await isOffered(backend))) return;
  const count = names.length;
  const run = () => describeAll({ backend, host, ...parts }, names);
  // The descriptions are written into the text of this editor.
  host.toast(t("vision.offer", { count }), { ofView: true, action: { label: t("vision.offer_run", { count }), run } });
}

/** An OCR command does not describe pictures. */
async function isOffered({ vision }: Pick<Backend, "vision">): Promise<boolean> {
  try {
    const { configured, effective } = await vision.settings();
    return configured && effective.dialect !== "command";
  } catch {
    // The frame reports a lost connection; the picture is added without an offer.
    return false;
  }
}

async function describeAll({ backend, host, pageId, fill }: AltOfferParts, names: readonly string[]): Promise<void> {
  const { t, locale: language } = host;
  if (!(await ensureConsent(backend.vision, await backend.vision.settings(), host))) return;
  const assets = await backend.assets.list(pageId(), false);
  let written = 0;
  let changed = 0;
  const closeBusy = host.toast(t("vision.asking"), { tone: "busy", duration: null });
  try {
    for (const name of names) {
      const asset = assets.find(({ file_name, state }) => file_name === name && state === "live");
      const described = asset && (await describe(backend, host, asset.id, name, language));
      if (described === null) return;
      if (described && (await fill(name, described))) written += 1;
      else changed += 1;
    }
  } finally {
    closeBusy();
    if (written > 0) host.toast(t("vision.offer_written", { count: written }), { tone: "good" });
    if (changed > 0) host.toast(t("vision.offer_changed"), { tone: "warn" });
  }
}

/** null after a failure, which is reported. */
async function describe(backend: Pick<Backend, "vision">, host: Host, asset: string, name: string, language: string): Promise<string | null> {
  try {
    return (await backend.vision.scan({ asset }, "describe", { language })).description ?? "";
  } catch (error) {
    host.toast(host.t("vision.offer_failed", { name, reason: failureText(error, host) }), { tone: "bad" });
    return null;
  }
}
