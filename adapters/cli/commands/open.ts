// open
// Gets a link that signs a browser in once, prints the link, and opens it in a browser.
//
//   Owns:          the output of `open`.
//   Does not own:  making the link (sign-in).

import type { Command } from "commander";
import { clientCommand, type Common, type Context, engineOf } from "../command.ts";
import { openLink, qrLines, signIn } from "../sign-in.ts";

interface Options extends Common {
  readonly qr?: boolean;
  readonly address?: string;
  readonly browser: boolean;
}

export function open(context: Context): Command {
  const { terminal, env } = context;
  return clientCommand("open", "open the panel: print a link that signs in once, and open it", "open")
    .option("--qr", "draw the link for another device, with the name by which others reach the engine")
    .option("--address <origin>", "the engine's address in the link, such as https://box.example")
    .option("--no-browser", "only print the link")
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
