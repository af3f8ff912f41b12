// Light or dark colors that were chosen in the settings: pages come in them from the server; this is for styles
// that are loaded later, and for pages that are the same for everybody.

const QUERY = "prefers-color-scheme: dark";
const chosen = document.cookie.match(/\bscheme=(dark|light)\b/)[1];

function applyTo(rules) {
  for (const rule of rules) {
    if (rule.media?.mediaText.includes(QUERY)) rule.media.mediaText = chosen === "dark" ? "all" : "not all";
    else if (rule.cssRules) applyTo(rule.cssRules);
  }
}

function apply() {
  document.documentElement.style.colorScheme = chosen;
  for (const sheet of document.styleSheets) applyTo(sheet.cssRules);
  for (const one of document.querySelectorAll("meta[media][name=theme-color]")) {
    one.media = chosen === "dark" ? "all" : "not all"; // that of light colors comes after it
  }
}

apply();
addEventListener("load", apply, true); // of style sheets that come later
