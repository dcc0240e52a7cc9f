// The few words that a rendered page says by itself; whoever renders gives them in the person's language.
import type { LeftOut } from "./bounds";

export interface PageWords {
  /** A picture from the network, which is named and not loaded. */
  remotePicture: string;
  /** The link that opens it outside; without it there is none. */
  openPicture?: string;
  /** A picture whose address means nothing here. */
  unknownPicture: string;
  /** Reports what a page holds too much of to be shown whole. */
  leftOut: (what: LeftOut) => string;
}

/** For what is rendered and not shown. */
export const NO_WORDS: PageWords = { remotePicture: "", openPicture: "", unknownPicture: "", leftOut: () => "" };
