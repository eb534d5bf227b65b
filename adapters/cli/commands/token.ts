// token
// Gives a person a token, so that their answers carry their name.
//
//   Owns:          what is said of it.
//   Does not own:  the file (data-folder).

import { Argument, type Command } from "commander";
import { type Context, plainCommand } from "../command.ts";

export function token({ wiring, terminal }: Context): Command {
  return plainCommand(
    "token",
    "give a person a token of their own; their answers then carry their name",
    "token add ada",
  )
    .addArgument(new Argument("<action>", "what to do").choices(["add"]))
    .argument("<name>", "whose it is: lower-case letters, digits, - and _")
    .option("--data <dir>", "the engine's data folder")
    .action(async (_action: string, name: string, options: { readonly data?: string }) => {
      const path = await wiring.folder(options.data).addToken(name);
      terminal.out(
        `The token of ${name} is in ${path}. Hand it over safely: it is SIGNALBOX_TOKEN to them.\nIt counts from the engine's next start.`,
      );
    });
}
