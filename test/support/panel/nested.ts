// Panel: nested
// A session whose agent started a subagent, which started another; the last one asks for approval.
//
//   Owns:          what they say.
//   Does not own:  sending it (panel).

import type { Line } from "./page.ts";

export const NESTED = "shop-4f2a91/review";

type Said = readonly [type: string, data: object];
interface Who {
  readonly agentId?: string;
  readonly parentToolUseId?: string;
}

const MAIN: Who = {};
/** Known by its id and by the call it runs under. */
const REVIEWER: Who = { agentId: "reviewer", parentToolUseId: "review" };
/** Known by the call it runs under alone. */
const TESTER: Who = { parentToolUseId: "try" };

const call = (who: Who, toolUseId: string, tool: string, input: object) => ({
  ...who,
  requestId: "r1",
  toolUseId,
  tool,
  input,
});

const REVIEW = call(MAIN, "review", "Task", { description: "Review the change", prompt: "Read all of it." });
const NOTES = call(MAIN, "notes", "Write", { file_path: "/home/you/shop/NOTES.md", content: "to do" });
const READ = call(REVIEWER, "read", "Read", { file_path: "/home/you/shop/src/cart.ts" });
const TRY = call(REVIEWER, "try", "Task", { description: "Try it with an empty cart" });
const SUM = call(REVIEWER, "sum", "Write", { file_path: "/home/you/shop/REVIEW.md", content: "fine" });
const LOOK = call(TESTER, "look", "Grep", { pattern: "emptyCart" });
const RUN = call(TESTER, "run", "Bash", { command: "npm test -- empty-cart" });
const CLEAN = call(TESTER, "clean", "Bash", { command: "rm -rf coverage" });

const announced = (of: object, messageId: string): Said => ["tool.announced", { ...of, messageId }];

const events: readonly Said[] = [
  ["session.started", { title: "Review the change of the cart", cwd: "/home/you/shop", branch: "cart" }],
  ["request.created", { requestId: "r1", prompt: "Review the change, and write down what is missing." }],
  ["request.processing", { requestId: "r1" }],
  announced(REVIEW, "m1"),
  announced(NOTES, "m1"),
  ["tool.started", REVIEW],
  announced(READ, "m2"),
  ["tool.started", READ],
  ["tool.finished", { ...READ, output: "export …", durationMs: 9 }],
  announced(TRY, "m3"),
  announced(SUM, "m3"),
  ["tool.started", TRY],
  announced(LOOK, "m4"),
  announced(RUN, "m4"),
  announced(CLEAN, "m4"),
  ["tool.started", LOOK],
  ["tool.finished", { ...LOOK, output: "2 places", durationMs: 31 }],
  ["tool.started", RUN],
  ["approval.requested", { ...RUN, approvalId: "q-run", channel: "gateway" }],
];

export async function playNested(line: Line): Promise<void> {
  await line.emit(NESTED, ...events);
}
