import { expect, it } from "vitest";
import { dom, html } from "../testing";

it.each([
  ["$a^2$", '<span class="math">a^2</span>'],
  ["面積は$\\pi r^2$です", '<span class="math">\\pi r^2</span>'],
  ["$a \\$ b$", '<span class="math">a \\$ b</span>'],
  ["$a_1*b*c$", '<span class="math">a_1*b*c</span>'],
  ["$x<y$", '<span class="math">x&lt;y</span>'],
  ["so $$E=mc^2$$ it is", '<span class="math math-display">E=mc^2</span>'],
  ["$$\na\n\nb\n$$", '<div class="math math-display">a\n\nb</div>'],
  ["$$ a $$", '<div class="math math-display">a</div>'],
  ["> $$\n> a\n> $$", '<div class="math math-display">a</div>'],
  ["$2 if you can solve $y = x^2$", '$2 if you can solve <span class="math">y = x^2</span>'],
  ["$5 と $6 で $z$", '$5 と $6 で <span class="math">z</span>'],
  ["text\n$$\na\n$$", '<div class="math math-display">a</div>'],
])("%j is a formula", (source, part) => {
  expect(html(source)).toContain(part);
});

it.each([
  "It costs $5, or $6 with milk",
  "US$5 and US$6",
  "$5-$6",
  "($5)($6)",
  "from $5 to 6$7",
  "$HOME:$PATH",
  "\\$a$",
  "`$a$`",
  "$ a$",
  "$a $",
  "$$",
  "$$$$",
  "$$\nnever closed",
  "100円と$200と$300",
  "```\n$a$\n```",
])("%j is none", (source) => {
  expect(dom(source).querySelector(".math")).toBeNull();
});

it("a heading is named by its formula", () => {
  expect(dom("# The $x^2$ of it").querySelector("h1")?.id).toBe("user-content-the-x-2-of-it");
});
