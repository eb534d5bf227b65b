// Time
// Bugs in deadlines and clocks.

import type { Bug } from "../bug.ts";

export const TIME: readonly Bug[] = [
  {
    name: "a firing of an older generation counts",
    harm: "A deadline that was put off fires at its old time.",
    edits: [
      {
        file: "runtime/rows/alarms.ts",
        find: "!alarm?.set || alarm.generation !== generation",
        put: "!alarm?.set || generation < 0",
      },
    ],
    witness: { file: "test/runtime/engine/timers.test.ts", claim: "I-34" },
  },
  {
    name: "a deadline set anew keeps its generation",
    harm: "The firing that was under way for the old time counts for the new one.",
    edits: [
      {
        file: "runtime/rows/alarms.ts",
        find: "(before?.generation ?? 0) + 1",
        put: "before?.generation ?? 1",
      },
    ],
    witness: { file: "test/runtime/engine/timers.test.ts", claim: "I-34" },
  },
  {
    name: "a cancelled deadline still fires",
    harm: "A question that was answered expires.",
    edits: [
      {
        file: "runtime/rows/alarms.ts",
        find: "  if (wanted === undefined) {\n    if (before?.set) layer.set(key, { ...before, set: false } satisfies Alarm);\n    return;\n  }",
        put: "  if (wanted === undefined) {\n    if (before?.set) layer.set(keys.timer(before.at, address, timer), { address, timer, ...before });\n    return;\n  }",
      },
    ],
    witness: { file: "test/runtime/engine/timers.test.ts", claim: "I-34" },
  },
  {
    name: "a turn reads the clock of its machine",
    harm: "The same journal gives other states at another time.",
    edits: [
      {
        file: "runtime/turn/input-attempts.ts",
        find: "session, at: this.#entry.at, source",
        put: "session, at: Date.now(), source",
      },
    ],
    witness: { file: "test/runtime/engine/commit.test.ts", claim: "G10" },
  },
  {
    name: "deadlines go by a clock that has just jumped",
    harm: "A clock that is an hour ahead for five seconds ends questions for good.",
    edits: [
      {
        file: "runtime/engine/clock-watch.ts",
        find: "    if (this.heldMs() === 0) return due;\n",
        put: "    if (this.heldMs() >= 0) return due;\n",
      },
    ],
    witness: { file: "test/runtime/engine/clock.test.ts", claim: "I-35" },
    second: { file: "test/runtime/engine/clock.jumps.test.ts", claim: "I-35" },
  },
  {
    name: "a question asked while the clock is behind gets its time by that clock",
    harm: "It ends as soon as the clock comes back.",
    edits: [
      {
        file: "runtime/engine/clock-watch.ts",
        find: "return this.heldMs() === 0 ? now : Math.max(",
        put: "return this.heldMs() === 0 ? now : Math.min(",
      },
    ],
    witness: { file: "test/adapters/http/gate/gate.test.ts", claim: "I-35" },
    second: { file: "test/runtime/engine/clock.jumps.test.ts", claim: "I-35" },
  },
];
