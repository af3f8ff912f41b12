// Requests for JSON, and with forms.

import { checkResponse, TIMEOUT, Unavailable } from "./network.js";

/**
 * Get JSON, or post a form if `fields` are given; return `{status, body, tag, sentence, wait}`. The
 * body is null unless it is JSON; `sentence` is the message of an error page, `wait` its Retry-After
 * in ms. Throws Unavailable.
 */
export async function request(path, { fields, tag, timeout = TIMEOUT } = {}) {
  const abort = new AbortController();
  const headers = tag ? { "If-None-Match": tag } : {};
  const options = { cache: "no-store", headers, signal: abort.signal };
  if (fields) Object.assign(options, { method: "POST", body: new URLSearchParams(fields) });
  const timer = setTimeout(() => abort.abort(), timeout); // browsers open few connections to a server
  try {
    return await readResponse(await checkResponse(fetch(path, options), timeout));
  } finally {
    clearTimeout(timer);
  }
}

async function readResponse(response) {
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  const body = isJson ? await readBody(response, "json") : null;
  const sentence = isJson || response.ok ? "" : alertText(await readBody(response, "text"));
  const wait = 1000 * response.headers.get("Retry-After") || 0;
  return { status: response.status, body, tag: response.headers.get("ETag") ?? "", sentence, wait };
}

/** Return whether a response is a temporary failure of the server. */
export const isUnavailable = ({ status }) => status === 429 || status >= 500;

function alertText(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  return page.querySelector("[role=alert]")?.textContent.trim() ?? "";
}

async function readBody(response, kind) {
  try {
    return await response[kind]();
  } catch (error) {
    throw new Unavailable(error.message); // the connection broke off
  }
}
