import { expect, it } from "vitest";
import { readFrame } from "./first-frame";

function frame(head: string): Document {
  document.head.innerHTML = head;
  document.body.innerHTML = '<div id="wiki-root"></div>';
  return document;
}

it("reads the page named by the server's HTML", () => {
  const html = frame('<meta name="wiki-page-id" content="01ABC"><meta name="wiki-page-revision" content="12">');
  expect(readFrame(html)).toMatchObject({ pageId: "01ABC", revision: 12, answers: null });
  expect(readFrame(frame(""))).toMatchObject({ pageId: null, revision: null, answers: null });
});

it("reads the answers that the server sent along", () => {
  const json = String.raw`{"user":{"name":"\u003c/script>"},"settings":{},"page":null}`;
  const html = frame(`<script type="application/json" id="first-answers">${json}</script>`);
  expect(readFrame(html).answers).toEqual({ user: { name: "</script>" }, settings: {}, page: null });
});
