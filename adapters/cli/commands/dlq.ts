// dlq
// The dead letters: lists them, shows them, sends them to the engine again.
//
//   Owns:          its messages.
//   Does not own:  which of them can be sent again, and with what effect (runtime/door/retry, runtime/retried).

import { Argument, type Command } from "commander";
import { z } from "zod";
import { letterAnswer, type LetterAnswer } from "../answers.ts";
import { type Client, succeeded } from "../client.ts";
import { clientCommand, type Common, type Context, each, engineOf, wholeNumber } from "../command.ts";
import { misused } from "../failures/failure.ts";
import { table } from "../output/table.ts";
import { agoOf } from "../wording.ts";

type Options = Common & { readonly limit: number };

const became = z.looseObject({
  position: z.number().optional(),
  outcome: z.string().optional(),
  results: z.array(z.looseObject({ outcome: z.string() })).optional(),
});

export function dlq(context: Context): Command {
  return clientCommand(
    "dlq",
    "dead letters: list what was not applied and why (ls), show one (show ID), try it again (retry ID), " +
      "dismiss it for everybody (dismiss ID) or take that back (reopen ID)",
    "dlq retry 3",
  )
    .addArgument(new Argument("<action>", "what to do").choices(["ls", "show", "retry", "dismiss", "reopen"]))
    .argument(
      "[id...]",
      "numbers of dead letters, from `npx signalbox dlq ls`",
      (text: string, before: readonly number[] | undefined) => [...(before ?? []), number(text)],
    )
    .option("--limit <n>", "for ls: how many at most, newest first", wholeNumber(1), 50)
    .action(async (action: string, ids: readonly number[] | undefined, options: Options) => {
      if (action !== "ls" && !ids?.length)
        throw misused("Which letters?", `Write \`npx signalbox dlq ${action} ID\`.`);
      const client = await engineOf(context, options);
      if (action === "ls") return list(client, options, context);
      const isBack = action === "reopen";
      if (action === "dismiss" || isBack)
        return dismiss(client, await there(client, ids ?? [], context), isBack, options, context);
      const act = action === "show" ? show : retry;
      await each(ids ?? [], (id) => act(client, id, options.json === true, context), context);
    });
}

const number = wholeNumber(1);

async function list(client: Client, options: Options, { terminal, now }: Context): Promise<void> {
  const letters = await client.list("/v1/dead-letters", letterAnswer, {}, options.limit);
  if (options.json === true) for (const letter of letters) terminal.json(letter);
  else if (letters.length === 0) terminal.out("There are no dead letters.");
  else {
    const rows = letters.map((letter) => [
      String(letter.n),
      letter.code,
      agoOf(letter.at, now()),
      fateOf(letter),
      letter.reason,
    ]);
    terminal.out(table(["LETTER", "CODE", "AGE", "SINCE THEN", "REASON"], rows));
  }
}

const fateOf = ({ retriedAt, dismissed }: LetterAnswer): string => {
  if (retriedAt !== undefined) return `fed again as ${retriedAt}`;
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
  terminal.out(`Letter ${id} was fed again${place}: ${outcomes.join(", ")}.`);
}

/** The letters that exist; the command says which do not. @throws Failure if there is only one. */
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
  { json }: Options,
  { terminal }: Context,
): Promise<void> {
  if (letters.length === 0) return;
  const body = { letters, ...(back && { back }) };
  const answer = succeeded(await client.send("POST", "/v1/dead-letters/dismissal", { body }));
  if (json === true) {
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
