// Loads the app beside the server's other pages, after everything else.

const DELAY = 1000; // ms after the load event

const load = () => setTimeout(() => import(document.querySelector("meta[name=app]").content), DELAY);

if (document.readyState === "complete") load();
else addEventListener("load", load);
