// The texts that the renderer and the live parts insert into a page.
import type { Host } from "../api/host";
import { type CalloutKind, calloutTitle, omissionText, type Omission } from "../markdown";

export function renderedWords(t: Host["t"]) {
  return {
    remotePicture: t("wiki.picture_remote"),
    openPicture: t("reading.picture_open"),
    unknownPicture: t("wiki.picture_unknown"),
    callout: (kind: CalloutKind) => calloutTitle(t, kind),
    leftOut: (omission: Omission) => omissionText(t, omission),
  };
}

export function liveWords(t: Host["t"]) {
  return {
    diagram: t("reading.diagram"),
    diagramFailed: (reason: string) => t("reading.diagram_failed", { reason }),
    diagramTooLarge: () => t("reading.diagram_too_large"),
    mathFailed: (reason: string) => t("reading.math_failed", { reason }),
  };
}
