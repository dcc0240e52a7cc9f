// The menu of a tag outside the view of all tags.
import Images from "@lucide/svelte/icons/images";
import Tags from "@lucide/svelte/icons/tags";
import { foundAddress } from "../../api/addresses/found-address";
import { pictureTagsAddress } from "../../api/addresses/picture-tags-address";
import type { Host } from "../../api/host";
import { t } from "../../i18n";
import { tagQuery } from "./tag-rows";

export function showTagMenu(tag: string, host: Pick<Host, "showMenu" | "navigate">, at: { x: number; y: number }): void {
  const items = [
    { id: "tag-open", label: t("tags.open"), icon: Images, run: () => void host.navigate(foundAddress(tagQuery(tag))) },
    { id: "tag-manage", label: t("tags.manage"), icon: Tags, run: () => void host.navigate(pictureTagsAddress(tag)) },
  ];
  host.showMenu(t("tags.menu", { tag }), items, at);
}
