// Tells the server the time zone of this phone. On a phone of a table, loads the app beside the server's
// other pages, after everything else; sooner behind the page of a game, which may have been left with
// unsent taps.

const DELAY = document.referrer.includes("/games/") ? 0 : 1000; // ms after the load event
const YEAR = 31536000; // seconds

// Set anew with every page, as Safari keeps it for a week.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
document.cookie = `zone=${timeZone};path=/;max-age=${YEAR};samesite=lax`;

const { app } = document.querySelector("script[data-app]")?.dataset ?? {};
const load = () => app && setTimeout(() => import(app), DELAY);

if (document.readyState === "complete") load();
else addEventListener("load", load);
