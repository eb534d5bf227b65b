// token
// Creates, lists and removes access tokens. A user's answers carry the name of their token.
//
//   Owns:          its messages, how parts and workspaces are written.
//   Does not own:  the files (data-folder), when an engine reads a change (token-watch.ts).
//
// COMMANDS-TOKEN-1. If `add` fails, it removes the token it has made: the user never saw it.
// COMMANDS-TOKEN-2. Given parts and workspaces replace the token's earlier ones. Without any such option, the token's access
//     stays unchanged.

import { type Command, InvalidArgumentError } from "commander";
import { defined } from "../../../machines/defined.ts";
import { type Access, type Part, PARTS } from "../../../runtime/access-token.ts";
import { type Context, groupCommand, plainCommand, workspaceId } from "../command.ts";
import { Failure } from "../failures/failure.ts";
import { qrLines, signInAs } from "../sign-in.ts";
import { table } from "../output/table.ts";
import { agoOf } from "../wording.ts";
import type { Folder } from "../wiring.ts";

interface Shared {
  readonly data?: string;
  readonly json?: boolean;
}

interface Options extends Shared {
  readonly qr?: boolean;
  readonly address?: string;
  readonly may?: readonly Part[];
  readonly workspace?: readonly string[];
  readonly vouch?: true;
}

export function token(context: Context): Command {
  const folderOf = ({ data }: Shared): Folder => context.wiring.folder(data);
  return groupCommand("token", "people's tokens: an answer carries the name of its token", "token add ada", [
    tokenCommand("add", "make one, or change what it opens", "token add ada")
      .argument("<name>", "the person's name: lower-case letters, digits, - and _")
      .option("--qr", "draw a link that signs their device in once, within five minutes")
      .option("--address <origin>", "the engine's address in that link, such as https://box.example")
      .option("--may <parts>", `what it opens, of ${PARTS.join(",")} (default: all)`, partsIn)
      .option("--workspace <name>", "one that it opens, and no other; may be repeated", oneMore)
      .option("--vouch", "for another engine, which says for whom it asks (docs/how-to/inbox.md)")
      .action((name: string, options: Options) => add(folderOf(options), name, options, context)),
    tokenCommand("ls", "list whose there are, and what each opens", "token ls").action((options: Shared) =>
      list(folderOf(options), options, context),
    ),
    tokenCommand("rm", "take one away; it ends within a second", "token rm ada")
      .argument("<name>", "whose")
      .action((name: string, options: Shared) => remove(folderOf(options), name, context)),
  ]);
}

const tokenCommand = (name: string, summary: string, example: string): Command =>
  plainCommand(name, summary, example)
    .option("--data <dir>", "the engine's data folder")
    .option("--json", "print JSON, one value a line");

/** @returns undefined if no option about it is given. */
function accessIn({ may, workspace, vouch }: Options): Access | undefined {
  if (may === undefined && workspace === undefined && vouch === undefined) return undefined;
  const access = { parts: new Set(may ?? PARTS), ...defined({ vouches: vouch }) };
  return workspace ? { ...access, workspaces: new Set(workspace) } : access;
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
    terminal.out(`${made.link}\nThe link signs one device in as ${name}, once, within five minutes.`);
  } else
    terminal.out(
      `The token of ${name} is in ${path}. Hand it over safely. That person sets it as SIGNALBOX_TOKEN,\nor opens the panel by the engine's https address with /?token=… behind it. It is valid at once.`,
    );
}

async function list(folder: Folder, options: Shared, { terminal, now }: Context): Promise<void> {
  const tokens = await folder.tokens();
  if (options.json === true) for (const each of tokens) terminal.json(each);
  else if (tokens.length === 0) terminal.out("Nobody has a token of their own yet.");
  else
    terminal.out(
      table(
        ["name", "since", "may", "in"],
        tokens.map(({ name, since, parts, workspaces, vouches }) => [
          name,
          agoOf(since, now()),
          (parts.join(",") || "nothing: its grant cannot be read") + (vouches ? ", for others" : ""),
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
