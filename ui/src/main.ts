// The entry point: mounts the frame into the element in the server's HTML.
import { mount } from "svelte";
import { App } from "./app/app.svelte";
import Frame from "./app/Frame.svelte";
import { readFrame } from "./app/first-frame";
import { beginStay, whenPainted, whenWhole } from "./app/first-stay";
import { fetchAhead } from "./app/rooms";
import { resolveLocale, setLocale } from "./i18n";
import "./styles/index.css";

const first = readFrame(document);
setLocale(resolveLocale(first.language));
const app = new App(undefined, first.answers?.since);
const stay = beginStay(first, app.backend);
const room = fetchAhead(app.router.route.room);
const shown = whenWhole(stay.page === null ? [room] : [room, stay.page.source])
  .then(() => mount(Frame, { target: first.root, props: { app, first: stay } }))
  .then(whenPainted);
// There is a page's text to show: other requests would only delay its first paint.
if (stay.page !== null) app.gate.hold(shown);
app.start(first.answers);
