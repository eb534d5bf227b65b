// Terms
// A rule as a command line says it, as the engine takes it.
//
//   Owns:          durations and times; which workspace is meant.
//   Does not own:  what a rule may say (the engine refuses it, with the field).

import { resolve } from "node:path";
import { workspaceName } from "../../../runtime/door/workspace.ts";
import { sessionAnswer } from "../answers.ts";
import type { Client } from "../client.ts";
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
  readonly uses?: number;
  readonly note?: string;
}

/** @throws Failure for what is no rule on any engine. */
export async function termsOf(effect: string, tool: string, options: TermOptions): Promise<object> {
  const { agent, session, project, uses, note } = options;
  const match = await matchOf(options);
  return {
    effect,
    tool,
    ...(match && { match }),
    ...(agent !== undefined && { agent }),
    ...(session !== undefined && { session }),
    ...(project !== undefined && { project: resolve(project) }),
    ...timeOf(options),
    ...(uses !== undefined && { uses }),
    ...(note !== undefined && { note }),
  };
}

async function matchOf({ exact, prefix, glob }: TermOptions): Promise<object | undefined> {
  if ([exact, prefix, glob].filter((text) => text !== undefined).length > 1)
    throw misused("A rule has one pattern.", "Give --exact, --prefix or --glob.");
  if (exact !== undefined) return { kind: "exact", input: await givenJson(exact) };
  if (prefix !== undefined) return { kind: "prefix", text: prefix };
  return glob === undefined ? undefined : { kind: "glob", text: glob };
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function timeOf({ for: duration, until }: TermOptions): object {
  if (duration !== undefined && until !== undefined)
    throw misused("A rule ends once.", "Give --for or --until.");
  if (duration !== undefined) {
    const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(duration) ?? [];
    if (count === "") throw misused(`${duration} is no duration.`, "Write it as 30m, 2h or 7d.");
    return { forMs: Number(count) * (UNITS[unit] ?? 0) };
  }
  if (until === undefined) return {};
  const expiresAt = Date.parse(until);
  if (Number.isNaN(expiresAt)) throw misused(`${until} is no time.`, "Write it as 2026-01-31T18:00.");
  return { expiresAt };
}

/**
 * The workspace that a rule is for: the one that is named, its session's, that of this folder, or the only one there is.
 * @throws Failure if several are meant.
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
  // A client that is started here has its sessions there.
  const here = workspaceName(process.cwd());
  const [only = here] = known;
  if (known.length < 2) return only;
  if (known.includes(here)) return here;
  throw new Failure(
    `There are several workspaces: ${known.slice(0, 8).join(", ")}.`,
    "Say which one the rule is for: --workspace ID.",
    2,
  );
}
