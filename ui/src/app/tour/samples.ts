// Sample pages for trying the wiki: below one page, so that they are removed in one step.
import type { Backend } from "../../api/backend";
import { hasCode } from "../../api/errors";
import type { Locale } from "../../i18n";

export interface SamplePage {
  path: string;
  text: string;
}

const ENGLISH: readonly SamplePage[] = [
  {
    path: "/samples",
    text: `# Samples

Three pages to look around in: [Links](/samples/links), [Tasks](/samples/tasks), and [Formulas and tables](/samples/formulas).

Change them as you like. When you no longer need them, move this page to the trash with its subpages.
`,
  },
  {
    path: "/samples/links",
    text: `# Links

- [[/samples/tasks]] links to a page by its address.
- [Not written yet](/samples/a-page-to-come) leads to a page that you can begin by following the link.
- Type \`[[\` in the editor, and pages are suggested.

The panel on the right lists the pages that link here. When a page moves, the links to it follow.

#sample
`,
  },
  {
    path: "/samples/tasks",
    text: `# Tasks

- [ ] Press the box: the task is ticked in the text
- [ ] Buy film #sample
- [x] Read the [Links](/samples/links)

Tasks of all pages are listed together, by date, page or tag.
`,
  },
  {
    path: "/samples/formulas",
    text: `# Formulas and tables

| Place | Pictures | Best light |
| --- | ---: | --- |
| Kyoto | 420 | morning |
| Oslo | 96 | evening |

Formulas stand in the text, such as $a^2 + b^2 = c^2$, or alone:

$$
\\int_0^1 x^2 \\, dx = \\frac{1}{3}
$$

> [!tip]
> Type \`/\` at the beginning of a line to insert such things.
`,
  },
];

const JAPANESE: readonly SamplePage[] = [
  {
    path: "/サンプル",
    text: `# サンプル

試しに使ってみるためのページです。[リンク](/サンプル/リンク)、[タスク](/サンプル/タスク)、[数式と表](/サンプル/数式と表)があります。

自由に書き換えてかまいません。いらなくなったら、このページを下位のページごとごみ箱に移してください。
`,
  },
  {
    path: "/サンプル/リンク",
    text: `# リンク

- [[/サンプル/タスク]] のように書くと、ページへのリンクになります。
- [まだないページ](/サンプル/これから書くページ)へのリンクをたどると、そのページを書き始められます。
- エディターで \`[[\` と入力すると、ページの候補が出ます。

右のパネルには、このページへリンクしているページが並びます。ページを移動すると、リンクも書き換わります。

#サンプル
`,
  },
  {
    path: "/サンプル/タスク",
    text: `# タスク

- [ ] 四角を押すと、本文のタスクに印が付きます
- [ ] フィルムを買う #サンプル
- [x] [リンク](/サンプル/リンク)を読む

すべてのページのタスクは、期日・ページ・タグごとにまとめて見られます。
`,
  },
  {
    path: "/サンプル/数式と表",
    text: `# 数式と表

| 場所 | 枚数 | よい光 |
| --- | ---: | --- |
| 京都 | 420 | 朝 |
| オスロ | 96 | 夕方 |

数式は $a^2 + b^2 = c^2$ のように文の中にも、独立しても書けます。

$$
\\int_0^1 x^2 \\, dx = \\frac{1}{3}
$$

> [!tip]
> 行の先頭で \`/\` と入力すると、こうしたものを挿入できます。
`,
  },
];

export function samplePages(locale: Locale): readonly SamplePage[] {
  return locale === "ja" ? JAPANESE : ENGLISH;
}

/**
 * Creates the sample pages that do not exist, and returns the path of the topmost. A page that is there already is
 * left as it is.
 */
export async function addSamplePages({ pages }: Pick<Backend, "pages">, locale: Locale): Promise<string> {
  const samples = samplePages(locale);
  for (const { path, text } of samples) {
    if (await isThere(pages, path)) continue;
    const { id, lock } = await pages.create(path);
    await pages.save(id, text, { token: lock.token });
  }
  const [top] = samples;
  if (top === undefined) throw new Error("BUG: there are no sample pages");
  return top.path;
}

async function isThere(pages: Backend["pages"], path: string): Promise<boolean> {
  try {
    await pages.resolve(path);
    return true;
  } catch (error) {
    if (hasCode(error, "page_not_found")) return false;
    throw error;
  }
}
