// The context menus of a page that is read: of its links, its pictures, and its text.
import Columns from "@lucide/svelte/icons/columns-2";
import Copy from "@lucide/svelte/icons/copy";
import Download from "@lucide/svelte/icons/download";
import ExternalLink from "@lucide/svelte/icons/external-link";
import FileText from "@lucide/svelte/icons/file-text";
import Files from "@lucide/svelte/icons/files";
import Link from "@lucide/svelte/icons/link";
import Maximize2 from "@lucide/svelte/icons/maximize-2";
import Pencil from "@lucide/svelte/icons/pencil";
import Printer from "@lucide/svelte/icons/printer";
import type { MenuAction } from "../../api/host";
import { assetLink } from "../../editing/files/asset-link";
import type { Translate } from "../../i18n";

/** The object of a menu. */
export type MenuObject = { kind: "link"; link: HTMLAnchorElement } | { kind: "picture"; picture: HTMLImageElement } | { kind: "text"; element: Element };

/** The abilities of the view that the menus use. */
export interface ReadingActions {
  t: Translate;
  /** Follows a link as a press does. */
  follow: (link: HTMLAnchorElement) => void;
  openTab: (address: string) => void;
  /** Opens an address in the second pane; null in a browser. */
  openBeside: ((address: string) => void) | null;
  enlarge: (picture: HTMLImageElement) => void;
  /** Opens the editor at an element; null if the page can't be edited. */
  edit: ((element: Element) => void) | null;
  copy: (text: string) => void;
  copyLink: () => void;
  copyMarkdown: () => void;
  print: () => void;
  /** Shows a file of the page in its list, or saves a copy; null if it belongs to another page. */
  file: (picture: HTMLImageElement) => { show: () => void; save: () => void } | null;
}

const KEYS = { beside: "Mod+Enter", link: "y", print: "Mod+p" } as const;

export function menuOf(object: MenuObject, actions: ReadingActions): { label: string; items: MenuAction[] } {
  const { t } = actions;
  switch (object.kind) {
    case "link":
      return { label: t("reading.menu_link"), items: [...linkItems(object.link, actions), ...editItems(object.link, actions)] };
    case "picture":
      return { label: t("reading.menu_picture"), items: [...pictureItems(object.picture, actions), ...editItems(object.picture, actions)] };
    case "text":
      return { label: t("reading.menu_text"), items: [...editItems(object.element, actions), ...pageItems(actions)] };
  }
}

function linkItems(link: HTMLAnchorElement, { t, follow, openTab, openBeside, copy }: ReadingActions): MenuAction[] {
  const { wikiPath, external } = link.dataset;
  const isOutside = external !== undefined;
  const isUnwritten = link.classList.contains("none") && link.hasAttribute("href");
  const open: MenuAction = {
    id: "link-open",
    label: t(isOutside ? "reading.menu_open_outside" : isUnwritten ? "wiki.write" : "reading.menu_open"),
    keys: "Enter",
    icon: isOutside ? ExternalLink : isUnwritten ? Pencil : FileText,
    run: () => follow(link),
  };
  const own = isOutside ? null : link.getAttribute("href");
  const elsewhere: MenuAction[] =
    own === null
      ? []
      : [
          { id: "link-tab", label: t("reading.menu_open_tab"), icon: ExternalLink, run: () => openTab(link.href) },
          ...(openBeside === null ? [] : [{ id: "link-beside", label: t("reading.menu_open_beside"), keys: KEYS.beside, icon: Columns, run: () => openBeside(link.href) }]),
        ];
  const address = isOutside ? link.href.replace(/^mailto:/, "") : decodedAddress(link);
  const copies: MenuAction[] = [
    { id: "link-copy", label: t("reading.menu_copy_address"), icon: Link, group: 1, run: () => copy(address) },
    ...(wikiPath === undefined ? [] : [{ id: "link-copy-markdown", label: t("reading.menu_copy_link"), icon: Copy, group: 1, run: () => copy(`[[${wikiPath}${decodeURIComponent(link.hash)}]]`) }]),
  ];
  return [open, ...elsewhere, ...copies];
}

/** The path of a page, or the address within the program, in readable form. */
function decodedAddress({ dataset, hash, href }: HTMLAnchorElement): string {
  if (dataset["wikiPath"] !== undefined) return dataset["wikiPath"] + decodeURIComponent(hash);
  return dataset["pageId"] === undefined ? href : `page:${dataset["pageId"]}`;
}

function pictureItems(picture: HTMLImageElement, { t, enlarge, copy, file }: ReadingActions): MenuAction[] {
  const name = new URL(picture.src, location.href).searchParams.get("file") ?? "";
  const own = file(picture);
  return [
    { id: "picture-enlarge", label: t("reading.menu_enlarge"), keys: "Enter", icon: Maximize2, run: () => enlarge(picture) },
    ...(own === null
      ? []
      : [
          { id: "picture-file", label: t("reading.menu_show_file"), icon: Files, group: 1, run: own.show },
          { id: "picture-save", label: t("reading.menu_save_copy"), icon: Download, group: 1, run: own.save },
          { id: "picture-copy", label: t("reading.menu_copy_picture"), icon: Copy, group: 1, run: () => copy(assetLink({ name, isPicture: true })) },
        ]),
  ];
}

function editItems(element: Element, { t, edit }: ReadingActions): MenuAction[] {
  return edit === null ? [] : [{ id: "edit-here", label: t("reading.menu_edit_here"), icon: Pencil, group: 2, run: () => edit(element) }];
}

function pageItems({ t, copyLink, copyMarkdown, print }: ReadingActions): MenuAction[] {
  return [
    { id: "text-copy-link", label: t("wiki.copy_link"), keys: KEYS.link, icon: Link, group: 3, run: copyLink },
    { id: "text-copy-markdown", label: t("wiki.copy_markdown"), icon: Copy, group: 3, run: copyMarkdown },
    { id: "text-print", label: t("wiki.print"), keys: KEYS.print, icon: Printer, group: 4, run: print },
  ];
}
