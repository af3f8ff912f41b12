// Loads the offline app beside a page of the server, after everything else.

const DELAY = 1000; // ms after the load event

const load = () => setTimeout(() => import("./takeover.js").then(({ init }) => init()), DELAY);

if (document.readyState === "complete") load();
else addEventListener("load", load);
