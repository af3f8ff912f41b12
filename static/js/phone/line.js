// The line to the server. An answer counts when the server's own mark is on it: a hotel that wants
// to be logged in to answers everything too. Whether the phone thinks it is online decides nothing.

const PATIENCE = 8000; // ms for what nobody waits for
export const MARK = "Scorekeeper";

export class NoAnswer extends Error {}

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

/** Ask for facts, or send a form: `{status, body, tag}`; without JSON the body is null. */
export async function ask(path, { fields, tag, patience } = {}) {
  const options = { cache: "no-store", headers: tag ? { "If-None-Match": tag } : {} };
  if (fields) Object.assign(options, { method: "POST", body: new URLSearchParams(fields) });
  const answer = await answered(fetch(path, options), patience);
  const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
  const body = isJson ? await whole(answer) : null;
  return { status: answer.status, body, tag: answer.headers.get("ETag") ?? "" };
}

async function whole(answer) {
  try {
    return await answer.json();
  } catch (error) {
    throw new NoAnswer(error.message); // the line broke in the middle
  }
}
