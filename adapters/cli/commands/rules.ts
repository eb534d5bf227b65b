// rules
// Lists, makes, removes and tests the rules that answer approvals.
//
//   Owns:          the options and messages of `rules`, refusing actions if an agent starts the command.
//   Does not own:  what a rule may contain, and which approvals it answers (the engine).
//
// COMMANDS-RULES-1. If an agent runs `rules`, the command makes no rule to allow, takes no suggestion, enforces no dry rule,
//     removes no rule, and applies no file of rules.

import { Argument, type Command, Option } from "commander";
import { resolve } from "node:path";
import { type Client, succeeded } from "../client.ts";
import {
  clientCommand,
  type Common,
  type Context,
  each,
  engineOf,
  groupCommand,
  plainCommand,
  wholeNumber,
} from "../command.ts";
import { refuseAgents } from "../decide.ts";
import { Failure } from "../failures/failure.ts";
import { noneThere } from "../output/none-there.ts";
import { columnsOf } from "../output/terminal.ts";
import { exportRules, type FileAction, type FileOptions, ruleFile } from "../rules/file-actions.ts";
import { fileSchema } from "../rules/file-form.ts";
import { bodyOf, suggestionsAnswer, suggestionsText } from "../rules/suggestions.ts";
import { conditionOptions, durationMs, type TermOptions, termsOf, workspaceOf } from "../rules/terms.ts";
import { type TestOptions, testRules } from "../rules/testing.ts";
import { type RuleAnswer, ruleAnswer, ruledAnswer, ruleLines, ruleTable, ruleText } from "../rules/text.ts";
import { plural } from "../wording.ts";

interface OfWorkspace extends Common {
  readonly workspace?: string;
}
type Listed = OfWorkspace & { readonly ended?: boolean; readonly limit: number };
type Added = OfWorkspace & TermOptions & { readonly dry?: boolean };
type Suggesting = OfWorkspace & {
  readonly project?: string;
  readonly since?: string;
  readonly take?: string;
  readonly dry?: boolean;
  readonly limit?: number;
};

const SHOWN = 50;
const LIMIT_MAX = 1_000;

const EFFECTS = ["allow", "ask", "deny"];

const EXAMPLE = "rules add allow Bash --glob 'npm run test:*'";
const MORE = `  $ npx signalbox rules add deny Bash --prefix 'git push' --note 'I push'
  $ npx signalbox rules add allow Edit --prefix "$PWD/src" --for 2h
  $ npx signalbox rules add allow Bash --glob 'npm test:*' --dry`;

export function rules(context: Context): Command {
  const actions = [...single(context), ...wholeFiles(context)];
  return groupCommand("rules", "the rules that answer approvals", EXAMPLE, actions).addHelpText(
    "after",
    "\nDeny beats ask beats allow. docs/reference/rules.md says what a pattern never matches.",
  );
}

function single(context: Context): readonly Command[] {
  return [
    ruleCommand("ls", "list the rules in force", "rules ls")
      .option("--ended", "list the rules that were removed, used up or have expired")
      .option("--limit <n>", "how many at most", wholeNumber(1, LIMIT_MAX), SHOWN)
      .action((options: Listed) => list(options, context)),
    conditional(ruleCommand("add", "make a rule", EXAMPLE))
      .addArgument(new Argument("<effect>", "what the rule does with a call").choices(EFFECTS))
      .argument("<tool>", "the tool whose calls the rule answers: Bash, Edit, …")
      .option("--note <text>", "why: shown with each answer, and told to a denied agent")
      .option("--dry", "answer nothing, and count what it would have answered")
      .addHelpText("after", MORE)
      .action((effect: string, tool: string, options: Added) => add(effect, tool, options, context)),
    eachRule(REMOVING, context),
    eachRule(ENFORCING, context),
    conditional(ruleCommand("test", "try rules on what was asked before", "rules test r_1k --since 30d"))
      .argument("[what...]", "ids of rules, or one file; neither with --tool")
      .option("--tool <name>", "the tool of a rule that is not made yet")
      .addOption(new Option("--effect <effect>", "the effect of that rule").choices(EFFECTS).default("allow"))
      .option("--since <duration>", "only what was asked in the last 30d, 12h")
      .option("--check", "exit with 1 if a person answered otherwise")
      .option("--limit <n>", "how many answers to show at most", wholeNumber(1, LIMIT_MAX), SHOWN)
      .addHelpText("after", "  $ npx signalbox rules test --tool Bash --prefix 'git status' --check")
      .action((what: readonly string[], options: TestOptions) => testRules(what, options, context)),
    ruleCommand("suggest", "suggest rules from what people answered", "rules suggest --since 30d")
      .option("--since <duration>", "only what was asked in the last 30d, 12h")
      .option("--project <dir>", "only sessions that were started in this folder or below it")
      .option("--take <id>", "make this suggestion a rule")
      .option("--dry", "with --take: answer nothing, and count what it would have answered")
      .option("--limit <n>", "how many at most", wholeNumber(1, LIMIT_MAX))
      .action((options: Suggesting) => suggest(options, context)),
  ];
}

