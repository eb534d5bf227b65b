// completion
// Prints what a shell needs to complete this program's commands, their actions and their options.
//
//   Owns:          the script of each shell.
//   Does not own:  the commands: it reads them from the program.
//
// COMPLETION-1. It offers the words that the program's own help has, and files everywhere else.

import { Argument, type Command } from "commander";
import { type Context, plainCommand } from "../../command.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** What can stand behind a command. */
interface Completed {
  readonly name: string;
  readonly about: string;
  readonly actions: readonly string[];
  readonly options: readonly {
    readonly flag: string;
    readonly about: string;
    readonly values: readonly string[];
    readonly hasValue: boolean;
  }[];
}

export function completion({ terminal }: Context): Command {
  return plainCommand("completion", "print a script that completes commands in a shell", "completion bash")
    .addHelpText("after", HOW)
    .addArgument(new Argument("<shell>", "which one").choices(SHELLS))
    .option("--json", "print the words as JSON, a command a line")
    .action((shell: Shell, { json = false }: { readonly json?: boolean }, own: Command) => {
      const all = (own.parent?.commands ?? []).map(completed);
      if (json) for (const each of all) terminal.json(each);
      else terminal.out(SCRIPTS[shell](all));
    });
}

const HOW = `
For every new shell:
  bash  echo 'eval "$(signalbox completion bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(signalbox completion zsh)"' >> ~/.zshrc
  fish  signalbox completion fish > ~/.config/fish/completions/signalbox.fish
It completes \`signalbox\`: run \`npm link\` once, or install the package.`;

const completed = (command: Command): Completed => ({
  name: command.name(),
  about: command.description(),
  actions: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
  options: command.options.flatMap(({ long, hidden, description, argChoices = [], required }) =>
    long && !hidden ? [{ flag: long, about: description, values: argChoices, hasValue: required }] : [],
  ),
});

const SCRIPTS: Readonly<Record<Shell, (all: readonly Completed[]) => string>> = {
  bash: bashScript,
  // compinit would ask again whom it trusts.
  zsh: (all) =>
    [
      "(( $+functions[compdef] )) || { autoload -U compinit && compinit }",
      "autoload -U bashcompinit && bashcompinit",
      bashScript(all),
    ].join("\n"),
  fish: (all) => all.flatMap(fishLines).join("\n"),
};

/** All words in it are names of our own: letters and dashes. */
function bashScript(all: readonly Completed[]): string {
  const cases = all.map(({ name, actions, options }) => {
    const values = options.filter((each) => each.values.length > 0);
    const after = values.map((each) => `        ${each.flag}) words="${each.values.join(" ")}" ;;`);
    const words = [...actions, ...options.map(({ flag }) => flag), "--help"].join(" ");
    return [
      `    ${name})`,
      `      case $last in`,
      ...after,
      `        *) words="${words}" ;;`,
      "      esac ;;",
    ].join("\n");
  });
  return [
    "_signalbox() {",
    '  local words="" now="${COMP_WORDS[COMP_CWORD]}" last="${COMP_WORDS[COMP_CWORD-1]}"',
    '  case "$COMP_CWORD:${COMP_WORDS[1]}" in',
    `    1:*) words="${all.map(({ name }) => name).join(" ")} help --help --version" ;;`,
    ...cases.map((each) => each.replace("    ", "    *:")),
    "  esac",
    '  COMPREPLY=($(compgen -W "$words" -- "$now"))',
    "}",
    "complete -o default -F _signalbox signalbox",
  ].join("\n");
}

function fishLines({ name, about, actions, options }: Completed): readonly string[] {
  const line = "complete -c signalbox";
  const behind = `-n '__fish_seen_subcommand_from ${name}'`;
  return [
    `${line} -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
    ...(actions.length > 0 ? [`${line} ${behind} -a '${actions.join(" ")}'`] : []),
    ...options.map((each) => {
      const values = each.values.length > 0 ? ` -xa '${each.values.join(" ")}'` : each.hasValue ? " -r" : "";
      return `${line} ${behind} -l ${each.flag.replace(/^--/, "")}${values} -d ${quoted(each.about)}`;
    }),
  ];
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, "\\$&").replaceAll("\n", " ")}'`;
