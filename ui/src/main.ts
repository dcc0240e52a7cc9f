// Where the page starts: the frame is mounted into the element that the server's HTML holds.
import { mount } from "svelte";
import { App } from "./app/app.svelte";
import Frame from "./app/Frame.svelte";
import { readFrame } from "./app/first-frame";
import { fetchAhead } from "./app/rooms";
import { resolveLocale, setLocale } from "./i18n";
import "./styles/index.css";

const first = readFrame(document);
setLocale(resolveLocale(first.language));
const app = new App();
// While the first questions are on their way to the server.
fetchAhead(app.router.route.room);
app.start();
mount(Frame, { target: first.root, props: { app, first } });
