// Rules
// Rules that the driver makes for the calls of one round: one allows, one denies, and some commands match neither.
//
//   Owns:          their words, making them; commands that they are about.
//   Does not own:  whether one holds a call (causes).

import { textAt } from "../support/engine/json.ts";
import { now, type Rule } from "./book.ts";
import type { Chance } from "./chance.ts";
import { type World, WORKSPACE } from "./world.ts";

const COMMANDS = ["echo allowed", "echo denied", "echo asked"] as const;

export const ruledCommand = (chance: Chance, mark: string): string => `${chance.pick(COMMANDS)} ${mark}`;

export async function makeRules(world: World, chance: Chance, session: string): Promise<readonly Rule[]> {
  const uses = chance.happens(0.5) ? chance.between(1, 2) : undefined;
  return [
    await made(world, {
      effect: "allow",
      words: ["echo", "allowed"],
      session,
      ...(uses !== undefined && { uses }),
    }),
    await made(world, { effect: "deny", words: ["echo", "denied"], session }),
  ];
}

async function made(world: World, wanted: Omit<Rule, "id" | "sentAt">): Promise<Rule> {
  const { words, ...terms } = wanted;
  const sentAt = now();
  const match = { kind: "prefix", text: words.join(" ") };
  const { status, body } = await world.ask("POST", "/v1/rules", {
    body: { workspace: WORKSPACE, tool: "Bash", match, ...terms },
  });
  const id = textAt(body, "rule", "id");
  if (status !== 200 || id === undefined)
    throw new Error(`The rule was not made (${status}): ${JSON.stringify(body)}`);
  return { ...wanted, id, sentAt };
}
