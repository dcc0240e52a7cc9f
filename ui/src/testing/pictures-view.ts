// The pictures view with defaults for tests.
import { render } from "@testing-library/svelte";
import type { ComponentProps } from "svelte";
import type { Backend } from "../api/backend";
import { PicturesView } from "../folders";
import { type FolderPlace, parsePicturesAddress } from "../folders/query/address";
import { Roots } from "../folders/roots/roots.svelte";
import { StubHost } from "./stub-host";

type Props = ComponentProps<typeof PicturesView>;

/** Opens it at a place, over a backend; everything else has its initial state. */
export function openPictures(props: { place: FolderPlace; backend: Backend } & Partial<Props>) {
  return render(PicturesView, {
    host: new StubHost(),
    roots: new Roots(props.backend),
    order: { sort: "name", order: "asc" },
    onorder: () => {},
    grouping: "none",
    ongrouping: () => {},
    layout: { kind: "grid", columns: ["taken", "pixels", "size", "rating"] },
    onlayout: () => {},
    targets: { recent: [], favourites: [] },
    ontargets: () => {},
    isJoined: false,
    onjoined: () => {},
    thumbnailSize: 160,
    onthumbnailsize: () => {},
    ondescribe: () => Promise.resolve(),
    ...props,
  });
}

/** The place that an address names. */
export function placeOf(address: string): FolderPlace {
  const place = parsePicturesAddress(new URL(address, "http://x"));
  if (place === null) throw new Error(`${address} is no address of pictures`);
  return place;
}
