// The type of a message: a string with `{name}` placeholders, or one such string for each plural form.

export type PluralMessage = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
export type Message = string | PluralMessage;
export type Catalogue = Readonly<Record<string, Message>>;

/** A catalogue with exactly the keys of `Source`, in another language. */
export type CatalogueLike<Source> = Readonly<Record<keyof Source, Message>>;

type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;

/** The names of a message's placeholders. A plural message always has `count`. */
export type PlaceholdersOf<M> = M extends string
  ? Placeholders<M>
  : M extends Record<string, string>
    ? "count" | Placeholders<M[keyof M]>
    : never;

export type Values<Names extends string> = Readonly<Record<Names, string | number>>;
