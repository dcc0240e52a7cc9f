import { expect, it } from "vitest";
import { html } from "../testing";

it.each([
  ["朝いちばんの\n南禅寺", "<p>朝いちばんの南禅寺</p>"],
  ["庭は静か。\n光は低い", "<p>庭は静か。光は低い</p>"],
  ["**朝**\n庭", "<p><strong>朝</strong>庭</p>"],
  ["朝\n**庭**", "<p>朝<strong>庭</strong></p>"],
  ["朝\ngarden", "<p>朝\ngarden</p>"],
  ["the\ngarden", "<p>the\ngarden</p>"],
  ["정원\n아침", "<p>정원\n아침</p>"],
  ["𠮷\n𠮷", "<p>𠮷𠮷</p>"],
  ["朝  \n庭", "<p>朝<br>\n庭</p>"],
])("%j becomes %s", (source, expected) => {
  expect(html(source)).toBe(expected);
});
