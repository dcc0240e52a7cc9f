// What is said about a template after it was used.
import type { Host } from "../api/host";
import type { Beginning, FilledText } from "../templates";

/** Names the placeholders that stay in the text. */
export function reportPlaceholders({ unknown }: Pick<FilledText, "unknown">, host: Host): void {
  if (unknown.length > 0) host.toast(host.t("editor.template_unknown", { names: unknown.join(" ") }), { tone: "warn" });
}

/** A page that begins without its template is said to do so. */
export function reportBeginning({ problem, unknown }: Beginning, host: Host): void {
  reportPlaceholders({ unknown }, host);
  if (problem === null) return;
  const { template, error } = problem;
  host.toast(host.t("editor.template_failed", { path: template, reason: host.describe(error) }), { tone: "warn" });
}
