// rules
// Lists, makes, removes and tests the rules that answer approvals.
//
//   Owns:          its options and messages, the refusal to run for an agent.
//   Does not own:  what a rule may contain and answers (the engine).
//
// COMMANDS-RULES-1. In an agent's environment the command refuses to make a rule to allow, to make a dry rule answer, to remove a
//     rule, and to take a suggestion.

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
import {
  bodyOf,
  conditionOptions,
  durationMs,
  exportRules,
  type FileAction,
  type FileOptions,
  fileSchema,
  type RuleAnswer,
  ruleAnswer,
  ruledAnswer,
  ruleFile,
  ruleLines,
  ruleTable,
  ruleText,
  suggestionsAnswer,
  suggestionsText,
  type TermOptions,
  type TestOptions,
  termsOf,
  testRules,
  workspaceOf,
} from "../rules/index.ts";
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

/** The default of `--limit`. */
const SHOWN = 50;
const LIMIT_MAX = 1_000;

const EFFECTS = ["allow", "ask", "deny"];

const EXAMPLE = "rules add allow Bash --glob 'npm run test:*'";
const MORE = `  $ npx signalbox rules add deny Bash --prefix 'git push' --note 'I push'
  $ npx signalbox rules add allow Edit --prefix "$PWD/src" --for 2h
  $ npx signalbox rules add allow Bash --glob 'npm test:*' --dry`;

export function rules(context: Context): Command {
  const actions = [...single(context), ...wholeFiles(context)];
  return groupCommand("rules", "rules that answer", EXAMPLE, actions).addHelpText(
    "after",
    "\nDeny beats ask beats allow. docs/reference/rules.md says what a pattern never matches.",
  );
}

type Connect = () => Promise<Client>;
const connecting =
  (context: Context) =>
  (options: Common): Connect =>
  () =>
    engineOf(context, options);

function single(context: Context): readonly Command[] {
  const engine = connecting(context);
  return [
    ruleCommand("ls", "list those in force", "rules ls")
      .option("--ended", "those that were removed, used up or have expired")
      .option("--limit <n>", "how many at most", wholeNumber(1, LIMIT_MAX), SHOWN)
      .action((options: Listed) => list(engine(options), options, context)),
    conditional(ruleCommand("add", "make one", EXAMPLE))
      .addArgument(new Argument("<effect>", "what it does with a call").choices(EFFECTS))
      .argument("<tool>", "whose calls it answers: Bash, Edit, …")
      .option("--note <text>", "why: shown with each answer, and told to a denied agent")
      .option("--dry", "answer nothing, and count what it would have answered")
      .addHelpText("after", MORE)
      .action((effect: string, tool: string, options: Added) =>
        add(engine(options), effect, tool, options, context),
      ),
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
      .action((what: readonly string[], options: TestOptions) =>
        testRules(engine(options), what, options, context),
      ),
    ruleCommand("suggest", "suggest rules from what people answered", "rules suggest --since 30d")
      .option("--since <duration>", "only what was asked in the last 30d, 12h")
      .option("--project <dir>", "only sessions that were started in this folder or below it")
      .option("--take <id>", "make this suggestion a rule")
      .option("--dry", "with --take: answer nothing, and count what it would have answered")
      .option("--limit <n>", "how many at most", wholeNumber(1, LIMIT_MAX))
      .action((options: Suggesting) => suggest(engine(options), options, context)),
  ];
}

function wholeFiles(context: Context): readonly Command[] {
  const engine = connecting(context);
  const ofFile = (action: FileAction, summary: string): Command =>
    ruleCommand(action, summary, `rules ${action} signalbox.rules.yaml`)
      .argument("[file]", "the file (default: signalbox.rules.yaml)")
      .action((file: string | undefined, options: FileOptions) =>
        ruleFile(action, engine(options), file, options, context),
      );
  return [
    ofFile("check", "say whether a file of rules is well-formed"),
    ofFile("diff", "tell what a file would change").option("--check", "exit with 1 if there are changes"),
    ofFile("apply", "put a file in force, in the place of what it held before"),
    ruleCommand("export", "print those in force as a file", "rules export > signalbox.rules.yaml").action(
      async (options: OfWorkspace) => exportRules(await engine(options)(), options, context),
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

async function list(connect: Connect, options: Listed, { terminal, now }: Context): Promise<void> {
  const { workspace, ended, limit } = options;
  const query = { workspace, ...(ended === true && { state: "ended" }) };
  const client = await connect();
  const found = await client.list("/v1/rules", ruleAnswer, query, limit);
  if (options.json === true) for (const rule of found) terminal.json(rule);
  else if (found.length > 0) terminal.out(ruleTable(found, now(), columnsOf(terminal)));
  else {
    const none = ended === true ? "No rule has ended" : "No rule is in force";
    terminal.out(await noneThere(none, client, workspace));
  }
}

async function add(
  connect: Connect,
  effect: string,
  tool: string,
  options: Added,
  { terminal, now, env }: Context,
): Promise<void> {
  if (effect === "allow") refuseAgents(env, "Making a rule to allow");
  const terms = { ...(await termsOf(effect, tool, options)), ...(options.dry === true && { dry: true }) };
  const client = await connect();
  const workspace = await workspaceOf(client, options, env);
  const rule = await made(client, { workspace, ...terms });
  if (options.json === true) terminal.json(rule);
  else terminal.out(ruleLines(rule, now()));
}

async function made(client: Client, wanted: object): Promise<RuleAnswer> {
  const { body } = succeeded(await client.send("POST", "/v1/rules", { body: wanted }));
  return ruledAnswer.parse(body).rule;
}

async function suggest(
  connect: Connect,
  options: Suggesting,
  { terminal, now, env }: Context,
): Promise<void> {
  const { take, dry, json, limit } = options;
  if (take !== undefined) refuseAgents(env, "Making a rule to allow");
  const client = await connect();
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
      `The rule ${take} is not suggested, or not any more.`,
      "See `npx signalbox rules suggest`, with the same --since and --project.",
    );
  const rule = await made(client, { workspace, ...bodyOf(found), ...(dry === true && { dry: true }) });
  if (json === true) terminal.json(rule);
  else terminal.out(ruleLines(rule, now()));
}

/** The engine lists at most so many suggestions. */
const TAKEN_FROM = 50;

interface Deed {
  readonly name: string;
  readonly summary: string;
  /** The action in words, for the refusal to an agent. */
  readonly doing: string;
  readonly method: "DELETE" | "POST";
  readonly under: string;
  readonly told: (rule: RuleAnswer, now: number) => string;
}

const REMOVING: Deed = {
  name: "rm",
  summary: "remove some",
  doing: "Removing a rule",
  method: "DELETE",
  under: "",
  told: (rule) => `${rule.id} is removed: ${ruleText(rule)}. It was used ${plural(rule.used, "time")}.`,
};
const ENFORCING: Deed = {
  name: "enforce",
  summary: "have dry ones answer",
  doing: "Making a rule answer",
  method: "POST",
  under: "/enforce",
  told: ruleLines,
};

function eachRule({ name, summary, doing, method, under, told }: Deed, context: Context): Command {
  const { terminal, env, now } = context;
  return ruleCommand(name, summary, `rules ${name} r_1k`)
    .argument("<id...>", "their ids, from `npx signalbox rules ls`")
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
