// Policy call
// Describes a call in the form that a policy reads.
//
//   Owns:          which facts about a call a policy gets; which calls count as plain.
//   Does not own:  the form of a policy language (adapters).
//   Decided in:    docs/decisions/0084-a-policys-verdict-is-an-entry.md.
//
// POLICY-CALL-1. A policy is not asked about a call that is ambiguous, or whose input is cut, stored as a blob, or longer than 64
//     KiB.
// POLICY-CALL-2. A plain call is one plain command of a shell, or a known tool with one path, and has no unknown field.

import type { AskedCall } from "../../../machines/index.ts";
import { reachesOf } from "../../../machines/rules/reach.ts";
import { subjectsOfShell } from "../../../machines/rules/shell-call.ts";
import { looseParts, plainWords } from "../../../machines/rules/shell-words.ts";
import { isRunBySh, type Subjects, subjectsOf } from "../../../machines/rules/subject.ts";
import { risksOf } from "../../risks/risks.ts";
import type { PastApproval } from "../../rows/past-approvals.ts";
import type { PolicyCall } from "../../policy.ts";

/** The longest input that a policy gets, in UTF-16 units. */
const INPUT_MAX = 64 * 1024;

interface Read {
  readonly input: unknown;
  readonly subjects: Subjects;
  /** The words of the command; present only if the call is one plain command. */
  readonly words?: readonly string[];
}

export function readCall({ tool, input: given, shell, isAmbiguous, cwd }: AskedCall): Read | undefined {
  if (isAmbiguous || !given || !("text" in given) || given.text.length > INPUT_MAX) return undefined;
  const input: unknown = JSON.parse(given.text);
  const read = subjectsOf(tool, input);
  const subjects = shell ? subjectsOfShell(read, shell, cwd) : read;
  const { own, commands } = subjects;
  const isOne = shell ? shell.command !== undefined : isRunBySh(tool) && commands.length === 1;
  const words = isOne && own?.hasMore === false ? plainWords(own.text) : undefined;
  return { input, subjects, ...(words && { words }) };
}

export function policyCall(
  workspace: string,
  asked: PastApproval,
  askedBefore: readonly string[],
): PolicyCall | undefined {
  const { sessionId: session, tool, shell, agentId: agent, agentType = "", cwd = "" } = asked;
  const read = readCall(asked);
  if (!read || !asked.input) return undefined;
  const { own, commands, paths } = read.subjects;
  const isPath = own?.about === "path" && !own.hasMore && commands.length === 0 && paths.length === 1;
  const inShell = shell?.command === undefined ? [] : risksOf("Bash", { command: shell.command }, asked.cwd);
  const plain = read.words ?? [];
  return {
    ...{ workspace, session, agent, agentType, cwd, tool, commands, paths, askedBefore },
    inputHash: asked.input.hash,
    isPlain: read.words !== undefined || isPath,
    line: plain.map(quoted).join(" "),
    words: read.words ?? [...new Set(commands.flatMap((each) => (looseParts(each) ?? []).flat()))],
    reaches: reachesOf(plain, asked.cwd).map(({ at }) => plain[at] ?? ""),
    risks: [...new Set([...risksOf(tool, read.input, asked.cwd), ...inShell].map(({ id }) => id))],
  };
}

/** Quotes a word, so that a word with a blank does not look like two words. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`);
