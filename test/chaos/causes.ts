// Causes
// What may have let a call run, or decided its approval, by the driver's book alone.
//
//   Owns:          what the driver's answers and rules amount to; the hash of an input, by a reading of its own.
//   Does not own:  how things stand by the engine's word (shown), what is a violation (judge).
//
// CAUSES-1. A run's cause is an approve of this very input, sent before it, for what ran; else a rule of the driver's
//     own that holds the input, made before it.
// CAUSES-2. A lost reply means that its answer counts, or nothing does. Where another answer was accepted, it means
//     nothing.
// CAUSES-3. With a key, a refusal counts after a lost reply, too: the same key has one reply. Without one it may be the
//     engine's word about the driver's own answer.

import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Answer, Call, Fate, Ran, Rule } from "./book.ts";
import type { Shown } from "./shown.ts";

/** JSON with its fields in order: what the hash of an input is of. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(",")}}`;
}

/** Nothing of the engine's code: what it hashes must be what the driver asked about. */
export const hashOf = (input: object): string => createHash("sha256").update(canonical(input)).digest("hex");

/** CAUSES-3. */
export function fateOf({ tries, way }: Answer): Fate {
  const fates = tries.map(({ fate }) => fate);
  if (fates.includes("accepted")) return "accepted";
  const isOpen = fates.includes("lost");
  if (fates.includes("refused") && (way !== "CLI" || !isOpen)) return "refused";
  return isOpen ? "lost" : "unsent";
}

/** CAUSES-2. */
function mayHaveCounted(answers: readonly Answer[]): readonly Answer[] {
  const accepted = answers.filter((each) => fateOf(each) === "accepted");
  return accepted.length > 0 ? accepted : answers.filter((each) => fateOf(each) === "lost");
}

export const firstSentAt = ({ tries }: Answer): number =>
  Math.min(Infinity, ...tries.filter(({ fate }) => fate !== "unsent").map(({ sentAt }) => sentAt));

/** When the driver knew. */
export const acceptedAt = ({ tries }: Answer): number | undefined =>
  tries.find(({ fate }) => fate === "accepted")?.endedAt;

/** The rules of the driver are for words that no shell changes. */
function holds(rule: Rule, { session, tool, input }: Call): boolean {
  const command: unknown = Reflect.get(input, "command");
  if (rule.session !== session || tool !== "Bash" || typeof command !== "string") return false;
  const words = command.split(" ");
  return rule.words.every((word, n) => words[n] === word);
}

export type Cause = { readonly person: Answer } | { readonly rule: Rule };

/** CAUSES-1. @returns undefined where there is none. */
export function causeOf(ran: Ran, call: Call, rules: readonly Rule[]): Cause | undefined {
  const counting = mayHaveCounted(call.answers);
  const person = counting.find(
    (each) =>
      each.verdict === "approve" &&
      each.inputHash === hashOf(call.input) &&
      firstSentAt(each) <= ran.at &&
      isDeepStrictEqual(each.updatedInput ?? call.input, ran.input),
  );
  if (person) return { person };
  // What a person decided, no rule did.
  if (counting.some((each) => fateOf(each) === "accepted")) return undefined;
  const rule = rules.find(
    (each) =>
      each.effect === "allow" &&
      holds(each, call) &&
      each.sentAt <= ran.at &&
      isDeepStrictEqual(call.input, ran.input),
  );
  return rule && { rule };
}

/** The engine's times are whole. */
const isBefore = (at: number, closedAt: number): boolean => Math.floor(at) <= closedAt;

/** @param shown decided here. @returns whether the driver, or a rule of its own, may have decided so. */
export function isGiven(shown: Shown, call: Call, rules: readonly Rule[]): boolean {
  const { id, state, by = "", message, updatedInput, closedAt = Infinity } = shown;
  const verdict = state === "approved" ? "approve" : "deny";
  const rule = rules.find((each) => by === `rule:${each.id}`);
  if (rule)
    return (
      (rule.effect === "allow") === (verdict === "approve") &&
      holds(rule, call) &&
      isBefore(rule.sentAt, closedAt) &&
      updatedInput === undefined
    );
  return mayHaveCounted(call.answers).some(
    (each) =>
      each.approvalId === id &&
      each.verdict === verdict &&
      each.by === by &&
      each.message === message &&
      isBefore(firstSentAt(each), closedAt) &&
      isDeepStrictEqual(each.updatedInput, updatedInput),
  );
}

/** @param message that the gate said. */
export function isOurDenial(message: string, call: Call, rules: readonly Rule[]): boolean {
  const denials = mayHaveCounted(call.answers).filter(({ verdict }) => verdict === "deny");
  if (denials.some((each) => each.message === message)) return true;
  const own = rules.filter((each) => each.effect === "deny" && holds(each, call));
  return own.some(({ id }) => message.startsWith(`Denied by rule ${id},`));
}
