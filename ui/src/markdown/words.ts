// The few words that a rendered page says by itself; whoever renders gives them in the person's language.

export interface PageWords {
  /** A picture from the network, which is named and not loaded. */
  remotePicture: string;
  /** The link that opens it outside; without it there is none. */
  openPicture?: string;
  /** A picture whose address means nothing here. */
  unknownPicture: string;
}
