// Scenarios
// What agents are asked to do where they are recorded, and what a person answers.
//
//   Owns:          the calls of each scenario, the answers.
//   Does not own:  the agents, what is written down (record).

import type { Client, Heard } from "../support/agent-proxy/client.ts";
import { escalates, patches, writes } from "./agents.ts";
import type { Call, Review } from "./model.ts";

type Answer = (client: Client, asked: Heard) => unknown;

export interface Scenario {
  readonly name: string;
  readonly about: string;
  /** As they are named. */
  readonly agents: readonly string[];
  /** By prompt: the messages of the model, each with its calls. */
  readonly prompts: readonly (readonly (readonly Call[])[])[];
  /** What a person answers, question by question; no more than that. */
  readonly answers: readonly Answer[];
  /** What the agent's own model answers in a person's place. */
  readonly review?: Review;
}

const allows: Answer = (client, asked) => client.allows(asked);
const denies: Answer = (client, asked) => client.denies(asked);
const interrupts: Answer = (client) => {
  client.cancel();
};
/** In the words of Codex. */
const cancels: Answer = () => ({ decision: "cancel" });
/** Once the command runs. */
const RUNNING_MS = 1_500;
const allowsAndInterrupts: Answer = (client, asked) => {
  setTimeout(() => client.cancel(), RUNNING_MS);
  return client.allows(asked);
};

const ALL = ["OpenCode", "Copilot CLI", "Codex"];
const CODEX = ["Codex"];

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "sequence",
    about: "One call after another: allowed, allowed and failing, denied; then another prompt, allowed.",
    agents: ALL,
    prompts: [[["touch one"], ["cat missing"], ["touch three"]], [["touch four"]]],
    answers: [allows, allows, denies, allows],
  },
  {
    name: "parallel",
    about: "Four calls in one message: one of them fails.",
    agents: ALL,
    prompts: [[["touch one", "touch two", "cat missing", "touch four"]]],
    answers: [allows, allows, allows, allows],
  },
  {
    name: "parallel-denied",
    about: "Three calls in one message, the second is denied.",
    agents: ALL,
    prompts: [[["touch one", "touch two", "touch three"]], [["touch four"]]],
    answers: [allows, denies, allows, allows],
  },
  {
    name: "alike",
    about: "The same command three times: twice in one message, the first denied; then once more, allowed.",
    agents: ALL,
    prompts: [[["touch same", "touch same"]], [["touch same"]]],
    answers: [denies, allows, allows],
  },
  {
    name: "interrupted",
    about:
      "The client ends the turn while a command runs, and again while one waits; then another prompt, allowed.",
    agents: CODEX,
    prompts: [[["sleep 30"]], [["touch one"]], [["touch two"]]],
    answers: [allowsAndInterrupts, interrupts, allows],
  },
  {
    name: "cancelled",
    about:
      "Two calls in one message, the first is cancelled: a denial that ends the turn. Then another prompt, allowed.",
    agents: CODEX,
    prompts: [[["touch one", "touch two"], ["touch three"]], [["touch four"]]],
    answers: [cancels, allows, allows],
  },
  {
    name: "files",
    about: "Changes of files: allowed, denied, and allowed beside a command.",
    agents: ["Codex, changes of files"],
    prompts: [[[patches("one")], [patches("two")]], [[patches("three"), "touch four"]]],
    answers: [allows, denies, allows, allows],
  },
  {
    name: "tools",
    about: "The tool of a server: allowed, denied, allowed twice in one message.",
    agents: ["Codex, tools of a server"],
    prompts: [[[writes("one")], [writes("two")]], [[writes("three"), writes("four")]]],
    answers: [allows, denies, allows, allows],
  },
  {
    name: "reviewed",
    about: "A model of Codex's own allows what leaves its sandbox.",
    agents: ["Codex, reviewed by a model"],
    prompts: [[[escalates("touch one")]], [[escalates("touch two")]]],
    answers: [],
    review: "allow",
  },
  {
    name: "reviewed-denied",
    about: "A model of Codex's own denies what leaves its sandbox.",
    agents: ["Codex, reviewed by a model"],
    prompts: [[[escalates("touch one")]], [[escalates("touch two")]]],
    answers: [],
    review: "deny",
  },
];
