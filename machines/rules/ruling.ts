// Ruling
// What the rules of a workspace say about a call that is asked about.
//
//   Owns:          which rule answers, if any; what is read of a call for all rules.
//   Does not own:  carrying the answer out (runtime/rules), what limits a rule (conditions).
//
// RULING-1. Deny beats ask beats allow. Of several rules with the same effect the one that was made first answers.
// RULING-2. An approval is answered only where it is certain what it is about: an ambiguous one, and one whose input is
//     not there to be read, go to a person.
// RULING-3. A rule to deny or to ask that cannot be sure asks a person.
// RULING-4. A rule that has expired, has no uses left, or none for this hour, or is outside of its hours, says nothing.
// RULING-5. No rule allows a call that reaches the engine itself (guarded).
// RULING-6. A rule without a pattern allows nothing that is run: whatever the tool is called, a field with a command or
//     with code in it goes to a person, unless a rule has this very input.
// RULING-7. A file that runs later is written only by a rule that has the telling names of its path as they are, or the
//     very input: a folder, a `*` and a rule for any input do not reach it.
// RULING-8. A dry rule answers nothing, whatever stands beside it.
// RULING-9. A call's shortlist leaves no rule out that answers it, whoever asks and when.

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
  /** `ask`: a person is to answer. */
  readonly effect: RuleEffect;
  readonly rule: R;
  /** To ask: all that ask. What each of them demands must be met. */
  readonly asking?: readonly R[];
}

/**
 * @param rules in the order in which they were made.
 * @param guarded where the engine is, as its journal has it.
 */
export function rulingOf<R extends Usable>(
  rules: readonly R[],
  asked: AskedCall,
  guarded: Guarded,
): Ruling<R> | undefined {
  const reading = rules.length > 0 ? readingOf(asked, guarded) : undefined;
  return reading && rulingIn(rules, seenBy(asked, reading));
}

/** The reading of a call before the asker and the time are known, with the rules that may answer it. */
export interface Shortlist {
  readonly reading: CallReading;
  /** Their places among all. */
  readonly mayAnswer: readonly number[];
}

/** @returns undefined where no rule answers. */
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

/** As `rulingOf`, for rules of which some may answer. @param rules the same, as they are by now. */
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

/**
 * What each rule says where it is the only one. The call is read once for all of them.
 * @param guarded where the engine is, as its journal has it.
 */
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

/** RULING-2 */
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

/** A literal: a copy of what is asked has so many fields that it is slow to make and to read. */
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

/** Looked for only where a rule would allow. */
function once(find: () => boolean): () => boolean {
  let found: boolean | undefined;
  return () => (found ??= find());
}
