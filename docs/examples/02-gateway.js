// Gateway
// A made-up chat bot that tells Signalbox what it does, and does nothing it was not allowed to.
//
//   SIGNALBOX_NATS_URL=nats://… node docs/examples/02-gateway.js "mail the report to bob@example.com" "what is the time?"

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

const client = await connect({
  url,
  nkey: process.env.SIGNALBOX_NATS_NKEY,
  workspace: process.env.SIGNALBOX_WORKSPACE ?? "chat",
  source: "/chat-bot",
});

const TOOLS = {
  send_mail: ({ to }) => `sent to ${to}`,
  clock: () => new Date().toISOString(),
};

/** The model's part: which tool a question needs. */
function plan(prompt) {
  const [to] = /\S+@\S+/.exec(prompt) ?? [];
  return to === undefined ? { tool: "clock", input: {} } : { tool: "send_mail", input: { to, text: prompt } };
}

/** Asks for a person's permission and waits for the answer, for ten minutes: without one the call is denied. */
async function isAllowed(request, toolUseId, { tool, input }) {
  // From here on nothing is missed, though the question is asked before anybody listens.
  const from = await client.now();
  const approvalId = `${toolUseId}_ok`;
  // It is withdrawn if we stop asking for its answer: nobody approves for a bot that is gone.
  const wait = { deadlineAt: Date.now() + 600_000, onDeadline: "deny", channel: "gate-service" };
  await request.publish("approval.requested", { toolUseId, tool, input, approvalId, ...wait });
  const asked = { session: request.session, requestId: request.id, toolUseId, tool, input };
  const read = () => client.query.approvals.answer(approvalId, asked);
  const waiting = setInterval(() => read().catch(() => {}), 5_000);
  try {
    const about = { session: request.session, entity: "approval", id: approvalId };
    for await (const item of client.changes({ from, ...about })) {
      // After a gap the answer may be among what was missed.
      if (item.kind === "change" && item.change.to === "pending") continue;
      // Only a decision given to the engine counts; what somebody else reports of one carries none.
      const answer = await read();
      if (answer?.state !== "pending") return answer?.decision === "allow";
    }
    return false;
  } finally {
    clearInterval(waiting);
  }
}

async function answer(id, prompt) {
  const request = client.request(id);
  const call = plan(prompt);
  const toolUseId = `${request.id}_tool`;
  await request.publish("request.created", { prompt, chatId: "demo" });
  await request.publish("request.processing", {});
  await request.publish("tool.announced", { toolUseId, ...call });
  const allowed = call.tool === "clock" || (await isAllowed(request, toolUseId, call));
  let output = "I was not allowed to do that.";
  if (allowed) {
    await request.publish("tool.started", { toolUseId, ...call });
    output = TOOLS[call.tool](call.input);
    await request.publish("tool.finished", { toolUseId, ...call, output });
  }
  await request.publish("request.completed", { output });
}

/** Prints what becomes of them, until all are over. */
async function follow(from, ids) {
  const open = new Set(ids);
  for await (const item of client.changes({ from })) {
    if (item.kind === "gap") continue;
    const { entity, id, to, view } = item.change;
    if (entity === "toolcall" && ids.includes(view.requestId)) console.log(`${view.tool}: ${to}`);
    if (entity !== "request" || !ids.includes(id)) continue;
    console.log(`${view.prompt}: ${to}`);
    if (["completed", "failed", "timeout"].includes(to)) open.delete(id);
    if (open.size === 0) return;
  }
}

const [, , ...said] = process.argv;
const asked = said.length > 0 ? said : ["what is the time?"];
const prompts = new Map(asked.map((prompt, n) => [`chat_${Date.now()}_${n}`, prompt]));
const following = follow(await client.now(), [...prompts.keys()]);
await Promise.all([following, ...[...prompts].map(([id, prompt]) => answer(id, prompt))]);
await client.close();
