// Rule terms
// What a person says of a rule, read from a body.
//
//   Owns:          its fields, and which of them exclude one another.
//   Does not own:  what a rule must not say (machines/rules), who says it (rule-door).

import { z } from "zod";
import {
  APPROVALS_MAX,
  APPROVERS_MAX,
  type FileScope,
  flawOf,
  isId,
  type Matcher,
  type RuleTerms,
  type SessionId,
  type WorkspaceId,
} from "../../machines/index.ts";
import { toolInput } from "../canonical.ts";
import { RefusedError } from "../errors/errors.ts";
import { flawInFile, nameOf } from "../turn/rule-file.ts";
import { parseBody } from "./parse.ts";
import { ID_RULE, readAs } from "./schemas.ts";

const YEAR_MS = 366 * 24 * 60 * 60 * 1000;
/** A longer input of a rule is told by its hash alone. */
const INPUT_SHOWN = 4_096;

const id = z.string().refine(isId, ID_RULE);
const name = z.string().min(1).max(256);
const pattern = z.string().min(1).max(512);

const approver = z.strictObject({
  /** Lists of names have commas between them. */
  name: name.regex(/^[^\s,][^,]*$/, "must hold no comma, and not begin with a blank"),
  /** ms after the question. */
  afterMs: z
    .int()
    .min(1_000)
    .max(7 * 24 * 60 * 60 * 1000)
    .multipleOf(1_000)
    .exactOptional(),
});

const match = z.union([
  z.strictObject({
    kind: z.literal("exact"),
    input: z.unknown().refine((value) => value !== undefined, "is missing"),
  }),
  z.strictObject({
    kind: z.literal("exact"),
    inputHash: z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in hex"),
  }),
  z.strictObject({ kind: z.enum(["prefix", "glob"]), text: pattern }),
]);

const terms = {
  effect: z.enum(["deny", "ask", "allow"]),
  tool: name,
  match: match.exactOptional(),
  agent: name.exactOptional(),
  session: id.exactOptional(),
  project: z.string().min(1).max(1024).exactOptional(),
  /** ms since 1970. */
  expiresAt: z.int().nonnegative().exactOptional(),
  /** ms from now on. */
  forMs: z
    .int()
    .min(1)
    .max(10 * YEAR_MS)
    .exactOptional(),
  unmarked: z.literal(true).exactOptional(),
  uses: z.int().min(1).max(1_000_000).exactOptional(),
  perHour: z.int().min(1).max(100).exactOptional(),
  hours: z.string().max(64).exactOptional(),
  approvals: z.int().min(2).max(APPROVALS_MAX).exactOptional(),
  approvers: z.array(approver).min(1).max(APPROVERS_MAX).exactOptional(),
  note: z.string().max(500).exactOptional(),
  dry: z.literal(true).exactOptional(),
} satisfies Readonly<Record<keyof RuleTerms | "forMs", z.ZodType>>;

export const RULE = z.strictObject({ workspace: id, ...terms });
export const RULE_TRIAL = z.strictObject({
  workspace: id,
  /** Rules that were made. */
  rules: z.array(z.string().max(64)).max(200).exactOptional(),
  /** One that was not. */
  rule: z.strictObject(terms).exactOptional(),
  /** Only what was asked since then, ms since 1970. */
  since: z.int().nonnegative().exactOptional(),
  limit: z.int().min(1).max(1_000).exactOptional(),
});

/** The rules of a file. `check`: only what it would change is told. */
export const RULE_FILE = z.strictObject({
  workspace: id,
  scope: z.enum(["owner", "project"]),
  rules: z.array(z.strictObject(terms)).max(200),
  check: z.boolean().exactOptional(),
});

export interface WantedFile {
  readonly workspace: WorkspaceId;
  readonly scope: FileScope;
  readonly rules: readonly RuleTerms[];
  readonly isChecked: boolean;
}

export interface WantedRule {
  readonly workspace: WorkspaceId;
  readonly terms: RuleTerms;
  readonly forMs?: number;
}

export interface WantedTrial {
  readonly workspace: string;
  readonly rules: readonly string[];
  readonly tried?: RuleTerms & { readonly forMs?: number };
  readonly since: number;
  readonly limit: number;
}

const LIMIT = 50;

/** @throws RefusedError with the path of the fault in the body. */
export function readRule(body: Uint8Array): WantedRule {
  const { workspace, forMs, ...said } = readAs(RULE, valueOf(body), "");
  if (forMs !== undefined && said.expiresAt !== undefined)
    throw wrong("forMs", "cannot be used together with expiresAt");
  // The schema has seen the form of the ids.
  const rule = { terms: termsOf(said, ""), workspace: workspace as WorkspaceId };
  return { ...rule, ...(forMs !== undefined && { forMs }) };
}

/** @throws RefusedError with the path of the fault in the body. */
export function readTrial(body: Uint8Array): WantedTrial {
  const { workspace, rules = [], rule, since = 0, limit = LIMIT } = readAs(RULE_TRIAL, valueOf(body), "");
  if (rules.length === 0 && rule === undefined) throw wrong("rules", "is missing: say which rules are tried");
  if (!rule) return { workspace, rules, since, limit };
  const { forMs, ...said } = rule;
  if (forMs !== undefined && said.expiresAt !== undefined)
    throw wrong("rule.forMs", "cannot be used together with expiresAt");
  const tried = { ...termsOf(said, "rule."), ...(forMs !== undefined && { forMs }) };
  return { workspace, rules, since, limit, tried };
}

/** @throws RefusedError with the path of the fault in the body. */
export function readFile(body: Uint8Array): WantedFile {
  const { workspace, scope, rules, check } = readAs(RULE_FILE, valueOf(body), "");
  const read = rules.map(({ forMs, ...said }, n) => {
    // Each time that the file is brought it would mean another end.
    if (forMs !== undefined) throw wrong(`rules[${n}].forMs`, "cannot be used in a file: say expiresAt");
    const rule = termsOf(said, `rules[${n}].`);
    const flaw = flawInFile(rule, scope);
    if (flaw) throw wrong(`rules[${n}].${flaw.path}`, flaw.reason);
    return rule;
  });
  const names = read.map(nameOf);
  const twice = names.findIndex((name, n) => names.indexOf(name) < n);
  if (twice >= 0)
    throw wrong(`rules[${twice}]`, `says what rules[${names.indexOf(names[twice] ?? "")}] says`);
  return { workspace: workspace as WorkspaceId, scope, rules: read, isChecked: check === true };
}

const valueOf = (body: Uint8Array): unknown => parseBody(body, (key) => key === "input");

type Said = Omit<z.output<typeof RULE>, "workspace" | "forMs">;

function termsOf({ match: given, session, ...said }: Said, at: string): RuleTerms {
  const rule: RuleTerms = {
    ...said,
    ...(session !== undefined && { session: session as SessionId }),
    ...(given && { match: matcherOf(given) }),
  };
  const flaw = flawOf(rule);
  if (flaw) throw wrong(at + flaw.path, flaw.reason);
  return rule;
}

function matcherOf(given: z.output<typeof match>): Matcher {
  if (given.kind !== "exact") return { kind: given.kind, text: given.text };
  if ("inputHash" in given) return given;
  const { text, hash: inputHash } = toolInput(given.input);
  return { kind: "exact", inputHash, ...(text.length <= INPUT_SHOWN && { input: text }) };
}

const wrong = (path: string, reason: string): RefusedError =>
  new RefusedError("WRONG_SHAPE", `${path} ${reason}.`, "docs/rules.md says what a rule may say.", path);
