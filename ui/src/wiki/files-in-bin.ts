// Pictures and links in the text of a page in the bin: no path leads to its files, so they are named by their ids.
import type { Asset, AssetsApi } from "../api/backend";

const ADDRESS = "/api/asset?";

/** The clean HTML of a block of the page that stood at `path`, with the addresses of these files in it. */
export function withFilesAt(html: string, path: string, files: readonly Asset[], { contentsUrl }: Pick<AssetsApi, "contentsUrl">): string {
  if (files.length === 0 || !html.includes(ADDRESS)) return html;
  // What is in a template loads nothing.
  const template = document.createElement("template");
  template.innerHTML = html;
  for (const element of template.content.querySelectorAll("[src], [href]")) {
    for (const attribute of ["src", "href"]) {
      const file = named(element.getAttribute(attribute), path);
      const asset = file === null ? undefined : files.find(({ file_name }) => file_name === file);
      if (asset !== undefined) element.setAttribute(attribute, contentsUrl(asset.id));
    }
  }
  return template.innerHTML;
}

/** Which of the page's files an address means, by its path; null where it is none of them. */
function named(address: string | null, path: string): string | null {
  if (address?.startsWith(ADDRESS) !== true) return null;
  const query = new URLSearchParams(address.slice(ADDRESS.length));
  return query.get("path") === path ? (query.get("file")?.normalize("NFC") ?? null) : null;
}
