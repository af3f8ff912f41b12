// Answers questions under Node.js: each line of the input is one as JSON, each of the output an answer.

import "./dom.js";

import { createInterface } from "node:readline";

import * as answers from "./answer.js";
import * as badLine from "./bad-line.js";
import * as meeting from "./meeting.js";
import * as streaming from "./streaming.js";

const functions = { ...answers, ...badLine, ...meeting, ...streaming };

async function answered(line) {
  const [name, questions] = JSON.parse(line);
  try {
    const answers = [];
    for (const question of questions) answers.push(await functions[name](question));
    return { answers };
  } catch (error) {
    return { error: error.stack };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answered(line), answers.plain));
}
