// Entry point of the app shell, which the service worker shows where the server does not answer.

import { mount, route } from "./app.js";
import { loadPhrases } from "./phrases.js";

loadPhrases(document);
mount(document.getElementById("phone"), route(location));
import("../table/settings.js").catch(() => {});
