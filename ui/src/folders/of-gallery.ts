// A picture that was opened from a gallery in a page: what is asked for, and the way back.
import type { GalleryPlace } from "../api/gallery-address";
import type { Host } from "../api/host";
import type { Asking, Order } from "./asking";
import { askedBy, type Filter } from "./filter";
import type { Grouping } from "./order";

/** What is asked for of a folder; a gallery decides by itself what is shown, and how. */
export function askingOf(order: Order, group: Grouping, filter: Filter, gallery: GalleryPlace | null): Asking {
  if (gallery) return { sort: gallery.sort, order: gallery.order, ...askedBy(filter), kind: "picture", most: gallery.limit };
  return { sort: order.sort, order: order.order, ...(group === "none" ? {} : { group }), ...askedBy(filter) };
}

/** The page is where it was left; where the picture was opened by itself, there is none to step back to. */
export async function leaveGallery({ page }: GalleryPlace, host: Pick<Host, "navigate">): Promise<void> {
  const { index = 0 } = (history.state ?? {}) as { index?: number };
  if (index > 0) history.back();
  else await host.navigate(page, { replace: true });
}
