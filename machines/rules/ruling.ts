// Ruling
// Decides how the rules of a workspace answer an approval of a call.
//
//   Owns:          which rule answers, if any; reading a call once for all rules.
//   Does not own:  answering the approval (runtime/turn/rule-answering), the conditions of a rule (conditions).
//
// RULING-1. A rule to deny has priority over a rule to ask, and a rule to ask over a rule to allow. Of several rules with the
//     same effect, the rule that was made first answers.
// RULING-2. Rules answer an approval only if its call is certain. If the approval may belong to several calls, or its input is
//     not stored, a person is asked.
// RULING-3. If it is unsure whether a rule to deny or to ask matches a call, a person is asked.
// RULING-4. A rule answers nothing once it has expired, once its uses (in total, or for this hour) are spent, and outside its
//     hours.
// RULING-5. No rule allows a call that reaches the engine itself (guarded).
// RULING-6. A rule without a pattern allows no call that runs something. If the input has a field with a command or code, a
//     person is asked, whatever the tool is called, unless a rule names exactly this input.
// RULING-7. A rule allows writing a file that runs later only if the rule contains in full the names by which the file is
//     recognised (later-files), or names exactly this input. A folder, a `*` or a rule for any input does not cover such a file.
// RULING-8. A dry rule answers nothing, whatever other rules there are.
// RULING-9. The shortlist of a call, that is, the rules that are compared with the call at all, contains every rule that could
//     answer the call for some agent at some time.

import { readCommand } from "./command-match.ts";
import type { AskedCall, CallReading, SeenCall } from "./condition.ts";
import { allows, concerns, mayAnswer } from "./conditions.ts";
import { type Guarded, isGuarded } from "./guarded.ts";
import { tellingNames } from "./later-files.ts";
import { remembered } from "./remembered.ts";
import type { Rule } from "./rule.ts";
import { subjectsOfShell } from "./shell-call.ts";
import { isChanging, subjectsOf } from "./subject.ts";
import { type RuleEffect, type RuleTerms, SHELL, type Usable } from "./terms.ts";

export interface Ruling<R extends RuleTerms = Rule> {
  /** What the rules answer. `ask`: a person must answer. */
  readonly effect: RuleEffect;
  readonly rule: R;
  /** All rules that ask, if the effect is `ask`. The demands of each rule must be met. */
  readonly asking?: readonly R[];
}

/** @param rules in the order in which they were made. @param guarded the engine's folders and addresses, from the journal. */
export function rulingOf<R extends Usable>(
  rules: readonly R[],
  asked: AskedCall,
  guarded: Guarded,
): Ruling<R> | undefined {
  const reading = rules.length > 0 ? readingOf(asked, guarded) : undefined;
  return reading && rulingIn(rules, seenBy(asked, reading));
}

/** What was read from a call before its agent and time are known, and the rules that may answer the call. */
export interface Shortlist {
  readonly reading: CallReading;
  readonly mayAnswer: readonly number[];
}

export function shortlist(
  rules: readonly Usable[],
  asked: AskedCall,
  guarded: Guarded,
): Shortlist | undefined {
  const reading = readingOf(asked, guarded);
  if (!reading) return undefined;
  const call = seenBy(asked, reading);
  const may: number[] = [];
  rules.forEach((rule, n) => mayAnswer(rule, call) && may.push(n));
  return may.length > 0 ? { reading, mayAnswer: may } : undefined;
}

/** As `rulingOf`, for a call with a shortlist. @param rules the rules that the shortlist was made from, as they are now. */
export const rulingAmong = <R extends Usable>(
  { reading, mayAnswer: may }: Shortlist,
  rules: readonly R[],
  asked: AskedCall,
): Ruling<R> | undefined =>
  rulingIn(
    may.flatMap((n) => rules[n] ?? []),
    seenBy(asked, reading),
  );

function rulingIn<R extends Usable>(rules: readonly R[], call: SeenCall): Ruling<R> | undefined {
  const asking: R[] = [];
  let allowing: R | undefined;
  for (const rule of rules) {
    if (rule.dry === true) continue;
    if (rule.effect === "allow") {
      if (!allowing && allows(rule, call) && !call.isGuarded()) allowing = rule;
      continue;
    }
    const fit = concerns(rule, call);
    if (fit === "yes" && rule.effect === "deny") return { effect: "deny", rule };
    if (fit !== "no") asking.push(rule);
  }
  const [first] = asking;
  if (first) return { effect: "ask", rule: first, asking };
  return allowing && { effect: "allow", rule: allowing };
}

/** For each rule, what it would answer if it were the only rule. The call is read only once for all rules. */
export function rulingsOfEach<R extends Usable>(
  rules: readonly R[],
  asked: AskedCall,
  guarded: Guarded,
): readonly (Ruling<R> | undefined)[] {
  const reading = rules.length > 0 ? readingOf(asked, guarded) : undefined;
  const call = reading && seenBy(asked, reading);
  return rules.map((rule) => (call && mayAnswer(rule, call) ? rulingIn([rule], call) : undefined));
}

const tellingIn = remembered(tellingNames);

/** RULING-2: what rules compare of the call; undefined if no rule may answer the call's approval. */
function readingOf(asked: AskedCall, guarded: Guarded): CallReading | undefined {
  const { tool, input: given, shell, isAmbiguous, cwd, isMarked } = asked;
  if (isAmbiguous || !given || !("text" in given)) return undefined;
  const input: unknown = JSON.parse(given.text);
  const read = subjectsOf(tool, input);
  const subjects = shell ? subjectsOfShell(read, shell, cwd) : read;
  return {
    tool,
    shell,
    cwd,
    isMarked,
    hash: given.hash,
    kind: shell ? SHELL : tool,
    subjects,
    commands: subjects.commands.map((command) => readCommand(command, cwd)),
    isGuarded: once(() => isGuarded({ tool, input, cwd }, guarded)),
    telling: isChanging(tool) ? subjects.paths.flatMap(tellingIn) : [],
  };
}

/**
 * Adds the call's session, agent and time to what was read from its input. Lists each field, because a spread copy is slow to
 * make and to read.
 */
const seenBy = ({ sessionId, agentId, agentType, at }: AskedCall, reading: CallReading): SeenCall => ({
  sessionId,
  agentId,
  agentType,
  at,
  tool: reading.tool,
  shell: reading.shell,
  cwd: reading.cwd,
  hash: reading.hash,
  kind: reading.kind,
  subjects: reading.subjects,
  commands: reading.commands,
  isGuarded: reading.isGuarded,
  telling: reading.telling,
  isMarked: reading.isMarked,
});

function once(find: () => boolean): () => boolean {
  let found: boolean | undefined;
  return () => (found ??= find());
}
