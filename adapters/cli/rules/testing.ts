// Testing
// The action `rules test`: finds out which rules to test, and on which past approvals.
//
//   Owns:          whether an argument is a file of rules or a rule's id; what --session and --project mean; the exit code.
//   Does not own:  running the test (the engine), the words about the result (trial).
//
// RULES-TESTING-1. With --tool, the options --session and --project are conditions of the tested rule; without --tool, they
//     choose the past approvals to test on.

import { resolve } from "node:path";
import { type Common, type Context, engineOf } from "../command.ts";
import { misused } from "../failures/failure.ts";
import { asBody, readRuleFile } from "./file-actions.ts";
import { durationMs, type TermOptions, termsOf, workspaceOf } from "./terms.ts";
import { ruleAnswer } from "./text.ts";
import { askTrial, trialText } from "./trial.ts";

export type TestOptions = Common &
  TermOptions & {
    readonly workspace?: string;
    readonly tool?: string;
    readonly effect: string;
    readonly since?: string;
    readonly check?: boolean;
    readonly limit: number;
  };

const isRuleId = (text: string): boolean => /^r_[0-9a-z]+(?:_[0-9]+)?$/.test(text);

export async function testRules(
  what: readonly string[],
  options: TestOptions,
  context: Context,
): Promise<void> {
  const { terminal, now, env, exitWith } = context;
  const { limit, session, project } = options;
  const tried = await triedRules(what, options, context);
  const client = await engineOf(context, options);
  const [first] = "rules" in tried ? tried.rules : [];
  const workspace =
    first !== undefined && options.workspace === undefined
      ? (await client.get(`/v1/rules/${encodeURIComponent(first)}`, ruleAnswer)).workspace
      : await workspaceOf(client, options, env);
  const since = options.since === undefined ? undefined : now() - durationMs(options.since);
  const of =
    "rule" in tried ? {} : { session, project: project === undefined ? undefined : resolve(project) };
  const found = await askTrial(client, { workspace, since, limit, ...of, ...tried }, options.json !== true);
  if (options.json === true) terminal.json(found);
  else terminal.out(trialText(found, now()));
  if (options.check === true && found.differing > 0) exitWith(1);
}

type TriedRules =
  | { readonly file: object }
  | { readonly rules: readonly string[] }
  | { readonly rules?: readonly string[]; readonly rule: object };

async function triedRules(
  what: readonly string[],
  options: TestOptions,
  { wiring }: Context,
): Promise<TriedRules> {
  const { tool, effect } = options;
  const [name, ...others] = what.filter((each) => !isRuleId(each));
  if (name !== undefined && (what.length > 1 || tool !== undefined))
    throw misused(
      others.length > 0
        ? "Only one file can be tried at a time."
        : "A file is tried alone, without ids of rules and without --tool.",
      "Write `npx signalbox rules test FILE`, or the ids of rules.",
    );
  if (name !== undefined) {
    const { scope, rules } = readRuleFile(name, wiring.folder(options.data).dir);
    return { file: { scope, rules: rules.map(asBody) } };
  }
  if (tool !== undefined)
    return { ...(what.length > 0 && { rules: what }), rule: await termsOf(effect, tool, options) };
  if (what.length > 0) return { rules: what };
  throw misused(
    "Which rules?",
    "Write `npx signalbox rules test FILE`, `rules test ID`, or --tool and a pattern.",
  );
}
