// Pages where players are renamed.

import { selectNames } from "../game/name-fields.js";

selectNames(document);
