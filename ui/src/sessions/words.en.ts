// The words of the signed-in browsers, in English.
import type { Catalogue } from "../i18n/message";

export const words = {
  "sessions.title": "Browsers that are signed in",
  "sessions.about": "A browser stays signed in for 30 days. To sign another one in, run fumi login and open the link there.",
  "sessions.loading": "Loading the browsers that are signed in",
  "sessions.failed": "Couldn’t load the browsers that are signed in.",
  "sessions.browser_on": "{browser} ({system})",
  "sessions.unknown": "Unknown browser",
  "sessions.window": "Fumikura window",
  "sessions.this_browser": "This browser",
  "sessions.this_window": "This window",
  "sessions.began": "Signed in {time}",
  "sessions.seen": "Last used {time}",
  "sessions.ends": "Until {time}",
  "sessions.ends_with_program": "Until Fumikura is closed",
  "sessions.end": "End",
  "sessions.end_of": "Sign out {name}",
  "sessions.sign_out": "Sign out",
  "sessions.sign_out_title": "Sign out of this browser?",
  "sessions.sign_out_about": "Everything you saved is safe. To use Fumikura here again, run fumi login and open the link it prints.",
  "sessions.end_others": "End all others",
  "sessions.end_others_title": "Sign out all other browsers?",
  "sessions.end_others_about": "This browser and the windows of Fumikura stay. What is being written elsewhere can’t be saved until that browser is signed in again.",
  "sessions.ended": { one: "Signed out 1 browser", other: "Signed out {count} browsers" },
} as const satisfies Catalogue;

type Words = typeof words;
declare module "../i18n/catalogue" {
  interface Messages extends Words {}
}
