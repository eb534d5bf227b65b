// token
// People's own tokens: creates, lists and removes them. A person's answers carry the name of the token.
//
//   Owns:          its messages, how parts and workspaces are written.
//   Does not own:  the files (data-folder), when an engine learns of a change (token-watch.ts).
//
// COMMANDS-TOKEN-1. An `add` that fails leaves no token that was not there: nobody was shown it.
// COMMANDS-TOKEN-2. Parts and workspaces that are given count for the token from then on. If neither is given, nothing
//     changes.

import { Argument, type Command, InvalidArgumentError } from "commander";
import { type Access, type Part, PARTS } from "../../../runtime/access-token.ts";
import { type Context, plainCommand, workspaceId } from "../command.ts";
import { Failure, misused } from "../failures/failure.ts";
import { qrLines, signInAs } from "../sign-in.ts";
import { table } from "../output/table.ts";
import { agoOf } from "../wording.ts";
import type { Folder } from "../wiring.ts";

interface Options {
  readonly data?: string;
  readonly json?: boolean;
  readonly qr?: boolean;
  readonly address?: string;
  readonly may?: readonly Part[];
  readonly workspace?: readonly string[];
}

export function token(context: Context): Command {
  return plainCommand(
    "token",
    "tokens for people: add NAME, ls, rm NAME; an answer carries the name of its token",
    "token add ada",
  )
    .addArgument(new Argument("<action>", "what to do").choices(["add", "ls", "rm"]))
    .argument("[name]", "the person's name: lower-case letters, digits, - and _")
    .option("--data <dir>", "the engine's data folder")
    .option("--qr", "for add: draw a link that signs their device in once, within five minutes")
    .option("--address <origin>", "the engine's address in that link, such as https://box.example")
    .option("--may <parts>", `for add: what it opens, of ${PARTS.join(",")} (default: all)`, partsIn)
    .option("--workspace <name>", "for add: one that it opens, and no other; may be repeated", oneMore)
    .option("--json", "print JSON, one value a line")
    .action(async (action: string, name: string | undefined, options: Options) => {
      const folder = context.wiring.folder(options.data);
      if (action === "ls") return list(folder, options, context);
      if (name === undefined) throw misused("Whose?", `Write \`npx signalbox token ${action} NAME\`.`);
      return action === "add" ? add(folder, name, options, context) : remove(folder, name, context);
    });
}

/** @returns undefined if neither option is given. */
function accessIn({ may, workspace }: Options): Access | undefined {
  if (may === undefined && workspace === undefined) return undefined;
  return { parts: new Set(may ?? PARTS), ...(workspace && { workspaces: new Set(workspace) }) };
}

const isPart = (name: string): name is Part => PARTS.some((part) => part === name);

function partsIn(text: string): readonly Part[] {
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !isPart(name));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`"${wrong}" is none of ${PARTS.join(", ")}. Write them as view,decide`);
  return names.filter(isPart);
}

const oneMore = (name: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  workspaceId(name),
];

async function add(folder: Folder, name: string, options: Options, context: Context): Promise<void> {
  const isThere = (await folder.tokens()).some((each) => each.name === name);
  const path = await folder.addToken(name, accessIn(options));
  try {
    await show(folder, { name, path }, options, context);
  } catch (error) {
    if (!isThere) await folder.removeToken(name);
    throw error;
  }
}

async function show(
  folder: Folder,
  { name, path }: { readonly name: string; readonly path: string },
  { qr = false, address, json = false }: Options,
  { terminal }: Context,
): Promise<void> {
  const wantsLink = qr || address !== undefined;
  const token = wantsLink ? ((await folder.tokenOf(name)) ?? "") : "";
  const opens = (await folder.tokens()).find((each) => each.name === name) ?? { parts: [] };
  const made = wantsLink ? await signInAs(folder, token, address ?? "elsewhere", opens) : undefined;
  if (json) terminal.json({ name, path, ...made });
  else if (made) {
    for (const line of await qrLines(made.link)) terminal.out(line);
    terminal.out(`${made.link}\nIt signs one device in as ${name}, once, within five minutes.`);
  } else
    terminal.out(
      `The token of ${name} is in ${path}. Hand it over safely: it is SIGNALBOX_TOKEN to them,\nand /?token=… behind an https address of the engine opens the panel. It counts at once.`,
    );
}

async function list(folder: Folder, options: Options, { terminal, now }: Context): Promise<void> {
  const tokens = await folder.tokens();
  if (options.json === true) for (const each of tokens) terminal.json(each);
  else if (tokens.length === 0) terminal.out("Nobody has a token of their own yet.");
  else
    terminal.out(
      table(
        ["name", "since", "may", "in"],
        tokens.map(({ name, since, parts, workspaces }) => [
          name,
          agoOf(since, now()),
          parts.join(",") || "nothing: its grant cannot be read",
          workspaces?.join(",") ?? "all workspaces",
        ]),
      ),
    );
}

async function remove(folder: Folder, name: string, { terminal }: Context): Promise<void> {
  if (!(await folder.removeToken(name)))
    throw new Failure(`${name} has no token in ${folder.dir}.`, "See `npx signalbox token ls`.");
  terminal.out(`${name} has no token any more. A running engine refuses the old one within a second.`);
}
