// An ESLint rule: a test's title has at most eight words.

const MAX_WORDS = 8;

/** @typedef {import("estree").Node} Node */

/** @type {import("eslint").Rule.RuleModule} */
export const testTitle = {
  meta: {
    type: "suggestion",
    schema: [],
    messages: { long: "This title has {{count}} words, more than {{max}}: state the behaviour in fewer." },
  },
  create: (context) => ({
    CallExpression(node) {
      const [title, ...others] = node.arguments;
      if (title === undefined || others.length === 0 || !["it", "test"].includes(calledName(node.callee))) return;
      const count = wordsOf(title);
      if (count > MAX_WORDS) context.report({ node: title, messageId: "long", data: { count: String(count), max: String(MAX_WORDS) } });
    },
  }),
};

/**
 * The name at the beginning of the callee: `it`, also of `it.each(rows)(…)` and of an `it.each` with a template of rows.
 *
 * @param {Node} callee
 * @returns {string}
 */
function calledName(callee) {
  switch (callee.type) {
    case "Identifier":
      return callee.name;
    case "MemberExpression":
      return calledName(callee.object);
    case "CallExpression":
      return calledName(callee.callee);
    case "TaggedTemplateExpression":
      return calledName(callee.tag);
    default:
      return "";
  }
}

/**
 * The number of words of a literal title; an inserted value belongs to one.
 *
 * @param {Node} title
 */
function wordsOf(title) {
  if (title.type === "Literal" && typeof title.value === "string") return countWords(title.value);
  if (title.type === "TemplateLiteral") return countWords(title.quasis.map(({ value }) => value.raw).join("x"));
  return 0;
}

/** @param {string} text */
const countWords = (text) => text.split(/\s+/).filter((word) => word !== "").length;
