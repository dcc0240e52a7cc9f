import { expect, it } from "vitest";
import { NO_WORDS } from "../../markdown/page-words";
import { renderPage } from "../../markdown/rendering/page-renderer";
import { frontMatterText } from "./front-matter";
import { splitAtTitle } from "./title-block";

it.each(["---\na: 1\nb: 2\n---\n\ntext", "---\r\na: 1\r\nb: 2\r\n---  \r\ntext"])("the metadata of %j", (source) => {
  const block = splitAtTitle(renderPage(source, "/p", NO_WORDS)).frontMatter;
  expect(block && frontMatterText(source, block)).toBe("a: 1\nb: 2");
});
