// File form
// Reads a YAML file of rules into the terms that the engine takes, and writes such terms as a YAML file.
//
//   Owns:          the fields of a file of rules, finding the line of a fault, the schema for editors.
//   Does not own:  what a rule may contain (runtime/door), what applying the file changes (the engine).
//   Decided in:    docs/decisions/0081-rules-as-a-file.md.
//
// FILE-FORM-1. If Signalbox writes rules to a file and reads the file back, the rules are the same.
// FILE-FORM-2. The message about a fault in a file of rules names the line of the fault. An unknown field is refused.

import { stringify } from "yaml";
import { z } from "zod";
import { APPROVALS_MAX, approversText, type FileScope, type RuleTerms } from "../../../machines/index.ts";
import { readFile as readTerms } from "../../../runtime/door/rule-terms.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { Failure } from "../failures/failure.ts";
import { readYaml } from "../yaml-text.ts";
import { approversIn } from "./terms.ts";

const EFFECTS = ["allow", "ask", "deny"] as const;
const ALIKE = ["agent", "session", "project", "uses", "perHour", "hours", "approvals", "note"] as const;
const MARKS = ["dry", "unmarked"] as const;
const PATTERNS = ["prefix", "glob", "exact", "exactHash"] as const;

const tool = z
  .string()
  .describe("The tool whose calls the rule answers. In a rule to deny or to ask, the name may end in *.");
const words = (about: string) => z.string().describe(about).exactOptional();
const mark = (about: string) => z.boolean().describe(about).exactOptional();

const rule = z.strictObject({
  allow: tool.exactOptional(),
  ask: tool.exactOptional(),
  deny: tool.exactOptional(),
  prefix: words("The first words of the commands, or the folder of the files, that the rule answers."),
  glob: words(
    "A pattern of words or of a path: * stands for text within one word or name, ** for any names.",
  ),
  exact: z.unknown().describe("Exactly this input.").optional(),
  exactHash: words("The rule answers only the input with this SHA-256."),
  agent: words("main, a subagent's type, or its id."),
  session: z.string().exactOptional(),
  project: words("The rule answers only in sessions that were started in this folder or below it."),
  until: words("When the rule ends, such as 2027-01-31T18:00Z."),
  uses: z.int().min(1).describe("How many approvals the rule may answer.").exactOptional(),
  perHour: z
    .int()
    .min(1)
    .max(100)
    .describe("How many approvals the rule may answer within any hour.")
    .exactOptional(),
  hours: words("The hours in which the rule answers, such as Mon-Fri 09:00-17:00+01:00."),
  approvals: z
    .int()
    .min(2)
    .max(APPROVALS_MAX)
    .describe("In a rule to ask: how many different people must approve.")
    .exactOptional(),
  approvers: words("In a rule to ask: who may approve, such as ann, after 10m ben."),
  note: words("The rule's reason. It is shown with each answer, and sent to an agent whose call is denied."),
  unmarked: mark("The rule answers only calls without a risk mark."),
  dry: mark("The rule answers nothing, and only counts what it would have answered."),
});
const FILE = z.strictObject({ version: z.literal(1), rules: z.array(rule).max(200) });
type InFile = z.output<typeof rule>;

export const fileSchema = (): object => z.toJSONSchema(FILE, { unrepresentable: "any" });

/** @param name the file's name, for messages. @throws Failure with the line of the first fault. */
export function readRules(text: string, name: string, scope: FileScope): readonly RuleTerms[] {
  const { value, fault } = readYaml(text, name, "docs/reference/rules.md says what a file of rules may say.");
  const read = FILE.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const path = [
      ...(issue?.path ?? []),
      ...(issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : []),
    ];
    throw fault(path, `${path.join(".")}: ${issue?.message ?? "has the wrong shape"}`);
  }
  const rules = read.data.rules.map((each, n) =>
    bodyOf(each, (what) => fault(["rules", n], `rule ${n + 1} ${what}`)),
  );
  try {
    return readTerms(Buffer.from(JSON.stringify({ workspace: "w", scope, rules }))).rules;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const n = Number(/^rules\[(\d+)\]/.exec(error.path ?? "")?.[1] ?? 0);
    throw fault(["rules", n], wordsOf(error.message));
  }
}

/** Rewrites `rules[2].match.text …` as `rule 3.match.text …`: users count from 1. */
const wordsOf = (message: string): string =>
  message.replaceAll(/rules\[(\d+)\]/g, (_, n: string) => `rule ${Number(n) + 1}`);

function bodyOf({ until, approvers, ...each }: InFile, fault: (what: string) => Failure): object {
  const effects = EFFECTS.filter((effect) => each[effect] !== undefined);
  const patterns = PATTERNS.filter((pattern) => each[pattern] !== undefined);
  const [effect] = effects;
  const [pattern] = patterns;
  if (effect === undefined || effects.length > 1) throw fault("needs one of allow, ask and deny");
  if (patterns.length > 1) throw fault("has one pattern: prefix, glob, exact or exactHash");
  const expiresAt = until === undefined ? undefined : Date.parse(until);
  if (Number.isNaN(expiresAt)) throw fault("ends at no time: write until as 2027-01-31T18:00Z");
  return {
    ...{ effect, tool: each[effect], match: pattern && matchOf(pattern, each), expiresAt },
    ...alike(each),
    ...(approvers !== undefined && { approvers: approversIn(approvers) }),
    // The fields in MARKS are sent only if they are true: a rule without such a field means the same as one with `false`.
    ...Object.fromEntries(MARKS.filter((name) => each[name] === true).map((name) => [name, true])),
  };
}

function matchOf(pattern: (typeof PATTERNS)[number], { prefix, glob, exact, exactHash }: InFile): object {
  switch (pattern) {
    case "prefix":
      return { kind: "prefix", text: prefix };
    case "glob":
      return { kind: "glob", text: glob };
    case "exact":
      return { kind: "exact", input: exact };
    case "exactHash":
      return { kind: "exact", inputHash: exactHash };
  }
}

const HEAD = `# Rules of Signalbox: \`npx signalbox rules apply FILE\` puts them in force.
`;

/** The fields of a rule in the engine's answer that are written into a file of rules. */
type Told = Omit<RuleTerms, "effect" | "session"> & { readonly effect: string; readonly session?: string };

export function writeRules(rules: readonly Told[]): string {
  return HEAD + stringify({ version: 1, rules: rules.map(inFile) }, { lineWidth: 0 });
}

function inFile({ effect, tool: name, match, expiresAt, approvers, ...more }: Told): InFile {
  return {
    [effect]: name,
    ...(match && patternOf(match)),
    ...alike(more),
    ...(approvers && { approvers: approversText(approvers) }),
    ...Object.fromEntries(MARKS.flatMap((mark) => (more[mark] === undefined ? [] : [[mark, true]]))),
    ...(expiresAt !== undefined && { until: new Date(expiresAt).toISOString() }),
  };
}

const alike = (from: Partial<Pick<Told, (typeof ALIKE)[number]>> | InFile): object =>
  Object.fromEntries(ALIKE.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));

function patternOf(match: NonNullable<RuleTerms["match"]>): InFile {
  if (match.kind !== "exact") return { [match.kind]: match.text };
  return match.input === undefined
    ? { exactHash: match.inputHash }
    : { exact: JSON.parse(match.input) as unknown };
}