function wholeFiles(context: Context): readonly Command[] {
  const ofFile = (action: FileAction, summary: string): Command =>
    ruleCommand(action, summary, `rules ${action} signalbox.rules.yaml`)
      .argument("[file]", "the file (default: signalbox.rules.yaml)")
      .action((file: string | undefined, options: FileOptions) => ruleFile(action, file, options, context));
  return [
    ofFile("check", "say whether a file of rules is well-formed"),
    ofFile("diff", "tell what a file would change").option("--check", "exit with 1 if there are changes"),
    ofFile("apply", "put a file in force, in the place of what it held before"),
    ruleCommand("export", "print the rules in force as a file", "rules export > signalbox.rules.yaml").action(
      (options: OfWorkspace) => exportRules(options, context),
    ),
    plainCommand("schema", "print the JSON Schema of such a file", "rules schema")
      .option("--json", "the same: it is JSON")
      .action(() => context.terminal.out(JSON.stringify(fileSchema(), undefined, 2))),
  ];
}

const ruleCommand = (name: string, summary: string, example: string): Command =>
  clientCommand(name, summary, example).option(
    "--workspace <id>",
    "the workspace (default: SIGNALBOX_WORKSPACE, the only one there is, or this folder's)",
  );

function conditional(command: Command): Command {
  for (const option of conditionOptions()) command.addOption(option);
  return command;
}

async function list(options: Listed, context: Context): Promise<void> {
  const { terminal, now } = context;
  const { workspace, ended, limit } = options;
  const query = { workspace, ...(ended === true && { state: "ended" }) };
  const client = await engineOf(context, options);
  const found = await client.list("/v1/rules", ruleAnswer, query, limit);
  if (options.json === true) for (const rule of found) terminal.json(rule);
  else if (found.length > 0) terminal.out(ruleTable(found, now(), columnsOf(terminal)));
  else {
    const none = ended === true ? "No rule has ended" : "No rule is in force";
    terminal.out(await noneThere(none, client, workspace));
  }
}

async function add(effect: string, tool: string, options: Added, context: Context): Promise<void> {
  const { env } = context;
  if (effect === "allow") refuseAgents(env, "Making a rule to allow");
  const terms = { ...(await termsOf(effect, tool, options)), ...(options.dry === true && { dry: true }) };
  const client = await engineOf(context, options);
  const workspace = await workspaceOf(client, options, env);
  await make(client, { workspace, ...terms }, options, context);
}

async function make(
  client: Client,
  wanted: object,
  { json }: Common,
  { terminal, now }: Context,
): Promise<void> {
  const { body } = succeeded(await client.send("POST", "/v1/rules", { body: wanted }));
  const { rule } = ruledAnswer.parse(body);
  if (json === true) terminal.json(rule);
  else terminal.out(ruleLines(rule, now()));
}

async function suggest(options: Suggesting, context: Context): Promise<void> {
  const { terminal, now, env } = context;
  const { take, dry, json, limit } = options;
  if (take !== undefined) refuseAgents(env, "Making a rule to allow");
  const client = await engineOf(context, options);
  const workspace = await workspaceOf(client, options, env);
  const project = options.project === undefined ? undefined : resolve(options.project);
  const since = options.since === undefined ? undefined : now() - durationMs(options.since);
  const query = { workspace, project, since, limit: limit ?? (take === undefined ? undefined : TAKEN_FROM) };
  const { items } = await client.get("/v1/rules/suggestions", suggestionsAnswer, query);
  if (take === undefined) {
    if (json === true) for (const each of items) terminal.json(each);
    else terminal.out(suggestionsText(items, now()));
    return;
  }
  const found = items.find(({ id }) => id === take);
  if (!found)
    throw new Failure(
      `There is no suggestion ${take}, or it is no longer made.`,
      "See `npx signalbox rules suggest`, with the same --since and --project.",
    );
  const wanted = { workspace, ...bodyOf(found), ...(dry === true && { dry: true }) };
  await make(client, wanted, options, context);
}

/** The engine lists at most this many suggestions. */
const TAKEN_FROM = 50;

interface Deed {
  readonly name: string;
  readonly summary: string;
  readonly doing: string;
  readonly method: "DELETE" | "POST";
  readonly under: string;
  readonly told: (rule: RuleAnswer, now: number) => string;
}

const REMOVING: Deed = {
  name: "rm",
  summary: "remove rules",
  doing: "Removing a rule",
  method: "DELETE",
  under: "",
  told: (rule) => `${rule.id} is removed: ${ruleText(rule)}. It was used ${plural(rule.used, "time")}.`,
};
const ENFORCING: Deed = {
  name: "enforce",
  summary: "have dry rules answer",
  doing: "Making a rule answer",
  method: "POST",
  under: "/enforce",
  told: ruleLines,
};

function eachRule({ name, summary, doing, method, under, told }: Deed, context: Context): Command {
  const { terminal, env, now } = context;
  return ruleCommand(name, summary, `rules ${name} r_1k`)
    .argument("<id...>", "ids of rules, from `npx signalbox rules ls`")
    .action(async (ids: readonly string[], options: OfWorkspace) => {
      const { workspace, json } = options;
      refuseAgents(env, doing);
      const client = await engineOf(context, options);
      const one = async (id: string): Promise<void> => {
        const path = `/v1/rules/${encodeURIComponent(id)}${under}`;
        const { body } = succeeded(
          await client.send(method, path, { query: { workspace }, ...(method === "POST" && { body: {} }) }),
        );
        const { rule } = ruledAnswer.parse(body);
        if (json === true) terminal.json(rule);
        else terminal.out(told(rule, now()));
      };
      await each(ids, one, context);
    });
}
