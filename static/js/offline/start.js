// Makes the phone ready to go on without the server: last of all, when the page can be used.

const REST = 1000; // ms that the line is left to the page itself

const begin = () => setTimeout(() => import("./takeover.js").then(({ hold }) => hold()), REST);

if (document.readyState === "complete") begin();
else addEventListener("load", begin);
