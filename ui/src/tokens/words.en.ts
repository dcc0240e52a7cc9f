// The words of access tokens, in English.
import type { Catalogue } from "../i18n/message";

export const words = {
  "tokens.title": "Access for other programs",
  "tokens.about": "A token lets a program on this computer use Fumikura through its HTTP interface, with the rights that you choose, until it expires or you revoke it.",
  "tokens.in_window": "To create one, use Fumikura’s window, or run fumi token create.",
  "tokens.none": "No program has a token.",
  "tokens.loading": "Loading the tokens",
  "tokens.failed": "Couldn’t load the tokens.",
  "tokens.name": "Name of the program",
  "tokens.scopes": "Rights",
  "tokens.scope_read": "Read pages",
  "tokens.scope_write": "Make changes",
  "tokens.scope_pictures": "See pictures",
  "tokens.scope_hashes": "See hash records",
  "tokens.days": "Valid for",
  "tokens.days_7": "7 days",
  "tokens.days_90": "90 days",
  "tokens.days_366": "A year",
  "tokens.create": "Create token",
  "tokens.empty": "Enter a name.",
  "tokens.no_scope": "Choose at least one right.",
  "tokens.created": "The token is shown only now. Copy it into the program:",
  "tokens.copy": "Copy token",
  "tokens.copied": "Copied the token",
  "tokens.copy_failed": "Couldn’t copy the token. Select it and copy it yourself.",
  "tokens.hide": "Hide token",
  "tokens.user": "As {name}",
  "tokens.until": "Until {time}",
  "tokens.revoke": "Revoke",
  "tokens.revoke_of": "Revoke the token of {name}",
  "tokens.revoke_title": "Revoke the token of {name}?",
  "tokens.revoke_about": "The program loses its access at once. To give it access again, create another token.",
  "tokens.revoked": "Revoked the token of {name}",
} as const satisfies Catalogue;

type Words = typeof words;
declare module "../i18n/catalogue" {
  interface Messages extends Words {}
}
