// OpenAPI routes
// Every route of the engine: its purpose, its parameters, its answers.
//
//   Owns:          one entry per route, as OpenAPI describes it.
//   Does not own:  parameters (openapi-parameters), the schemas that are referred to (openapi, answers).

import { QUERY_ROUTES } from "../../../adapters/http/reading.ts";
import { VIAS } from "../../../runtime/door/gate-terms.ts";
import { SAID } from "../../../runtime/reading/asker.ts";
import { isOp, QUERIES } from "../../../runtime/reading/query-table.ts";
import { ACCESS_ROUTES, type Route } from "./openapi-access.ts";
import { COUNT, inHeader, query, STATES_OF, text } from "./openapi-parameters.ts";
import { json, ok, plain, ref } from "./openapi-parts.ts";

const KEY = inHeader("Idempotency-Key", "1 to 256 printable characters; the same key has the same answer.");
const HOME = inHeader("Signalbox-Workspace", "The session's workspace. Default: made of its folder.");
const DROPPED = { "Signalbox-Dropped": { description: "Why it may not have been kept.", schema: text } };
const HEADERS = {
  "Signalbox-Change": { description: "Follow after this change: the answer has none later.", schema: text },
};
const VERSION = {
  "Signalbox-Version": { description: "The version of the session that is shown at least.", schema: text },
};

const onRule = (summary: string, answered: string): Route => ({
  summary,
  parameters: [query("workspace"), KEY],
  answers: { "200": ok("Ruled", answered) },
});
const hook = (what: string, answered = "It is kept, or was dropped."): Route => ({
  summary: `Takes ${what}. It is answered within two seconds, whatever the engine's trouble.`,
  parameters: [HOME],
  body: { type: "object" },
  answers: { "200": { ...ok("Nothing", answered), headers: DROPPED } },
});

