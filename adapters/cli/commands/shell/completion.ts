// completion
// Prints the script by which a shell completes the commands, actions and options of `signalbox`.
//
//   Owns:          the completion script for each shell.
//   Does not own:  the list of commands: it is read from the program's definition.
//
// COMPLETION-1. The script offers exactly the commands, actions, options and values that the program's help shows. Where none of
//     them fits, the shell completes file names.

import { Argument, type Command } from "commander";
import { type Context, plainCommand } from "../../command.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

interface Completed {
  readonly name: string;
  readonly about: string;
  readonly isGroup: boolean;
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
    .addArgument(new Argument("<shell>", "which shell").choices(SHELLS))
    .option("--json", "print the words as JSON, a command a line")
    .action((shell: Shell, { json = false }: { readonly json?: boolean }, own: Command) => {
      const all = (own.parent?.commands ?? []).flatMap((command) => completed(command));
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

function completed(command: Command, above: readonly string[] = []): readonly Completed[] {
  const path = [...above, command.name()];
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const own = {
    name: path.join(" "),
    about: command.description(),
    isGroup: command.commands.length > 0,
    actions: [...command.commands.map((each) => each.name()), ...choices],
    options: command.options.flatMap(({ long, hidden, description, argChoices = [], required }) =>
      long && !hidden ? [{ flag: long, about: description, values: argChoices, hasValue: required }] : [],
    ),
  };
  return [own, ...command.commands.flatMap((each) => completed(each, path))];
}

const SCRIPTS: Readonly<Record<Shell, (all: readonly Completed[]) => string>> = {
  bash: bashScript,
  // The script calls `compinit` only if `compinit` has not run yet, because `compinit` would ask the user again which folders to
  // trust.
  zsh: (all) =>
    [
      "(( $+functions[compdef] )) || { autoload -U compinit && compinit }",
      "autoload -U bashcompinit && bashcompinit",
      bashScript(all),
    ].join("\n"),
  fish: (all) => all.flatMap(fishLines).join("\n"),
};

/** The words in the script need no quoting: they are this program's own names, made of letters and dashes. */
function bashScript(all: readonly Completed[]): string {
  const cases = all.map(({ name: typed, isGroup, actions, options }) => {
    const [name = "", action = "*"] = typed.split(" ");
    const values = options.filter((each) => each.values.length > 0);
    const after = values.map((each) => `        ${each.flag}) words="${each.values.join(" ")}" ;;`);
    const words = [...actions, ...options.map(({ flag }) => flag), "--help"].join(" ");
    return [
      `    ${isGroup ? "2" : "*"}:${name}:${action})`,
      `      case $last in`,
      ...after,
      `        *) words="${words}" ;;`,
      "      esac ;;",
    ].join("\n");
  });
  const names = all.map(({ name }) => name).filter((name) => !name.includes(" "));
  return [
    "_signalbox() {",
    '  local words="" now="${COMP_WORDS[COMP_CWORD]}" last="${COMP_WORDS[COMP_CWORD-1]}"',
    '  case "$COMP_CWORD:${COMP_WORDS[1]}:${COMP_WORDS[2]}" in',
    `    1:*) words="${names.join(" ")} help --help --version" ;;`,
    ...cases,
    "  esac",
    '  COMPREPLY=($(compgen -W "$words" -- "$now"))',
    "}",
    "complete -o default -F _signalbox signalbox",
  ].join("\n");
}

function fishLines({ name: typed, about, actions, options }: Completed): readonly string[] {
  const [name = "", action] = typed.split(" ");
  const line = "complete -c signalbox";
  const seen = (words: string): string => `__fish_seen_subcommand_from ${words}`;
  const behind = action === undefined ? seen(name) : `${seen(name)}; and ${seen(action)}`;
  const before = actions.length > 0 ? `${behind}; and not ${seen(actions.join(" "))}` : behind;
  return [
    ...(action === undefined ? [`${line} -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`] : []),
    ...(actions.length > 0 ? [`${line} -n '${before}' -a '${actions.join(" ")}'`] : []),
    ...options.map((each) => {
      const values = each.values.length > 0 ? ` -xa '${each.values.join(" ")}'` : each.hasValue ? " -r" : "";
      return `${line} -n '${behind}' -l ${each.flag.replace(/^--/, "")}${values} -d ${quoted(each.about)}`;
    }),
  ];
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, "\\$&").replaceAll("\n", " ")}'`;
