// Approver
// Answers what a rule can answer, and leaves the rest to people.
//
//   SIGNALBOX_NATS_URL=nats://… node docs/examples/03-approver.js mail-rule example.com

import { connect } from "signalbox/client";

const url = process.env.SIGNALBOX_NATS_URL;
if (!url) {
  console.error("Set SIGNALBOX_NATS_URL: the line is what `npx signalbox up` printed.");
  process.exit(2);
}
// What the client refuses says what to do next; a stack would hide it.
process.on("uncaughtException", (error) => {
  console.error(error.next ? `${error.message}\n${error.next}` : error);
  process.exit(1);
});

// The NATS server's accounts say who may answer under which name.
const [approver = "mail-rule", domain = "example.com"] = process.argv.slice(2);
const client = await connect({
  url,
  nkey: process.env.SIGNALBOX_NATS_NKEY,
  workspace: process.env.SIGNALBOX_WORKSPACE ?? "chat",
  source: "/approver",
});

/** @returns undefined for what a person is to look at. */
function rule({ tool, input }) {
  if (tool !== "send_mail") return undefined;
  if (String(input.to).endsWith(`@${domain}`)) return { decision: "approve" };
  return { decision: "deny", message: `Mail leaves ${domain} only with a person's hand.` };
}

async function look(id) {
  // The whole input: a change carries only the hash of a long one.
  const approval = await client.query.approvals.get(id);
  if (approval?.state !== "pending") return;
  const said = rule(approval);
  if (!said) return console.log(`${approval.tool}: left to a person`);
  // The hash says which input this answer is about: were it another one by now, the answer would not count.
  const { result, state, reason } = await client.decide(approver, {
    approvalId: id,
    inputHash: approval.inputHash,
    ...said,
  });
  console.log(`${approval.tool}: ${said.decision}, ${result}, now ${state}${reason ? ` (${reason})` : ""}`);
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());

/** What waits already. */
async function catchUp() {
  for await (const { id } of client.query.approvals.list({ state: "pending" })) await look(id);
}

// The place is taken before the list is read: what is asked in between is in both, and looked at once more.
const from = await client.now();
await catchUp();
console.log("waiting for approvals");
for await (const item of client.changes({
  from,
  entity: "approval",
  state: "pending",
  signal: stop.signal,
})) {
  if (item.kind === "gap") await catchUp();
  else await look(item.change.id);
}
await client.close();
