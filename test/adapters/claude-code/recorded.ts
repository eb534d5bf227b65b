// Recorded lines
// What the translator tests feed and check: one line of each recorded form, damaged copies of these, sound inputs.
//
//   Owns:          how a line is damaged; what holds for the inputs of any line.
//   Does not own:  what a line means.

import fc from "fast-check";
import { expect } from "vitest";
import { isId } from "../../../machines/ids.ts";
import type { CallRef, SourceInput } from "../../../machines/inputs.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { Translated } from "../../../adapters/claude-code/index.ts";
import { at, stringsIn, textAt } from "../../support/engine/json.ts";

/** One line of each form: same type, same fields. */
export function oneOfEachForm(values: readonly unknown[]): readonly unknown[] {
  const forms = new Map<string, unknown>();
  for (const value of values) {
    const name = [textAt(value, "hook_event_name"), textAt(value, "type"), textAt(value, "subtype")].join(
      "/",
    );
    const content = at(value, "message", "content", 0);
    const form = [name, fieldNames(value), textAt(value, "attachment", "type"), fieldNames(content)].join(
      " ",
    );
    if (!forms.has(form)) forms.set(form, value);
  }
  return [...forms.values()].filter((value) => JSON.stringify(value).length < 8000);
}

const fieldNames = (value: unknown): string =>
  typeof value === "object" && value !== null ? Object.keys(value).sort().join() : typeof value;

/** A copy of one of the values in which one field, somewhere, is gone or holds something else. */
export function damaged(values: readonly unknown[]): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(
    fc.constantFrom<unknown>(
      undefined,
      null,
      "",
      0,
      -1,
      1e400,
      true,
      [],
      {},
      [{}],
      [null],
      "a b",
      "\ud800",
      "x".repeat(200),
    ),
    fc.jsonValue(),
  );
  return fc.tuple(fc.constantFrom(...values), fc.nat(), wrong).map(([value, pick, replacement]) => {
    const copy: unknown = structuredClone(value);
    const paths = [
      ...new Set(
        [...stringsIn(copy)].flatMap(([path]) => path.map((_, end) => path.slice(0, end + 1).join("\n"))),
      ),
    ];
    const path = (paths[pick % paths.length] ?? "").split("\n");
    const holder = at(copy, ...path.slice(0, -1));
    if (typeof holder === "object" && holder !== null) {
      Object.defineProperty(holder, path.at(-1) ?? "", {
        value: replacement,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return copy;
  });
}

/** Runs `translate`; @returns undefined when it refused. Fails on any other error, and on ids the engine may not see. */
export function refusedOrSound(translate: () => Translated): Translated | undefined {
  try {
    const translated = translate();
    expectSound(translated);
    return translated;
  } catch (error) {
    if (error instanceof RefusedError) {
      expect(error.message).not.toBe("");
      return undefined;
    }
    throw error;
  }
}

const ID_FIELDS = new Set(["agentId", "promptId", "toolUseId", "parentToolUseId", "messageId"]);

export function expectSound({ sessionId, inputs }: Translated): void {
  if (sessionId !== undefined) expect(isId(sessionId)).toBe(true);
  for (const [path, text] of stringsIn(inputs)) {
    if (ID_FIELDS.has(path.at(-1) ?? "")) expect(isId(text), `${path.join(".")}: ${text}`).toBe(true);
  }
  const undefinedField = inputs.find((input) => Object.values(input).includes(undefined));
  expect(undefinedField).toBeUndefined();
}

export type Of<Type> = Extract<SourceInput, { readonly type: Type }>;

export function ofType<Type extends SourceInput["type"]>(
  inputs: readonly SourceInput[],
  type: Type,
): readonly Of<Type>[] {
  return inputs.filter((input): input is Of<Type> => input.type === type);
}

/** The number that a recording's script gave the call. */
export const callNumber = (input: { readonly call: CallRef }): number =>
  Number(/call(\d\d)/.exec(input.call.toolUseId ?? "")?.[1]);