const taken = {
  "200": { description: "Applied; of a list, what became of each.", content: json(ref("TakenOrList")) },
  "202": ok("Taken", "Held back for an earlier message of its source."),
  "207": ok("TakenList", "Of a list, some were refused."),
  "409": { description: "It was recorded, and changed nothing.", content: json(ref("TakenError")) },
};
const REUSED = {
  description: "The id was used for another call; `differs` names what differs.",
  content: json(ref("Error")),
};
const SAID_AS: Readonly<Record<(typeof SAID)[number], string>> = {
  session:
    "The session it was asked in. A service says what it asked; a gate, whose ids are random, need not.",
  run: "The request that was named.",
  agent: "The subagent that was named.",
  call: "The id of the call that was named.",
  tool: "The tool.",
  inputHash: "The SHA-256 of the input's canonical JSON text.",
};
const OTHERS: Readonly<Record<string, Route>> = {
  ...ACCESS_ROUTES,
  "GET /livez": {
    summary: "Tells that the process lives.",
    isOpen: true,
    answers: { "200": ok("Live", "It lives.") },
  },
  "GET /readyz": {
    summary: "Tells whether messages are taken in, and what does not work.",
    isOpen: true,
    answers: { "200": ok("Ready", "They are."), "503": ok("Ready", "They are not.") },
  },
  "GET /metrics": { summary: "Tells the engine's numbers.", answers: { "200": plain("For Prometheus.") } },
  "GET /app/:name": {
    summary: "A file of the panel.",
    answers: {
      "200": {
        description: "The file.",
        content: { "text/javascript": {}, "text/css": {}, "image/*": {}, "application/manifest+json": {} },
      },
    },
  },
  "POST /v1/events": {
    summary: "Takes one event, or a list of at most 1,000.",
    parameters: [KEY],
    body: ref("Events"),
    answers: taken,
  },
  "POST /v1/sample": {
    summary: "Plays a sample session of ten calls, of which some wait for an answer.",
    answers: { "202": ok("Nothing", "It begins, in the workspace `sample`.") },
  },
  "POST /v1/hooks/claude-code": hook("a hook of Claude Code", "No decision: it goes on by its own rules."),
  "POST /v1/hooks/acp": hook("a note of the ACP proxy"),
  "POST /v1/hooks/codex": hook("a note of the Codex proxy"),
  "POST /v1/hooks/codex-cli": hook("a hook of Codex"),
  "POST /v1/hooks/copilot-cli": hook("a hook of Copilot CLI"),
  "POST /v1/hooks/opencode-cli": hook("a hook of OpenCode"),
  "POST /v1/logs": {
    summary:
      "Takes the client's own telemetry: logs of OpenTelemetry as JSON. Events that mean nothing here are counted.",
    body: { type: "object" },
    answers: { "200": ok("LogsTaken", "Taken; what was not is told.") },
  },
  "POST /v1/approvals/:id/decision": {
    summary: "Approves or denies. To approve, say the hash of the input that was shown.",
    parameters: [query("workspace"), KEY],
    body: ref("Decision"),
    answers: {
      "200": ok("Decided", "It counts."),
      "409": { description: "It does not count.", content: json(ref("DecidedError")) },
    },
  },
  "POST /v1/approvals/:id/assignment": {
    summary:
      "Assigns a pending approval to a person; `to: null` takes that back. It changes nothing about who may answer.",
    parameters: [query("workspace"), KEY],
    body: ref("Assignment"),
    answers: {
      "200": ok("Decided", "It is assigned."),
      "409": { description: "The approval has ended.", content: json(ref("DecidedError")) },
    },
  },
  "GET /v1/approvals/:id/answer": {
    summary: "Waits for the answer to an approval. Whoever waits obeys `decision`, and nothing else.",
    parameters: [
      query("workspace"),
      query("wait", { ...text, description: "How long, ms; at most 25,000. Default: not at all." }),
      ...SAID.map((name) => query(name, { ...text, description: SAID_AS[name] })),
    ],
    answers: { "200": ok("Gated", "As it stands: the answer, or still pending."), "409": REUSED },
  },
  "DELETE /v1/approvals/:id/answer": {
    summary:
      "Says that nobody waits for the answer any more: an approval that is pending is withdrawn; or expired, where whoever waited answered by itself.",
    parameters: [
      query("workspace"),
      query("said", { enum: ["ask", "deny"], description: "What whoever waited answered by itself." }),
      query("ago", { ...text, description: "How long ago that was, ms; at most a day. Default: now." }),
    ],
    answers: { "200": ok("Gated", "As it stood; with `said`, as it stands.") },
  },
  "POST /v1/approvals/:id/taken": {
    summary: "Says that whoever waited has the answer, and passed it on. Said again, it changes nothing.",
    parameters: [query("workspace")],
    answers: { "200": ok("Gated", "As it stands.") },
  },
  "POST /v1/gate": {
    summary: "Takes a hook that waits for its answer. Under the same id it is the same approval.",
    parameters: [
      query("approval", { ...text, description: "The approval's id, made by whoever asks." }),
      query("wait", { ...text, description: "How long whoever asks waits, ms; at most a day." }),
      query("closed", { enum: ["ask", "deny"], description: "What an unanswered approval means." }),
      query("client", { ...text, description: "Whose hook it is. Default: the first client of the list." }),
      query("via", { enum: VIAS, description: "By which other door of the client, where it is not a hook." }),
      query("session", {
        ...text,
        description: "The session, where the hook names none, and the call is new.",
      }),
      query("call", { ...text, description: "The client's id of the call, to find its session by." }),
      inHeader("Signalbox-Workspace", "The workspace of the session. Default: made of the session's folder."),
    ],
    body: { type: "object" },
    answers: { "200": ok("Gated", "It waits, once that is durable."), "409": REUSED },
  },
  "POST /v1/approvals": {
    summary: "Asks whether a service's own call may be made. Under the same id it is the same approval.",
    parameters: [inHeader("Signalbox-Workspace", "The workspace, where the body names none.")],
    body: ref("ServiceCall"),
    answers: { "200": ok("Asked", "It waits, once that is durable."), "409": REUSED },
  },
  "POST /v1/dead-letters/:n/retry": {
    summary: "Takes in again what was not applied.",
    parameters: [KEY],
    answers: {
      ...taken,
      "200": { description: "As of an event; {} where it meant nothing.", content: json({}) },
    },
  },
  "POST /v1/dead-letters/dismissal": {
    summary: "Dismisses dead letters for everybody, or takes that back.",
    parameters: [KEY],
    body: ref("Dismissal"),
    answers: { "200": ok("Dismissing", "The entry that did it.") },
  },
  "POST /v1/approvals/:id/looking": {
    summary: "Says that the caller looks at an approval now, for 45 seconds. Nothing is kept.",
    parameters: [query("workspace")],
    answers: { "200": { description: "It is taken.", content: json({}) } },
  },
  "DELETE /v1/approvals/:id/looking": {
    summary: "Says that the caller no longer looks at an approval.",
    parameters: [query("workspace")],
    answers: { "200": { description: "It is taken.", content: json({}) } },
  },
  "GET /v1/stream": {
    summary: "Follows changes as they come, as server-sent events: `ready`, `change`, `resync`, `looking`.",
    parameters: [
      ...["workspace", "session", "entity", "after", "behindMax", "looking"].map((name) => query(name)),
      inHeader("Last-Event-ID", "As `after`; it goes before it."),
    ],
    answers: { "200": plain("The data of each `change` is a Change.", "text/event-stream") },
  },
  "GET /v1/agents": { summary: "Tells what runs unasked.", answers: { "200": ok("Agents", "By agent.") } },
  "GET /v1/machines": {
    summary: "Shows the machines, each as its definition and as a diagram.",
    answers: { "200": ok("Machines", "By name.") },
  },
  "GET /v1/stats/series": {
    summary: "Shows the last minutes, hours or day in intervals.",
    parameters: [query("span")],
    answers: { "200": ok("Series", "What happened in each interval.") },
  },
  "GET /v1/audit/heads": {
    summary: "Shows the newest checkpoint of the audit log, signed.",
    answers: { "200": ok("AuditHeads", "One for each engine that keeps such a log.") },
  },
  "GET /v1/sessions/:id/conversation": {
    summary: "Shows what was said around a session's calls, where its transcript is known and may be read.",
    parameters: [query("workspace"), query("limit", { ...COUNT, maximum: 500 }), query("cursor")],
    answers: { "200": ok("Conversation", "Newest first; not known where no transcript may be read.") },
  },
  "GET /v1/approvals/:id/denial": {
    summary: "Tells what a denial would change. Nothing is changed.",
    parameters: [query("interrupt"), query("workspace")],
    answers: { "200": ok("Denial", "In the order in which it would happen.") },
  },
  "GET /v1/approvals/:id/precedents": {
    summary: "Tells how people answered the same call before, among the newest answers. Nothing is changed.",
    parameters: [query("workspace")],
    answers: { "200": ok("Precedents", "Counted among the approvals that were looked at.") },
  },
  "GET /v1/approvals/:id/lines": {
    summary: "Shows the lines of the file around an edit that waits, as the file is now.",
    parameters: [query("workspace")],
    answers: { "200": ok("LinesAround", "Not known where the file may not be read, or lacks the text.") },
  },
  "POST /v1/handover": {
    summary: "Gives the journal to a spare; this engine then stands by, or ends.",
    parameters: [query("upgrade")],
    answers: { "202": ok("HandedOver", "The spares, one of which takes over, and what this engine does.") },
  },
  "GET /v1/sweep": {
    summary: "Counts what is old enough to be removed.",
    answers: { "200": ok("Due", "By kind.") },
  },
  "POST /v1/sweep": {
    summary: "Removes a piece of what is old enough.",
    answers: { "200": ok("Swept", "What was removed, and whether there is more.") },
  },
  "POST /v1/sessions/:id/forget": {
    summary: "Removes a piece of what is kept of a session that has ended, or counts it.",
    body: ref("Forgetting"),
    answers: { "200": ok("Forgotten", "What went, and until when logs may tell of it.") },
  },
  "POST /v1/rules": {
    summary: "Makes a rule: it answers approvals from now on.",
    parameters: [KEY],
    body: ref("Rule"),
    answers: { "200": ok("Ruled", "It is in force.") },
  },
  "POST /v1/rules/file": {
    summary: "Puts a file of rules in force, or tells what that would change.",
    parameters: [KEY],
    body: ref("RuleFile"),
    answers: { "200": ok("Filed", "What is new, gone, as before, and over.") },
  },
  "POST /v1/rules/test": {
    summary:
      "Replays past approvals and calls against rules. Nothing is changed. Whoever accepts text/event-stream is told how far it is.",
    body: ref("RuleTrial"),
    answers: { "200": ok("Tried", "What they would have answered, and where people answered otherwise.") },
  },
  "POST /v1/rules/:id/enforce": onRule("Makes a dry rule answer from now on.", "It is in force."),
  "DELETE /v1/rules/:id": onRule("Removes a rule. What it answered stays.", "As it ended."),
  "GET /v1/inspect": {
    summary: "Tells the address of a WebSocket for Stately's inspector.",
    answers: { "200": ok("Inspect", "It holds a ticket that lets one look, and change nothing.") },
  },
};

const asked: Readonly<Record<string, Route>> = Object.fromEntries(
  Object.keys(QUERY_ROUTES)
    .filter(isOp)
    .flatMap((op) => {
      const [path, id] = QUERY_ROUTES[op] ?? [];
      if (path === undefined) return [];
      const names = QUERIES[op].parameters.filter((name) => name !== id);
      const states = { enum: STATES_OF[op], description: "Only those in this state." };
      const content = json(ref(op));
      const headers = { ...HEADERS, ...("session" in QUERIES[op] && VERSION) };
      const route = {
        summary: `The query ${op}.`,
        parameters: names.map((name) => query(name, name === "state" ? states : undefined)),
        answers: { "200": { description: "What was asked for.", headers, content } },
      };
      return [[`GET ${path}`, route]];
    }),
);

/** By method and path. */
export const ROUTES: Readonly<Record<string, Route>> = { ...OTHERS, ...asked };
