// Panel sessions
// Two sessions with all that the panel can show: a denial with its cascade, a subagent, approvals, a failure.
//
//   Owns:          what they say.
//   Does not own:  sending it (panel).

import type { Line } from "./page.ts";

export const DENIED = "shop-4f2a91/rounding";
export const ASKING = "docs-9b11c0/links";

type Said = readonly [type: string, data: object];

const bash = (n: number, command: string, intent?: string): Said => [
  "tool.announced",
  {
    ...callOf("r1", n, "Bash", { command }),
    messageId: "m1",
    blockIndex: n,
    ...(intent !== undefined && { intent: { text: intent, source: "message", confidence: "certain" } }),
  },
];

const callOf = (requestId: string, n: number, tool: string, input: object) => ({
  requestId,
  toolUseId: `${requestId}-call-${n}`,
  tool,
  input,
});

const TESTS = callOf("r1", 1, "Bash", { command: "npm test -- cart" });
const CLEAN = callOf("r1", 2, "Bash", { command: "rm -rf node_modules/.cache" });

const denied: readonly Said[] = [
  [
    "session.started",
    {
      title: "The cart's total is off by a cent",
      cwd: "/home/you/shop",
      branch: "fix/rounding",
      model: "large",
    },
  ],
  ["request.created", { requestId: "r1", prompt: "Find out why the total is off by a cent, and mend it." }],
  ["request.processing", { requestId: "r1" }],
  bash(1, "npm test -- cart", "Run the cart's tests"),
  bash(2, "rm -rf node_modules/.cache", "Build again without the cache"),
  bash(3, "npm run build"),
  bash(4, "npm test"),
  ["tool.started", TESTS],
  ["approval.requested", { ...TESTS, approvalId: "q1", channel: "gateway" }],
  ["approval.answered", { ...TESTS, approvalId: "q1", decision: "approve", by: "ann" }],
  ["tool.finished", { ...TESTS, output: "2 failed, 14 passed", durationMs: 900 }],
  ["tool.started", CLEAN],
  ["approval.requested", { ...CLEAN, approvalId: "q2", channel: "gateway" }],
  [
    "approval.answered",
    { ...CLEAN, approvalId: "q2", decision: "deny", by: "ann", message: "Keep the cache." },
  ],
  ["request.failed", { requestId: "r1", error: "The user said no." }],
];

const TASK = callOf("r2", 1, "Task", { description: "Look for dead links", prompt: "Read every page." });
const READ = callOf("r2", 2, "Read", { file_path: "/home/you/docs/index.md" });
const FETCH = callOf("r2", 3, "WebFetch", { url: "https://example.org/guide" });
const child = { parentToolUseId: TASK.toolUseId };
const WRITE = callOf("r2", 4, "Write", {
  file_path: "/home/you/docs/index.md",
  content: "# Guide\n\nStart [here](start.md), then read\u202e the rest.\n",
});

const asking: readonly Said[] = [
  ["session.started", { title: "Mend the links of the guide", cwd: "/home/you/docs", branch: "main" }],
  ["request.created", { requestId: "r2", prompt: "Mend every dead link." }],
  ["request.processing", { requestId: "r2" }],
  ["tool.announced", { ...TASK, messageId: "m2", blockIndex: 0 }],
  ["tool.started", TASK],
  ["tool.announced", { ...READ, ...child, messageId: "m3", blockIndex: 0 }],
  ["tool.started", { ...READ, ...child }],
  ["tool.finished", { ...READ, ...child, output: "# Guide", durationMs: 12 }],
  ["tool.announced", { ...FETCH, ...child, messageId: "m3", blockIndex: 1 }],
  ["tool.started", { ...FETCH, ...child }],
  ["tool.failed", { ...FETCH, ...child, error: "404 Not Found", durationMs: 240 }],
  ["tool.announced", { ...WRITE, messageId: "m2", blockIndex: 1 }],
  ["tool.started", WRITE],
  ["approval.requested", { ...WRITE, approvalId: "q3", channel: "gateway" }],
];

/** Both sessions, and one event that is refused. */
export async function playSessions(line: Line): Promise<void> {
  await line.emit(DENIED, ...denied);
  await line.emit(ASKING, ...asking);
}

export const ODD = "shop-4f2a91/odd";

const LONG = "a-very-long-name-without-a-space-".repeat(3);

const odd: readonly Said[] = [
  ["session.started", { title: `A whole ticket, ${LONG}`, cwd: `/home/you/${LONG}`, branch: LONG }],
  ["request.created", { requestId: "r3", prompt: "Do a lot of things, ".repeat(200) }],
  ["request.processing", { requestId: "r3" }],
  ...[
    { tool: "Bash", input: { command: `echo ${"x".repeat(3_000)}`, timeout: 600_000, background: false } },
    { tool: `mcp__${LONG}`, input: { body: "Line\n".repeat(300), labels: ["a", { deep: [1, 2] }] } },
    { tool: "Edit", input: { file_path: `/home/${LONG}`, old_string: "a = 1", new_string: "a = 2\nb = 3" } },
    { tool: "Write", input: { content: "word ".repeat(30_000) } },
    { tool: "Nothing", input: {} },
    { tool: "Bash", input: { command: "npm test" } },
    { tool: "Bash", input: { command: "npm test" } },
  ].map(({ tool, input }, n): Said => [
    "approval.requested",
    { ...callOf("r3", n + 1, tool, input), approvalId: `odd-${n + 1}` },
  ]),
];

/** A session whose names, prompt and inputs are longer and stranger than any screen expects. */
export async function playOdd(line: Line): Promise<void> {
  await line.emit(ODD, ...odd);
}

/** Events of a kind that nobody knows: dead letters. */
export async function playRefused({ engine }: Line): Promise<void> {
  const refused = ["u1", "u2", "u3"].map((id) => ({
    ...{ specversion: "1.0", id, source: "test", type: "nobody.knows", subject: "w/s" },
    data: { about: id },
  }));
  await engine.send(refused);
}
