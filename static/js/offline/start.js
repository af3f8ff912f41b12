// Loads the app beside the server's other pages, after everything else; sooner behind the page of a
// game, which may have been left with unsent taps.

const DELAY = document.referrer.includes("/games/") ? 0 : 1000; // ms after the load event

const { app } = document.querySelector("script[data-app]").dataset;
const load = () => setTimeout(() => import(app), DELAY);

if (document.readyState === "complete") load();
else addEventListener("load", load);
