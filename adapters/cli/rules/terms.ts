// Terms
// Translates the terms of a rule between three forms: a command's options, a request's body, the engine's answer.
//
//   Owns:          the option and the field for each condition of a rule; durations and times; which workspace a command means.
//   Does not own:  what a rule may contain (the engine checks this, and names a refused field), the text that describes a rule
//                  to people (text.ts).

import { Option } from "commander";
import { resolve } from "node:path";
import { z } from "zod";
import { APPROVALS_MAX, type Approver, type ConditionKind } from "../../../machines/index.ts";
import { workspaceName } from "../../../runtime/door/workspace.ts";
import { sessionAnswer } from "../answers.ts";
import type { Client } from "../client.ts";
import { wholeNumber } from "../command.ts";
import { Failure, misused } from "../failures/failure.ts";
import { givenJson } from "../given-json.ts";

export interface TermOptions {
  readonly exact?: string;
  readonly prefix?: string;
  readonly glob?: string;
  readonly agent?: string;
  readonly session?: string;
  readonly project?: string;
  readonly for?: string;
  readonly until?: string;
  readonly unmarked?: boolean;
  readonly uses?: number;
  readonly perHour?: number;
  readonly hours?: string;
  readonly approvals?: number;
  readonly approvers?: string;
  readonly note?: string;
}

interface Said {
  readonly options: readonly (readonly [flags: string, help: string, read?: (text: string) => number])[];
  /** The condition's fields in a request's body; undefined ones are left out. @throws Failure for wrong options. */
  readonly fields: (options: TermOptions) => object | Promise<object>;
}

const SAID: Readonly<Record<Exclude<ConditionKind, "tool">, Said>> = {
  match: {
    options: [
      ["--prefix <text>", "the first words of a command, or a folder"],
      ["--glob <pattern>", "a pattern of words or of a path: * within one, ** for any names"],
      ["--exact <json>", "the very same input: JSON, @FILE, or @- for standard input"],
    ],
    fields: async (options) => ({ match: await matchOf(options) }),
  },
  agent: {
    options: [["--agent <name>", "only this agent: main, a subagent's type, or its id"]],
    fields: ({ agent }) => ({ agent }),
  },
  session: { options: [["--session <id>", "only this session"]], fields: ({ session }) => ({ session }) },
  project: {
    options: [["--project <dir>", "only sessions that were started in this folder or below it"]],
    fields: ({ project }) => ({ project: project === undefined ? undefined : resolve(project) }),
  },
  expiresAt: {
    options: [
      ["--for <duration>", "how long: 30m, 2h, 7d"],
      ["--until <time>", "until when: 2026-01-31T18:00"],
    ],
    fields: timeOf,
  },
  unmarked: {
    options: [["--unmarked", "to allow: only calls without a risk's mark"]],
    fields: ({ unmarked }) => ({ unmarked: unmarked === true ? true : undefined }),
  },
  uses: {
    options: [["--uses <n>", "how many approvals it may answer", wholeNumber(1, 1_000_000)]],
    fields: ({ uses }) => ({ uses }),
  },
  perHour: {
    options: [["--per-hour <n>", "how many it may answer within any hour", wholeNumber(1, 100)]],
    fields: ({ perHour }) => ({ perHour }),
  },
  hours: {
    options: [
      ["--hours <when>", "when it holds: 'Mon-Fri 09:00-17:00', here or at an offset such as +01:00"],
    ],
    fields: ({ hours }) => ({ hours: hours === undefined ? undefined : withOffset(hours) }),
  },
  approvals: {
    options: [
      ["--approvals <n>", "to ask: how many different people must approve", wholeNumber(2, APPROVALS_MAX)],
    ],
    fields: ({ approvals }) => ({ approvals }),
  },
  approvers: {
    options: [["--approvers <names>", "to ask: who may approve: ann, or 'ann, after 10m ben'"]],
    fields: ({ approvers }) => ({ approvers: approvers === undefined ? undefined : approversIn(approvers) }),
  },
};

const match = z.union([
  z.looseObject({ kind: z.literal("exact"), inputHash: z.string(), input: z.string().exactOptional() }),
  z.looseObject({ kind: z.enum(["prefix", "glob"]), text: z.string() }),
]);

