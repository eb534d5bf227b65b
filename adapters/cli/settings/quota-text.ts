// Quota text
// Parses the text of a quota, strictly, and writes a quota as text.
//
//   Owns:          the form in which a quota is written, the messages about a wrong text.
//   Does not own:  what a quota limits, and the default quota (runtime).

import { InvalidArgumentError } from "commander";
import { z } from "zod";
import type { Quota } from "../../../runtime/quota.ts";

const UNITS: Readonly<Record<string, number>> = { "": 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };
const NAMES = ["messages", "bytes", "kept"] as const;
type Name = (typeof NAMES)[number];

const isName = (name: string): name is Name => NAMES.some((each) => each === name);

/** @returns the given parts; the others keep their defaults. @throws InvalidArgumentError with the fault and the right form. */
export function readQuota(text: string): Partial<Quota> {
  if (text === "off") return { messages: "off", bytes: "off", kept: "off" };
  const given: { -readonly [name in Name]?: number | "off" } = {};
  for (const part of text.split(",")) {
    const [, name = "", value = ""] = /^([a-z]+)=(.+)$/i.exec(part) ?? [];
    if (!isName(name)) throw wrong(`"${part}" is none of ${NAMES.map((each) => `${each}=…`).join(", ")}`);
    if (given[name] !== undefined) throw wrong(`${name} is there twice`);
    given[name] = amountOf(name, value);
  }
  return given;
}

function amountOf(name: Name, text: string): number | "off" {
  if (text === "off") return "off";
  const [, digits = "", unit = ""] = /^(\d{1,12})([a-z]*)$/.exec(text.toLowerCase()) ?? [];
  const factor = name === "messages" && unit !== "" ? undefined : UNITS[unit];
  const amount = Number(digits) * (factor ?? NaN);
  if (Number.isSafeInteger(amount) && amount >= 1) return amount;
  const right = name === "messages" ? "a whole number from 1" : "a whole number from 1 with b, kb, mb or gb";
  throw wrong(`${name}=${text} is not ${right}, or off`);
}

const wrong = (what: string): InvalidArgumentError =>
  new InvalidArgumentError(`${what}. For example: --quota messages=500,bytes=8mb,kept=1gb, or --quota off.`);

export function quotaText(quota: Partial<Quota>): string {
  return NAMES.flatMap((name) => (quota[name] === undefined ? [] : [`${name}=${quota[name]}`])).join(",");
}

export const QUOTA = z.codec(z.string().regex(/^[^\0]+$/), z.custom<Partial<Quota>>(), {
  decode(written, context) {
    try {
      return readQuota(written);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      context.issues.push({ code: "custom", input: written, message: error.message });
      return z.NEVER;
    }
  },
  encode: quotaText,
});
