// File form
// Parses a YAML file of rules, as users write and review it, into the terms that the engine takes, and writes such a file.
//
//   Owns:          its fields, the line of a fault, the schema for editors.
//   Does not own:  what a rule may contain (runtime/door), what a file changes (the engine).
//   Decided in:    docs/decisions/0081-rules-as-a-file.md.
//
// FILE-FORM-1. A file that was written here is read back as the same terms.
// FILE-FORM-2. A message about a fault names its line. A field that is not known is refused.

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
const rule = z.strictObject({
  allow: tool.exactOptional(),
  ask: tool.exactOptional(),
  deny: tool.exactOptional(),
  prefix: z.string().describe("The first words of a command, or a folder.").exactOptional(),
  glob: z
    .string()
    .describe("A pattern of words or of a path: * within one, ** for any names.")
    .exactOptional(),
  exact: z.unknown().describe("Exactly this input.").optional(),
  exactHash: z.string().describe("Exactly the input with this SHA-256.").exactOptional(),
  agent: z.string().describe("main, a subagent's type, or its id.").exactOptional(),
  session: z.string().exactOptional(),
  project: z.string().describe("Only sessions that were started in this folder or below it.").exactOptional(),
  until: z.string().describe("When the rule ends, such as 2027-01-31T18:00Z.").exactOptional(),
  uses: z.int().min(1).describe("How many approvals the rule may answer.").exactOptional(),
  perHour: z
    .int()
    .min(1)
    .max(100)
    .describe("How many approvals the rule may answer within any hour.")
    .exactOptional(),
  hours: z
    .string()
    .describe("The hours in which the rule answers, such as Mon-Fri 09:00-17:00+01:00.")
    .exactOptional(),
  approvals: z
    .int()
    .min(2)
    .max(APPROVALS_MAX)
    .describe("In a rule to ask: how many different people must approve.")
    .exactOptional(),
  approvers: z
    .string()
    .describe("In a rule to ask: who may approve, such as ann, after 10m ben.")
    .exactOptional(),
  note: z
    .string()
    .describe("The rule's reason. It is shown with each answer, and sent to an agent whose call is denied.")
    .exactOptional(),
  unmarked: z.boolean().describe("Only calls without a risk mark.").exactOptional(),
  dry: z
    .boolean()
    .describe("The rule answers nothing, and only counts what it would have answered.")
    .exactOptional(),
});
const FILE = z.strictObject({ version: z.literal(1), rules: z.array(rule).max(200) });
type InFile = z.output<typeof rule>;

/** The JSON Schema of a file of rules, for editors. */
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

/** The message with the rule counted from 1: `rules[2].match.text …`. */
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
    // A mark that is false is left out: a rule without the field means the same.
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

/** A rule as the engine's answers have it; other fields of the answer are not written. */
type Told = Omit<RuleTerms, "effect" | "session"> & { readonly effect: string; readonly session?: string };

/** @param rules the rules in the order in which they are written. */
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

/** The fields that have the same form in a file and in an answer. */
const alike = (from: Partial<Pick<Told, (typeof ALIKE)[number]>> | InFile): object =>
  Object.fromEntries(ALIKE.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));

function patternOf(match: NonNullable<RuleTerms["match"]>): InFile {
  if (match.kind !== "exact") return { [match.kind]: match.text };
  return match.input === undefined
    ? { exactHash: match.inputHash }
    : { exact: JSON.parse(match.input) as unknown };
}
