// uninstall
// Removes Signalbox's hooks from an agent's settings, and changes nothing else there.
//
//   Owns:          the output of `uninstall`.
//   Does not own:  changing the agent's settings (wiring).

import type { Command } from "commander";
import { type Context, type OfFolder, plainCommand } from "../../command.ts";
import { changeText } from "../../hooks-text.ts";
import type { Scope } from "../../../../runtime/install-form.ts";
import { agentOption, scopeOption } from "./install.ts";

interface Options extends OfFolder {
  readonly agent: string;
  readonly scope: Scope;
  readonly dryRun?: boolean;
  readonly verbose?: boolean;
}

export function uninstall({ terminal, wiring }: Context): Command {
  return plainCommand("uninstall", "take the hooks out of an agent's settings", "uninstall")
    .addOption(agentOption(wiring.agents))
    .addOption(scopeOption())
    .option("--dry-run", "say what would change, and change nothing")
    .option("--verbose", "also show each line that is added to the settings or removed")
    .option("--data <dir>", "the data folder whose hooks they are")
    .option("--json", "print JSON")
    .action(async ({ agent, scope, dryRun = false, verbose = false, data, json = false }: Options) => {
      const hooks = wiring.hooks(data, agent);
      const change = await hooks.uninstall(scope, dryRun);
      if (json) return terminal.json({ ...change, dryRun });
      for (const line of changeText(hooks.about, change, dryRun, verbose)) terminal.out(line);
    });
}
