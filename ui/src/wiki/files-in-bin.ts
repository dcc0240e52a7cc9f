// Pictures and links in the text of a page in the bin: the paths of its files lead nowhere any more, or to the files of
// another page, so that the page is named with them.
import { trustedHtml } from "../markdown";

const ADDRESS = "/api/asset?path=";

/** The clean HTML of a block, with the addresses of files as the text of this page in the bin means them. */
export function withFilesInBin(html: string, pageId: string): string {
  if (!html.includes(ADDRESS)) return html;
  // What is in a template loads nothing.
  const template = document.createElement("template");
  template.innerHTML = trustedHtml(html);
  for (const element of template.content.querySelectorAll("[src], [href]")) {
    for (const attribute of ["src", "href"]) {
      const address = element.getAttribute(attribute);
      if (address?.startsWith(ADDRESS) === true) element.setAttribute(attribute, `${address}&in_bin=${encodeURIComponent(pageId)}`);
    }
  }
  return template.innerHTML;
}
