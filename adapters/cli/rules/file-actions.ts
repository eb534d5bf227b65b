// File actions
// The actions of `rules` on a file of rules: check it, print what it would change, apply it, export the rules in force.
//
//   Owns:          reading and naming a file of rules, deciding whether the file is the user's or a project's, the output.
//   Does not own:  the form of the file (file-form), what applying the file changes (the engine).
//
// FILE-ACTIONS-1. A rule file outside the data folder counts as a project's, which others can change, so it may contain no rule
//     to allow.

import { readFileSync, realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { z } from "zod";
import type { FileScope, RuleTerms } from "../../../machines/index.ts";
import { oneLine } from "../../../runtime/text/visible.ts";
import { type Client, succeeded } from "../client.ts";
import { type Common, type Context, engineOf } from "../command.ts";
import { refuseAgents } from "../decide.ts";
import { Failure, reasonOf } from "../failures/failure.ts";
import type { Terminal } from "../output/terminal.ts";
import { plural } from "../wording.ts";
import { readRules, writeRules } from "./file-form.ts";
import { workspaceOf } from "./terms.ts";
import { ruleAnswer, ruleText } from "./text.ts";

export type FileAction = "check" | "diff" | "apply";

export type FileOptions = Common & { readonly workspace?: string; readonly check?: boolean };

const said = z.looseObject({ effect: z.string(), ...ruleAnswer.pick({ tool: true, match: true }).shape });
const filedAnswer = z.looseObject({
  position: z.number().optional(),
  added: z.array(said),
  removed: z.array(ruleAnswer),
  kept: z.array(ruleAnswer),
  over: z.array(said),
});
type FiledAnswer = z.infer<typeof filedAnswer>;

interface RuleFile {
  readonly name: string;
  readonly scope: FileScope;
  readonly rules: readonly RuleTerms[];
}

const DEFAULT_FILE = "signalbox.rules.yaml";

export function readRuleFile(given: string | undefined, dataDir: string): RuleFile {
  const name = given ?? DEFAULT_FILE;
  let path: string;
  let text: string;
  try {
    path = realpathSync(name);
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { reason } = reasonOf(error);
    throw new Failure(
      `${name} cannot be read: ${reason}`,
      "Name the file: `npx signalbox rules check FILE`.",
    );
  }
  const scope = isIn(dataDir, path) ? "owner" : "project";
  return { name, scope, rules: readRules(text, name, scope) };
}

function isIn(dataDir: string, path: string): boolean {
  let folder: string;
  try {
    folder = realpathSync(resolve(dataDir));
  } catch {
    return false;
  }
  const within = relative(folder, path);
  return within !== "" && !within.startsWith("..") && resolve(folder, within) === path;
}

async function bring(
  client: Client,
  workspace: string,
  { scope, rules }: RuleFile,
  check: boolean,
): Promise<FiledAnswer> {
  const body = { workspace, scope, rules: rules.map(asBody), check };
  return filedAnswer.parse(succeeded(await client.send("POST", "/v1/rules/file", { body })).body);
}

/** The body of a rule. For an exact input, the body has the input if `match` has it, otherwise only the hash. */
export const asBody = ({ match, ...terms }: RuleTerms): object => ({
  ...terms,
  ...(match && { match: match.kind === "exact" && match.input !== undefined ? exactOf(match.input) : match }),
});
const exactOf = (input: string): object => ({ kind: "exact", input: JSON.parse(input) as unknown });

const line = (mark: string, rule: z.infer<typeof said>): string => `${mark} ${oneLine(ruleText(rule))}`;

function tellChanges({ out }: Pick<Terminal, "out">, { added, removed, kept, over }: FiledAnswer): void {
  for (const rule of removed) out(`${line("-", rule)}  (${rule.id})`);
  for (const rule of added) out(line("+", rule));
  for (const rule of over)
    out(`${line("·", rule)}  (it was used up, or its time is over: it does not come again)`);
  out(`${plural(added.length, "rule")} added, ${removed.length} removed, ${kept.length} as before.`);
}

export async function ruleFile(
  action: FileAction,
  name: string | undefined,
  options: FileOptions,
  context: Context,
): Promise<void> {
  const { terminal, env, wiring, exitWith } = context;
  if (action === "apply") refuseAgents(env, "Putting rules in force");
  const read = readRuleFile(name, wiring.folder(options.data).dir);
  const { json } = options;
  if (action === "check") {
    const of = read.scope === "owner" ? "yours" : "a project's: they allow nothing";
    if (json === true) terminal.json(read);
    else terminal.out(`${read.name}: ${plural(read.rules.length, "rule")}, ${of}.`);
    return;
  }
  const client = await engineOf(context, options);
  const workspace = await workspaceOf(client, options, env);
  const changes = await bring(client, workspace, read, action === "diff");
  if (json === true) terminal.json(changes);
  else tellChanges(terminal, changes);
  if (action === "diff" && options.check === true && changes.added.length + changes.removed.length > 0)
    exitWith(1);
}

export async function exportRules(options: FileOptions, context: Context): Promise<void> {
  const { terminal, env } = context;
  const client = await engineOf(context, options);
  const workspace = await workspaceOf(client, options, env);
  const found = await client.list("/v1/rules", ruleAnswer, { workspace }, 1_000);
  const own = found.filter(({ state, engine }) => state === "in-force" && engine === undefined);
  if (options.json === true) for (const rule of own) terminal.json(rule);
  // The engine lists the newest rule first; the file begins with the oldest.
  else terminal.out(writeRules(own.toReversed()).trimEnd());
}
