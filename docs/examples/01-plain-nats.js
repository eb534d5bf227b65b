// Plain NATS
// Sends three messages and reads what became of them, with a NATS library alone: any language has one that can.
//
//   SIGNALBOX_NATS_URL=nats://… node docs/examples/01-plain-nats.js

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect, nkeyAuthenticator } from "nats";

if (!process.env.SIGNALBOX_NATS_URL) {
  console.error("Set SIGNALBOX_NATS_URL: the line is what `npx signalbox up` printed.");
  process.exit(2);
}
const url = new URL(process.env.SIGNALBOX_NATS_URL);
const seedFile = process.env.SIGNALBOX_NATS_NKEY;
const secrets = seedFile
  ? { authenticator: nkeyAuthenticator(Buffer.from(readFileSync(seedFile, "utf8").trim())) }
  : url.password
    ? { user: url.username, pass: decodeURIComponent(url.password) }
    : url.username && { token: decodeURIComponent(url.username) };
const connection = await connect({ servers: url.host, ...secrets });

const workspace = process.env.SIGNALBOX_WORKSPACE ?? "chat";
const requestId = `plain_${Date.now()}`;
const session = `r_${requestId}`;

// A live look at the changes. To miss no change over restarts, query change.list as well.
const changes = connection.subscribe(`signalbox.v1.state.${workspace}.${session}.>`);
await connection.flush();

/** Publishes a CloudEvent; the answer says that it is in the journal, and where. */
async function publish(type, data) {
  const id = randomUUID();
  const subject = `signalbox.v1.in.${workspace}.${session}.${type}`;
  const event = { specversion: "1.0", id, source: "/plain", type, subject: `${workspace}/${session}`, data };
  // Sent again with the same id it is still taken once.
  const { seq } = await connection.jetstream().publish(subject, JSON.stringify(event));
  console.log(`${type}: in the journal`, seq > 0);
}

await publish("request.created", { requestId, prompt: "Say hello." });
await publish("request.processing", { requestId });
await publish("request.completed", { requestId, output: "Hello." });

for await (const message of changes) {
  const { entity, id, version, from, to } = message.json();
  console.log(`${version}. ${entity} ${id === requestId ? "of ours" : id}: ${from ?? "new"} → ${to}`);
  if (entity === "request" && to === "completed") break;
}

/** Asks the engine about this workspace. An error stands in the headers and in the body. */
async function query(op, question) {
  const subject = `signalbox.v1.ask.${workspace}.${op}`;
  const answer = await connection.request(subject, JSON.stringify(question), { timeout: 5_000 });
  const failed = answer.headers?.get("Nats-Service-Error-Code");
  return failed ? `${failed} ${answer.json().error.code}` : answer.json();
}

const { state, output } = await query("request.get", { id: requestId });
console.log(`it is ${state}: ${output}`);
console.log(await query("request.get", { id: "nobody" }));
await connection.close();
