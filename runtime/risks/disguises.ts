// Disguises
// Finds texts that are not what they look like: invisible characters, letters that look like others, gaps.
//
//   Owns:          which characters count as a disguise, where an input has such characters.
//   Does not own:  making hidden characters visible (runtime/text), the words of a risk mark (table.ts).

import { isAbout } from "../../machines/rules/subject.ts";
import { DISGUISES, type Risk, riskOf } from "./table.ts";

/** How many characters of an input are checked: more than any input has that is shown in one piece. */
const TEXT_MAX = 4 * 1024 * 1024;
const AROUND = 16;
const FOUND_MAX = 80;

const UNSEEN = /(?!\r\n|[\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Matches emoji that are joined by an invisible character. Everybody sees such emoji as one sign, so they hide nothing. */
const EMOJI =
  /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*/gu;

/** Cyrillic, Greek, Armenian, wide and mathematical letters that look like Latin ones. */
const LIKE_LATIN =
  "авсԁеԍһіјӏкмпорԛѕтԝхуѵАВСЕНІЈКМОРЅТХУԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορυχօսհոցԱՍՕıɑɡℓ\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}";
const LETTER = new RegExp(`[${LIKE_LATIN}]|[^\\0-\\x7f]`, "u");
/** Matches a letter of LIKE_LATIN beside a Latin letter, because a reader takes both for Latin letters. */
const MIXED = new RegExp(`[A-Za-z][${LIKE_LATIN}]|[${LIKE_LATIN}][A-Za-z]`, "u");
/** Matches a name of only LIKE_LATIN letters, and characters that look like a flag's dash, or like a slash, dot or space. */
const POSING = new RegExp(
  `(?<![\\p{L}\\p{M}])[${LIKE_LATIN}]{2,}(?![\\p{L}\\p{M}])|(?:^|\\s)[\\u2010-\\u2015\\u2212]{1,2}[A-Za-z]|[\\u2044\\u2215\\u29f8\\uff0f\\u2024\\uff0e\\uff61\\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000]`,
  "u",
);
const GAP = /[^\S\n]{40,}(?=\S)|(?:[^\S\n]*\n){6,}\s*(?=\S)/;

/** The fields of an input whose texts a person reads as names, not as prose. */
const NAMES: ReadonlySet<string> = new Set([
  ...["command", "shownCommand", "file_path", "notebook_path", "path", "url"],
]);

interface Named {
  readonly name: string;
  readonly text: string;
}

/** Finds the disguises in an input. @returns at most one mark of each kind. */
export function disguisesIn(tool: string, input: unknown): readonly Risk[] {
  const texts = textsIn(input);
  const names = texts.filter(({ name }) => NAMES.has(name));
  const isProse = isAbout(tool) === undefined && !names.some(({ name }) => name === "url");
  const first = (among: readonly Named[], find: (text: string) => string | undefined): string | undefined => {
    for (const { text } of among) {
      const found = find(text);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const unseen = first(texts, unseenIn);
  const lookalike = first(texts, mixedIn) ?? first(names, posingIn);
  const gap = isProse ? undefined : first(names, behindGap);
  return [
    ...(unseen === undefined ? [] : [riskOf(DISGUISES.unseen, unseen)]),
    ...(lookalike === undefined ? [] : [riskOf(DISGUISES.lookalike, lookalike)]),
    ...(gap === undefined ? [] : [riskOf(DISGUISES.gap, gap)]),
  ];
}

function unseenIn(text: string): string | undefined {
  if (!UNSEEN.test(text)) return undefined;
  const plain = text.replace(EMOJI, "☺");
  const at = plain.search(UNSEEN);
  return at < 0 ? undefined : around(plain, at);
}

function mixedIn(text: string): string | undefined {
  const found = /[^\0-\x7f]/.test(text) ? MIXED.exec(text) : null;
  return found ? spelled(text, found.index, LETTER) : undefined;
}

function posingIn(text: string): string | undefined {
  const found = /[^\0-\x7f]/.test(text) ? POSING.exec(text) : null;
  return found ? spelled(text, found.index, /[^\0-\x7f]/u) : undefined;
}

/** @returns the letter of a word that looks like another letter; undefined if none does. */
export function lookalikeIn(word: string): string | undefined {
  const found = mixedIn(word) === undefined && posingIn(word) === undefined ? null : LETTER.exec(word);
  return found ? codeOf(found[0]) : undefined;
}

/** Shows a letter with its Unicode number, because the eye cannot tell it from the letter that it looks like. */
function spelled(text: string, at: number, letter: RegExp): string {
  return `${around(text, at)} (${codeOf(letter.exec(text.slice(at))?.[0] ?? "")})`;
}

function codeOf(sign: string): string {
  const code = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `${sign.trim() === "" ? "a space" : sign} is U+${code}`;
}

function behindGap(text: string): string | undefined {
  const whole = text.trimEnd();
  const gap = GAP.exec(whole);
  return gap ? whole.slice(gap.index + gap[0].length).slice(0, FOUND_MAX) : undefined;
}

function around(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - AROUND), at);
  const after = text.slice(at, at + AROUND + 2);
  const end = after.indexOf("\n", 1);
  return `${before.slice(before.lastIndexOf("\n") + 1)}${end < 0 ? after : after.slice(0, end)}`.trim();
}

/** All texts of an input with the names of their fields, up to the limit. */
function textsIn(input: unknown): readonly Named[] {
  const found: Named[] = [];
  const left: (readonly [string, unknown])[] = [["", input]];
  let room = TEXT_MAX;
  for (let next = left.pop(); next && room > 0; next = left.pop()) {
    const [name, value] = next;
    if (typeof value === "string") {
      found.push({ name, text: value.slice(0, room) });
      room -= value.length + 1;
    } else if (Array.isArray(value)) left.push(...value.map((each: unknown) => [name, each] as const));
    else if (typeof value === "object" && value !== null) left.push(...Object.entries(value).reverse());
  }
  return found;
}
