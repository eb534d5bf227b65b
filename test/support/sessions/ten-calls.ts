// Ten calls
// Seed 003's batch: 1, 4, 5, 8 and 10 read, 2, 3, 6 and 9 run a command, 7 writes; all announced before any runs.
//
//   Owns:          the messages of that batch, one after another, as its client sent them.
//   Does not own:  what becomes of the calls.

import type { Input } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";

const TOOLS = ["Read", "Bash", "Bash", "Read", "Read", "Bash", "Write", "Read", "Bash", "Read"] as const;
export const NUMBERS = TOOLS.map((_, index) => index + 1);
export const asks = (number: number): boolean => toolOf(number) !== "Read";

const toolOf = (number: number): string => TOOLS[number - 1] ?? "Read";
export const idOf = (number: number): string => `t${number}`;
const input = (number: number) => toolInput({ call: number });

/** What seed 003's approval says: the tool and its input, never the call. */
export const question = (number: number, withInput = true): Input => ({
  type: "approval.requested",
  call: { tool: toolOf(number), ...(withInput && { input: input(number) }) },
  channel: "mcp",
});

const call = (number: number) => ({ toolUseId: idOf(number), tool: toolOf(number), input: input(number) });
const started = (number: number): Input => ({ type: "tool.started", call: call(number) });
const finished = (number: number): Input => ({
  type: "tool.finished",
  call: call(number),
  output: `done ${number}`,
});
const allowed = (number: number): Input => ({
  type: "approval.answered",
  call: call(number),
  decision: "approve",
  by: "sdk",
});

/** The prompt and all ten calls. */
const announced: readonly Input[] = [
  { type: "session.started", reason: "startup" },
  { type: "prompt.submitted", promptId: "p1", text: "ten things" },
  ...NUMBERS.map((number): Input => ({ type: "tool.announced", call: call(number), messageId: "m1" })),
];

/** A call run to its end, with an approval if it needs one. */
const run = (number: number): readonly Input[] => [
  started(number),
  ...(asks(number) ? [question(number), allowed(number)] : []),
  finished(number),
];

export const tenCalls = {
  announced,
  run,
  started,
  finished,
  /** Everything up to the approval of a call, which is left open. */
  upTo: (number: number): readonly Input[] => [
    ...announced,
    ...NUMBERS.filter((each) => each < number).flatMap(run),
    started(number),
    question(number),
  ],
  /** What the client says of a call that was not allowed: its general rejection. */
  rejected: (number: number): Input => ({
    type: "tool.denied",
    call: { toolUseId: idOf(number) },
    verdict: "rejected",
    beforeRun: true,
    message: "The user doesn't want to proceed with this tool use.",
  }),
} as const;
