// Where the page starts: the frame is mounted into the element that the server's HTML holds.
import { mount } from "svelte";
import { App } from "./app/app.svelte";
import Frame from "./app/Frame.svelte";
import { readFrame } from "./app/first-frame";
import { beginStay, whenWhole } from "./app/first-stay";
import { fetchAhead } from "./app/rooms";
import { resolveLocale, setLocale } from "./i18n";
import "./styles/index.css";

const first = readFrame(document);
setLocale(resolveLocale(first.language));
const app = new App();
const stay = beginStay(first, app.backend);
const room = fetchAhead(app.router.route.room);
app.start(first.answers);
void whenWhole(stay.page === null ? [room] : [room, stay.page.source]).then(() => mount(Frame, { target: first.root, props: { app, first: stay } }));
