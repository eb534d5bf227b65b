// open
// Signs a browser in: prints a link that works once, and opens it.
//
//   Owns:          its output.
//   Does not own:  the link (sign-in).

import type { Command } from "commander";
import { clientCommand, type Common, type Context, engineOf } from "../command.ts";
import { openLink, qrLines, signIn } from "../sign-in.ts";

interface Options extends Common {
  readonly qr?: boolean;
  readonly address?: string;
  /** False with `--no-browser`. */
  readonly browser: boolean;
}

export function open(context: Context): Command {
  const { terminal, env } = context;
  return clientCommand("open", "open the panel: print a link that signs in once, and open it", "open")
    .option("--qr", "draw it for another device, under the name that others reach the engine by")
    .option("--address <origin>", "the engine's address in the link, such as https://box.example")
    .option("--no-browser", "print it only")
    .action(async ({ qr = false, address, browser, ...common }: Options) => {
      const { opener } = context.wiring.folder(common.data);
      const made = await signIn(await engineOf(context, common), address ?? (qr ? "elsewhere" : "here"));
      if (common.json === true) return terminal.json(made);
      if (qr) for (const line of await qrLines(made.link)) terminal.out(line);
      terminal.out(made.link);
      terminal.out("The link signs in one browser, once, within five minutes.");
      if (!browser || qr) return;
      const isOpening = await openLink(made.link, env, opener);
      terminal.out(
        isOpening ? "If no browser shows the panel, open the link yourself." : "Open the link in a browser.",
      );
    });
}
