// The entry point: mounts the frame into the element in the server's HTML.
import { mount } from "svelte";
import { App } from "./app/app.svelte";
import Frame from "./app/Frame.svelte";
import { readFrame } from "./app/first-frame";
import { fetchInitialData, whenPainted, allSettled } from "./app/initial-data";
import { prefetch } from "./app/routes";
import { loadLocale, resolveLocale, setLocale } from "./i18n";
import "./styles/index.css";

const first = readFrame(document);
const language = resolveLocale(first.language);
await loadLocale(language);
setLocale(language);
const app = new App(undefined, first.answers?.since);
const initial = fetchInitialData(first, app.backend);
const code = prefetch(app.router.route);
const tabs = app.openTabs();
const ready = allSettled(initial.page === null ? [code, tabs] : [code, tabs, initial.page.source])
  .then(() => mount(Frame, { target: first.root, props: { app, first: initial } }))
  .then(whenPainted);
// There is a page's text to show: other requests would only delay its first paint.
if (initial.page !== null) app.gate.hold(ready);
app.start(first.answers);
