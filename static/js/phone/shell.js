// The shell: what the worker shows where the server does not answer.

import { open, route } from "./app.js";
import { learn } from "./words.js";

learn(document);
open(document.getElementById("phone"), route(location));
import("../senses.js").catch(() => {});
