// Saving a copy of a file: by the window's dialog, or as the browser's download.
import type { Asset, Backend } from "../api/backend";
import type { Host } from "../api/host";

export async function saveCopy({ assets, desktop }: Pick<Backend, "assets" | "desktop">, host: Host, asset: Asset): Promise<void> {
  if (desktop === null) {
    const link = document.createElement("a");
    link.href = assets.contentsUrl(asset.id);
    link.download = asset.file_name;
    link.click();
    return;
  }
  try {
    const saved = await desktop.saveFile({ asset: asset.id });
    if (saved !== null) host.toast(host.t("assets.saved", { name: saved.name }), { tone: "good" });
  } catch (error) {
    host.toast(host.describe(error), { tone: "bad" });
  }
}
