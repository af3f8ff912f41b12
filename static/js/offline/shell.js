// The shell: what the worker shows where the server does not answer.

import { open, route } from "./app.js";
import { learn } from "./phrases.js";

learn(document);
open(document.getElementById("phone"), route(location));
import("../table/settings.js").catch(() => {});