export const CONDITION_ANSWERS = {
  tool: z.string(),
  match: match.exactOptional(),
  agent: z.string().exactOptional(),
  session: z.string().exactOptional(),
  project: z.string().exactOptional(),
  expiresAt: z.number().exactOptional(),
  unmarked: z.literal(true).exactOptional(),
  uses: z.number().exactOptional(),
  perHour: z.number().exactOptional(),
  hours: z.string().exactOptional(),
  approvals: z.number().exactOptional(),
  approvers: z
    .array(z.looseObject({ name: z.string(), afterMs: z.number().exactOptional() }))
    .exactOptional(),
} satisfies Readonly<Record<ConditionKind, z.ZodType>>;

export const conditionOptions = (): readonly Option[] =>
  Object.values(SAID).flatMap(({ options }) =>
    options.map(([flags, help, read]) => {
      const option = new Option(flags, help);
      return read ? option.argParser(read) : option;
    }),
  );

export async function termsOf(effect: string, tool: string, options: TermOptions): Promise<object> {
  let terms: object = { effect, tool, note: options.note };
  for (const { fields } of Object.values(SAID)) terms = { ...terms, ...(await fields(options)) };
  return terms;
}

async function matchOf({ exact, prefix, glob }: TermOptions): Promise<object | undefined> {
  if ([exact, prefix, glob].filter((text) => text !== undefined).length > 1)
    throw misused("A rule has only one pattern.", "Give only one of --exact, --prefix and --glob.");
  if (exact !== undefined) return { kind: "exact", input: await givenJson(exact) };
  if (prefix !== undefined) return { kind: "prefix", text: prefix };
  return glob === undefined ? undefined : { kind: "glob", text: glob };
}

/** Adds this machine's current offset from UTC to hours that name no offset. */
function withOffset(hours: string): string {
  if (/(?:Z|[+-]\d\d:\d\d)$/.test(hours)) return hours;
  const ahead = -new Date().getTimezoneOffset();
  const two = (n: number): string => String(n).padStart(2, "0");
  const [sign, minutes] = [ahead < 0 ? "-" : "+", Math.abs(ahead)];
  return `${hours}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export function durationMs(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === "") throw misused(`${text} is not a duration.`, "Write a duration as 30m, 2h or 7d.");
  return Number(count) * (UNITS[unit] ?? 0);
}

/** Parses `ann, after 10m ben`. @throws Failure for a wrong duration. */
export const approversIn = (text: string): readonly Approver[] =>
  text.split(",").map((each) => {
    const [, after, late] = /^after (\S+) (.+)$/.exec(each.trim()) ?? [];
    return after === undefined || late === undefined
      ? { name: each.trim() }
      : { name: late, afterMs: durationMs(after) };
  });

function timeOf({ for: duration, until }: TermOptions): object {
  if (duration !== undefined && until !== undefined)
    throw misused("A rule ends at one time only.", "Give either --for or --until.");
  if (duration !== undefined) return { forMs: durationMs(duration) };
  if (until === undefined) return {};
  const expiresAt = Date.parse(until);
  if (Number.isNaN(expiresAt)) throw misused(`${until} is not a time.`, "Write a time as 2026-01-31T18:00.");
  return { expiresAt };
}

/**
 * The workspace that a rule is for: the one that an option or SIGNALBOX_WORKSPACE names, else that of the named session, else the
 * only one with sessions, else the one named after the current folder.
 * @throws Failure if several workspaces have sessions, and none of them is named after the current folder.
 */
export async function workspaceOf(
  client: Client,
  { workspace, session }: { readonly workspace?: string; readonly session?: string },
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const named = workspace ?? env["SIGNALBOX_WORKSPACE"];
  if (named !== undefined && named !== "") return named;
  if (session !== undefined)
    return (await client.get(`/v1/sessions/${encodeURIComponent(session)}`, sessionAnswer)).workspace;
  const sessions = await client.list("/v1/sessions", sessionAnswer, {}, 1_000);
  const known = [...new Set(sessions.map((each) => each.workspace))];
  // An agent that starts in the current folder has its sessions in the workspace that is named after that folder.
  const here = workspaceName(process.cwd());
  const [only = here] = known;
  if (known.length < 2) return only;
  if (known.includes(here)) return here;
  throw new Failure(
    `There are several workspaces: ${known.slice(0, 8).join(", ")}.`,
    "Say which workspace the rule is for: --workspace ID.",
    2,
  );
}
