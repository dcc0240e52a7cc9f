// The few texts in a rendered page that are not its own. The caller provides them in the user's language.
import type { CalloutKind } from "./callout-kinds";
import type { Omission } from "./rendering/bounds";

export interface PageWords {
  /** A picture from the network, which is named and not loaded. */
  remotePicture: string;
  /** The text of the link that opens the picture outside; without it there is no link. */
  openPicture?: string;
  /** A picture whose address has no meaning here. */
  unknownPicture: string;
  /** The title of a callout that has none of its own. */
  callout: (kind: CalloutKind) => string;
  /** Reports content that exceeds the limits of a page. */
  leftOut: (omission: Omission) => string;
  /** Returns the title of the page at a path; null if it is unknown. Links without a text of their own show it. */
  titleOfPage?: (path: string) => string | null;
}

/** The texts for pages that are rendered and not shown. */
export const NO_WORDS: PageWords = { remotePicture: "", openPicture: "", unknownPicture: "", callout: () => "", leftOut: () => "" };
