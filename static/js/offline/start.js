// Loads the app beside the server's other pages, after everything else; sooner behind the page of a
// game, which may have been left with unsent taps.

const DELAY = document.referrer.includes("/games/") ? 0 : 1000; // ms after the load event

const load = () => setTimeout(() => import(document.querySelector("meta[name=app]").content), DELAY);

if (document.readyState === "complete") load();
else addEventListener("load", load);
