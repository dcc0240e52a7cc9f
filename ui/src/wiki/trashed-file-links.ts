// Pictures and links in the text of a page in the trash: the paths of its files are broken, or lead to the files of
// another page, so the page's id is added to them.
import { trustedHtml } from "../markdown";

const ADDRESS = "/api/asset?path=";

/** The clean HTML of a block, with the addresses of files resolved for this page in the trash. */
export function withTrashedFileLinks(html: string, pageId: string): string {
  if (!html.includes(ADDRESS)) return html;
  // The contents of a template load nothing.
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
