// token
// Creates, lists and removes access tokens. An answer that a user gives carries the name of the user's token.
//
//   Owns:          the messages of `token`, how a token's access is written: its parts and its workspaces.
//   Does not own:  the files of the tokens (data-folder), when an engine notices that they change (token-watch.ts).
//
// COMMANDS-TOKEN-1. If `token add` fails after it has made a token, it removes that token, which the user has never seen.
// COMMANDS-TOKEN-2. If `token add` gets parts of the access, or workspaces, for an existing token, these replace the token's
//     earlier ones; otherwise the token's access stays as it was.

import { type Command, InvalidArgumentError } from "commander";
import { defined } from "../../../machines/defined.ts";
import { type Access, type Part, PARTS } from "../../../runtime/access-token.ts";
import { type Context, folderCommand, groupCommand, type OfFolder, workspaceId } from "../command.ts";
import { Failure } from "../failures/failure.ts";
import { qrLines, signInAs } from "../sign-in.ts";
import { table } from "../output/table.ts";
import { agoOf } from "../wording.ts";
import type { Folder } from "../wiring.ts";

interface Options extends OfFolder {
  readonly qr?: boolean;
  readonly address?: string;
  readonly may?: readonly Part[];
  readonly workspace?: readonly string[];
  readonly vouch?: true;
}

export function token(context: Context): Command {
  const folderOf = ({ data }: OfFolder): Folder => context.wiring.folder(data);
  return groupCommand("token", "people's tokens: an answer carries the name of its token", "token add ada", [
    folderCommand("add", "make a person's token, or change what it opens", "token add ada")
      .argument("<name>", "the person's name: lower-case letters, digits, - and _")
      .option("--qr", "draw a link that signs the person's device in once, within five minutes")
      .option("--address <origin>", "the engine's address in that link, such as https://box.example")
      .option("--may <parts>", `what the token opens, of ${PARTS.join(",")} (default: all)`, partsIn)
      .option(
        "--workspace <name>",
        "a workspace that the token opens, and no other; may be repeated",
        oneMore,
      )
      .option("--vouch", "for another engine, which says for whom it asks (docs/how-to/inbox.md)")
      .action((name: string, options: Options) => add(folderOf(options), name, options, context)),
    folderCommand("ls", "list the tokens, and what each opens", "token ls").action((options: OfFolder) =>
      list(folderOf(options), options, context),
    ),
    folderCommand("rm", "remove a token; it ends within a second", "token rm ada")
      .argument("<name>", "the person's name")
      .action((name: string, options: OfFolder) => remove(folderOf(options), name, context)),
  ]);
}

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
      `The token of ${name} is in ${path}. Hand it over safely. That person sets it as SIGNALBOX_TOKEN,\nor opens the panel by the engine's https address with /?token=… behind it. The token is valid at once.`,
    );
}

async function list(folder: Folder, options: OfFolder, { terminal, now }: Context): Promise<void> {
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
