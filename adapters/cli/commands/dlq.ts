// dlq
// Lists and shows dead letters, and sends them to the engine again.
//
//   Owns:          its messages.
//   Does not own:  which letters can be sent again, and with what effect (runtime/door/retry, runtime/retried).

import type { Command } from "commander";
import { z } from "zod";
import { letterAnswer, type LetterAnswer } from "../answers.ts";
import { type Client, succeeded } from "../client.ts";
import {
  clientCommand,
  type Common,
  type Context,
  each,
  engineOf,
  groupCommand,
  wholeNumber,
} from "../command.ts";
import { table } from "../output/table.ts";
import { columnsOf } from "../output/terminal.ts";
import { agoOf, withEngine } from "../wording.ts";

type Listed = Common & { readonly limit: number };

const became = z.looseObject({
  position: z.number().optional(),
  outcome: z.string().optional(),
  results: z.array(z.looseObject({ outcome: z.string() })).optional(),
});

export function dlq(context: Context): Command {
  return groupCommand("dlq", "the dead letters: what was not applied, and why", "dlq ls", [
    clientCommand("ls", "list them, the newest first", "dlq ls")
      .option("--limit <n>", "how many at most", number, 50)
      .action(async (options: Listed) => list(await engineOf(context, options), options, context)),
    ofLetters("show", "show all that is known of one", showOne, context),
    ofLetters("retry", "have the engine apply it again", retryOne, context),
    ofLetters("dismiss", "take it off everybody's list", dismissal(false), context),
    ofLetters("reopen", "undo a dismissal", dismissal(true), context),
  ]);
}

type Act = (client: Client, letters: readonly number[], isJson: boolean, context: Context) => Promise<void>;

const ofLetters = (name: string, summary: string, act: Act, context: Context): Command =>
  clientCommand(name, summary, `dlq ${name} 3`)
    .argument(
      "<id...>",
      "their numbers, from `npx signalbox dlq ls`",
      (text: string, before: readonly number[] | undefined) => [...(before ?? []), number(text)],
    )
    .action(async (letters: readonly number[], options: Common) =>
      act(await engineOf(context, options), letters, options.json === true, context),
    );

const number = wholeNumber(1);

const showOne: Act = (client, letters, isJson, context) =>
  each(letters, (id) => show(client, id, isJson, context), context);
const retryOne: Act = (client, letters, isJson, context) =>
  each(letters, (id) => retry(client, id, isJson, context), context);
const dismissal =
  (back: boolean): Act =>
  async (client, letters, isJson, context) =>
    dismiss(client, await there(client, letters, context), back, isJson, context);

async function list(client: Client, { json, limit }: Listed, { terminal, now }: Context): Promise<void> {
  const letters = await client.list("/v1/dead-letters", letterAnswer, {}, limit);
  if (json === true) for (const letter of letters) terminal.json(letter);
  else if (letters.length === 0) terminal.out("There are no dead letters.");
  else {
    const rows = letters.map((letter) => [
      withEngine(String(letter.n), letter),
      letter.code,
      agoOf(letter.at, now()),
      fateOf(letter),
      letter.reason,
    ]);
    terminal.out(table(["LETTER", "CODE", "AGE", "SINCE THEN", "REASON"], rows, columnsOf(terminal)));
  }
}

const fateOf = ({ retriedAt, dismissed }: LetterAnswer): string => {
  if (retriedAt !== undefined) return `retried as entry ${retriedAt}`;
  return dismissed ? `dismissed by ${dismissed.by}` : "";
};

async function show(client: Client, id: number, json: boolean, { terminal }: Context): Promise<void> {
  const letter = await client.get(`/v1/dead-letters/${id}`, letterAnswer);
  if (json) {
    terminal.json(letter);
    return;
  }
  const { body, at, dismissed, ...rest } = letter;
  const gone = dismissed && { dismissed: `by ${dismissed.by}, ${new Date(dismissed.at).toISOString()}` };
  const facts = Object.entries({ ...rest, at: new Date(at).toISOString(), ...gone });
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(([name, value]) => `${name.padEnd(width)}  ${String(value)}`);
  terminal.out(["LETTER", ...lines, "", body, ""].join("\n"));
}

async function retry(client: Client, id: number, json: boolean, { terminal }: Context): Promise<void> {
  const { body } = succeeded(await client.send("POST", `/v1/dead-letters/${id}/retry`, { body: {} }));
  const told = became.parse(body);
  if (json) {
    terminal.json({ letter: id, ...told });
    return;
  }
  const outcomes = told.results?.map(({ outcome }) => outcome) ?? [told.outcome ?? "taken in"];
  const place = told.position === undefined ? "" : ` as entry ${told.position}`;
  terminal.out(`The dead letter ${id} was applied again${place}: ${outcomes.join(", ")}.`);
}

/** Filters the ids of letters that exist, and reports the others. @throws Failure if the only id does not exist. */
async function there(client: Client, ids: readonly number[], context: Context): Promise<readonly number[]> {
  const found: number[] = [];
  const look = async (id: number): Promise<void> => {
    await client.get(`/v1/dead-letters/${id}`, letterAnswer);
    found.push(id);
  };
  await each(ids, look, context);
  return found;
}

async function dismiss(
  client: Client,
  letters: readonly number[],
  back: boolean,
  isJson: boolean,
  { terminal }: Context,
): Promise<void> {
  if (letters.length === 0) return;
  const body = { letters, ...(back && { back }) };
  const answer = succeeded(await client.send("POST", "/v1/dead-letters/dismissal", { body }));
  if (isJson) {
    terminal.json({ letters, ...became.parse(answer.body) });
    return;
  }
  const which = letters.length === 1 ? `Letter ${String(letters[0])}` : `Letters ${letters.join(", ")}`;
  const be = letters.length === 1 ? "is" : "are";
  terminal.out(
    back
      ? `${which} ${be} not dismissed any more.`
      : `${which} ${be} dismissed, for everybody. To take it back: \`npx signalbox dlq reopen ${letters.join(" ")}\`.`,
  );
}
