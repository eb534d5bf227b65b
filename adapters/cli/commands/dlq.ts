// dlq
// Lists and shows dead letters, has the engine apply them again, and dismisses them.
//
//   Owns:          the messages of `dlq`.
//   Does not own:  which dead letters can be applied again (runtime/door/retry), applying them (runtime/turn/set-aside/retried).

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
    clientCommand("ls", "list the dead letters, the newest first", "dlq ls")
      .option("--limit <n>", "how many at most", number, 50)
      .action(async (options: Listed) => list(await engineOf(context, options), options, context)),
    ofLetters("show", "show all that is known of a dead letter", eachOf(show), context),
    ofLetters("retry", "have the engine apply a dead letter again", eachOf(retry), context),
    ofLetters("dismiss", "take a dead letter off everybody's list", dismissal(false), context),
    ofLetters("reopen", "undo a dismissal", dismissal(true), context),
  ]);
}

type ActOn<T> = (client: Client, on: T, isJson: boolean, context: Context) => Promise<void>;
type Act = ActOn<readonly number[]>;

const ofLetters = (name: string, summary: string, act: Act, context: Context): Command =>
  clientCommand(name, summary, `dlq ${name} 3`)
    .argument(
      "<id...>",
      "numbers of dead letters, from `npx signalbox dlq ls`",
      (text: string, before: readonly number[] | undefined) => [...(before ?? []), number(text)],
    )
    .action(async (letters: readonly number[], options: Common) =>
      act(await engineOf(context, options), letters, options.json === true, context),
    );

const number = wholeNumber(1);

const eachOf =
  (act: ActOn<number>): Act =>
  (client, letters, isJson, context) =>
    each(letters, (id) => act(client, id, isJson, context), context);

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

/** @returns those ids that dead letters have; the other ids are reported. @throws Failure if the only given id does not exist. */
async function there(client: Client, ids: readonly number[], context: Context): Promise<readonly number[]> {
  const found: number[] = [];
  const look = async (id: number): Promise<void> => {
    await client.get(`/v1/dead-letters/${id}`, letterAnswer);
    found.push(id);
  };
  await each(ids, look, context);
  return found;
}

const dismissal =
  (back: boolean): Act =>
  async (client, ids, isJson, context) => {
    const { terminal } = context;
    const letters = await there(client, ids, context);
    if (letters.length === 0) return;
    const body = { letters, ...(back && { back }) };
    const answer = succeeded(await client.send("POST", "/v1/dead-letters/dismissal", { body }));
    if (isJson) {
      terminal.json({ letters, ...became.parse(answer.body) });
      return;
    }
    const which =
      letters.length === 1 ? `Letter ${String(letters[0])} is` : `Letters ${letters.join(", ")} are`;
    terminal.out(
      back
        ? `${which} not dismissed any more.`
        : `${which} dismissed, for everybody. To take it back: \`npx signalbox dlq reopen ${letters.join(" ")}\`.`,
    );
  };
