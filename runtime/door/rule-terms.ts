// Rule terms
// Reads the terms of a rule from the body of a request.
//
//   Owns:          the fields of a rule in the body, and which of these fields exclude one another.
//   Does not own:  which rules nobody may make (machines/rules), who sends a rule (rule-door).

import { z } from "zod";
import {
  APPROVALS_MAX,
  APPROVERS_MAX,
  defined,
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
import { ID_RULE, readBody } from "./schemas.ts";

const YEAR_MS = 366 * 24 * 60 * 60 * 1000;
/** The most characters of an input that a rule shows; of a longer input the rule shows only the hash. */
const INPUT_SHOWN = 4_096;

const id = z.string().refine(isId, ID_RULE);
const name = z.string().min(1).max(256);
const pattern = z.string().min(1).max(512);

const approver = z.strictObject({
  /** The name of an approver. It has no commas, because commas separate the names in a list. */
  name: name.regex(/^[^\s,][^,]*$/, "must hold no comma, and not begin with a blank"),
  /** The approver's approval counts only once this long has passed since the request for approval, ms. */
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
  /** When the rule ends, ms since 1970. */
  expiresAt: z.int().nonnegative().exactOptional(),
  /** How long the rule lasts from now on, ms. */
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

const TERMS = z.strictObject(terms);
const FILE = z.strictObject({ scope: z.enum(["owner", "project"]), rules: z.array(TERMS).max(200) });

export const RULE = z.strictObject({ workspace: id, ...terms });
export const RULE_TRIAL = z.strictObject({
  workspace: id,
  /** The ids of existing rules to try. */
  rules: z.array(z.string().max(64)).max(200).exactOptional(),
  /** A rule to try that does not exist yet. */
  rule: TERMS.exactOptional(),
  /** A file of rules to try, together with the rules that would stay in force beside the file. */
  file: FILE.exactOptional(),
  /** Tries the rules only on approvals of this session. `project`: only on approvals of sessions in this folder or below it. */
  session: id.exactOptional(),
  project: z.string().min(1).max(1024).exactOptional(),
  /** Tries the rules only on approvals that were requested since this time, ms since 1970. */
  since: z.int().nonnegative().exactOptional(),
  limit: z.int().min(1).max(1_000).exactOptional(),
});

/** A request to put a file of rules in force. `check`: puts nothing in force, and only returns what the file would change. */
export const RULE_FILE = z.strictObject({ workspace: id, ...FILE.shape, check: z.boolean().exactOptional() });

export interface FileTerms {
  readonly scope: FileScope;
  readonly rules: readonly RuleTerms[];
}

export interface WantedFile extends FileTerms {
  readonly workspace: WorkspaceId;
  readonly isChecked: boolean;
}

export interface WantedRule {
  readonly workspace: WorkspaceId;
  readonly terms: RuleTerms;
  readonly forMs?: number;
}

export interface WantedTrial {
  /** The past approvals on which the rules are tried. */
  readonly of: {
    readonly workspace: WorkspaceId;
    readonly since: number;
    readonly session?: string;
    readonly project?: string;
  };
  readonly limit: number;
  readonly rules: readonly string[];
  readonly rule?: RuleTerms & { readonly forMs?: number };
  readonly file?: FileTerms;
}

const LIMIT = 50;

/** @throws RefusedError with the path of the fault in the body. */
export function readRule(body: Uint8Array): WantedRule {
  const { workspace, forMs, ...said } = readBody(RULE, body, isInput);
  if (forMs !== undefined && said.expiresAt !== undefined)
    throw wrong("forMs", "cannot be used together with expiresAt");
  // The cast is safe: the schema has checked the form of the ids.
  const rule = { terms: termsOf(said, ""), workspace: workspace as WorkspaceId };
  return { ...rule, ...(forMs !== undefined && { forMs }) };
}

/** @throws RefusedError with the path of the fault in the body. */
export function readTrial(body: Uint8Array): WantedTrial {
  const { rules = [], rule, file, limit = LIMIT, ...of } = readBody(RULE_TRIAL, body, isInput);
  const isNamed = rules.length > 0 || rule !== undefined;
  if (!isNamed && !file) throw wrong("rules", "is missing: name the rules to try");
  if (isNamed && file) throw wrong("file", "cannot be used together with rules or rule");
  const { workspace, since = 0, ...scope } = of;
  return {
    // The cast is safe: the schema has checked the form of the id.
    of: { workspace: workspace as WorkspaceId, since, ...scope },
    limit,
    rules,
    ...(rule && { rule: triedOf(rule) }),
    ...(file && { file: { scope: file.scope, rules: fileRules(file, "file.") } }),
  };
}

function triedOf({ forMs, ...said }: z.output<typeof TERMS>): RuleTerms & { readonly forMs?: number } {
  if (forMs !== undefined && said.expiresAt !== undefined)
    throw wrong("rule.forMs", "cannot be used together with expiresAt");
  return { ...termsOf(said, "rule."), ...defined({ forMs }) };
}

/** @throws RefusedError with the path of the fault in the body. */
export function readFile(body: Uint8Array): WantedFile {
  const { workspace, check, ...said } = readBody(RULE_FILE, body, isInput);
  const { scope } = said;
  return {
    workspace: workspace as WorkspaceId,
    scope,
    rules: fileRules(said, ""),
    isChecked: check === true,
  };
}

/** @param at the path of the file in the body. */
function fileRules({ scope, rules }: z.output<typeof FILE>, at: string): readonly RuleTerms[] {
  const read = rules.map(({ forMs, ...said }, n) => {
    const path = `${at}rules[${n}].`;
    // A file of rules cannot give a duration: each time the file is applied, the rule would end at another time.
    if (forMs !== undefined) throw wrong(`${path}forMs`, "cannot be used in a file: use expiresAt");
    const rule = termsOf(said, path);
    const flaw = flawInFile(rule, scope);
    if (flaw) throw wrong(path + flaw.path, flaw.reason);
    return rule;
  });
  const names = read.map(nameOf);
  const twice = names.findIndex((name, n) => names.indexOf(name) < n);
  if (twice >= 0) throw wrong(`${at}rules[${twice}]`, `repeats rules[${names.indexOf(names[twice] ?? "")}]`);
  return read;
}

const isInput = (key: string): boolean => key === "input";

type Said = Omit<z.output<typeof TERMS>, "forMs">;

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
  new RefusedError(
    "WRONG_SHAPE",
    `${path} ${reason}.`,
    "docs/reference/rules.md lists the fields of a rule.",
    path,
  );
