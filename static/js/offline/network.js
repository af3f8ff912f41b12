// The line to the server. An answer counts when the server's own mark is on it: a hotel that wants
// to be logged in to answers everything too. Whether the phone thinks it is online decides nothing.

const PATIENCE = 8000; // ms for what nobody waits for
export const MARK = "Scorekeeper";

/** None came; or the server says, in a `sentence`, why it takes nothing for `wait` ms. */
export class NoAnswer extends Error {
  constructor(why, { sentence = "", wait = 0 } = {}) {
    super(why);
    Object.assign(this, { sentence, wait });
  }
}

/** The answer to a request, if it is one of the server and comes in time; else NoAnswer. */
export async function answered(request, patience = PATIENCE) {
  let bell;
  const late = new Promise((_, reject) => {
    bell = setTimeout(() => reject(new NoAnswer("late")), patience);
  });
  const answer = await Promise.race([request, late])
    .catch((error) => {
      throw new NoAnswer(error.message);
    })
    .finally(() => clearTimeout(bell));
  if (!answer.headers.has(MARK)) throw new NoAnswer("not ours");
  return answer;
}

/**
 * Ask for facts, or send a form: `{status, body, tag, sentence, wait}`. Without JSON the body is
 * null; an error page has a sentence, and perhaps for how many ms it holds.
 */
export async function ask(path, { fields, tag, patience } = {}) {
  const options = { cache: "no-store", headers: tag ? { "If-None-Match": tag } : {} };
  if (fields) Object.assign(options, { method: "POST", body: new URLSearchParams(fields) });
  const answer = await answered(fetch(path, options), patience);
  const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
  const body = isJson ? await whole(answer, "json") : null;
  const sentence = isJson || answer.ok ? "" : alertOn(await whole(answer, "text"));
  const wait = 1000 * answer.headers.get("Retry-After") || 0;
  return { status: answer.status, body, tag: answer.headers.get("ETag") ?? "", sentence, wait };
}

/** Whether an answer says nothing of what was asked, as the server has its own troubles just now. */
export const isTrouble = ({ status }) => status === 429 || status >= 500;

function alertOn(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  return page.querySelector("[role=alert]")?.textContent.trim() ?? "";
}

async function whole(answer, kind) {
  try {
    return await answer[kind]();
  } catch (error) {
    throw new NoAnswer(error.message); // the line broke in the middle
  }
}
