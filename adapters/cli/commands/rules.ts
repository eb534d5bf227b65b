// rules
// Rules that answer: lists them, makes one, removes some, tries them on what was asked before, makes dry ones answer.
//
//   Owns:          its options and messages, the refusal to run for an agent.
//   Does not own:  what a rule may say and answers (the engine).
//
// COMMANDS-RULES-1. An agent makes no rule to allow, makes no dry one answer and removes none: all of these refuse to run in
//     the client's environment, and so does taking a suggestion.

import { Argument, type Command, Option } from "commander";
import { resolve } from "node:path";
import { type Client, succeeded } from "../client.ts";
import { clientCommand, type Common, type Context, each, engineOf, wholeNumber } from "../command.ts";
import { refuseAgents } from "../decide.ts";
import { Failure, misused } from "../failures/failure.ts";
import {
  bodyOf,
  conditionOptions,
  durationMs,
  exportRules,
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
  termsOf,
  testRules,
  workspaceOf,
} from "../rules/index.ts";
import { plural } from "../wording.ts";

type Options = Common &
  TermOptions & {
    readonly workspace?: string;
    readonly tool?: string;
    readonly effect: string;
    readonly ended?: boolean;
    readonly dry?: boolean;
    readonly since?: string;
    readonly take?: string;
    readonly check?: boolean;
    readonly limit?: number;
  };

/** How many are shown where nobody says it. */
const SHOWN = 50;

const ACTIONS = [
  "ls",
  "add",
  "rm",
  "test",
  "suggest",
  "enforce",
  "check",
  "diff",
  "apply",
  "export",
  "schema",
];
const EFFECTS = ["allow", "ask", "deny"] as const;

const MORE = `
  $ npx signalbox rules add deny Bash --prefix 'git push' --note 'I push'
  $ npx signalbox rules add allow Edit --prefix "$PWD/src" --for 2h
  $ npx signalbox rules test --tool Bash --prefix 'git status' --since 30d --check
  $ npx signalbox rules add allow Bash --glob 'npm test:*' --dry
  $ npx signalbox rules suggest --since 30d
  $ npx signalbox rules enforce r_1k
  $ npx signalbox rules rm r_1k
  $ npx signalbox rules check signalbox.rules.yaml
  $ npx signalbox rules test signalbox.rules.yaml --since 30d --check
  $ npx signalbox rules diff signalbox.rules.yaml
  $ npx signalbox rules apply signalbox.rules.yaml
  $ npx signalbox rules export > signalbox.rules.yaml

Deny beats ask beats allow. docs/reference/rules.md says what a pattern never matches.`;

export function rules(context: Context): Command {
  const command = clientCommand(
    "rules",
    "rules that answer: ls, add EFFECT TOOL, rm ID, test ID or FILE, suggest, enforce ID, check, diff or apply FILE, export, schema",
    "rules add allow Bash --glob 'npm run test:*'",
  )
    .addHelpText("after", MORE)
    .addArgument(new Argument("<action>", "what to do").choices(ACTIONS))
    .argument(
      "[what...]",
      "for add: allow, ask or deny, and the tool; for check, diff, apply and test: a file; else ids of rules",
    )
    .option(
      "--workspace <id>",
      "the workspace (default: SIGNALBOX_WORKSPACE, the only one there is, or this folder's)",
    );
  for (const option of conditionOptions()) command.addOption(option);
  return command
    .option("--note <text>", "why: shown with each answer, and told to a denied agent")
    .option("--dry", "for add and --take: answer nothing, and count what it would have answered")
    .option("--tool <name>", "for test: the tool of a rule that is not made yet")
    .addOption(new Option("--effect <effect>", "for test: its effect").choices(EFFECTS).default("allow"))
    .option("--since <duration>", "for test and suggest: only what was asked in the last 30d, 12h")
    .option("--take <id>", "for suggest: make this suggestion a rule")
    .option("--check", "for test: exit with 1 if a person answered otherwise; for diff: if there are changes")
    .option("--ended", "for ls: those that were removed, used up or have expired")
    .option("--limit <n>", "for ls, test and suggest: how many at most", wholeNumber(1, 1_000))
    .action(async (action: string, what: readonly string[], options: Options) => {
      const client = (): Promise<Client> => engineOf(context, options);
      if (action === "check" || action === "diff" || action === "apply")
        return ruleFile(action, client, what, options, context);
      if (action === "export") return exportRules(await client(), options, context);
      if (action === "schema") return context.terminal.out(JSON.stringify(fileSchema(), undefined, 2));
      if (action === "add") return add(client, what, options, context);
      if (action === "rm") return eachRule(client, what, options, context, REMOVING);
      if (action === "enforce") return eachRule(client, what, options, context, ENFORCING);
      if (action === "suggest") return suggest(client, options, context);
      return action === "ls"
        ? list(await client(), options, context)
        : testRules(client, what, { ...options, limit: options.limit ?? SHOWN }, context);
    });
}

async function list(client: Client, options: Options, { terminal, now }: Context): Promise<void> {
  const { workspace, ended, limit = SHOWN } = options;
  const query = { workspace, ...(ended === true && { state: "ended" }) };
  const found = await client.list("/v1/rules", ruleAnswer, query, limit);
  if (options.json === true) for (const rule of found) terminal.json(rule);
  else
    terminal.out(
      found.length > 0 ? ruleTable(found, now()) : `No rule ${ended === true ? "ended" : "is in force"}.`,
    );
}

type Connect = () => Promise<Client>;

async function add(
  connect: Connect,
  [effect, tool, ...rest]: readonly string[],
  options: Options,
  { terminal, now, env }: Context,
): Promise<void> {
  if (
    effect === undefined ||
    tool === undefined ||
    rest.length > 0 ||
    !EFFECTS.some((each) => each === effect)
  )
    throw misused(
      "A rule has an effect and a tool.",
      "Write `npx signalbox rules add allow Bash --prefix 'git status'`.",
    );
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

async function suggest(connect: Connect, options: Options, { terminal, now, env }: Context): Promise<void> {
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
      `${take} is not suggested, or not any more.`,
      "See `npx signalbox rules suggest`, with the same --since and --project.",
    );
  const rule = await made(client, { workspace, ...bodyOf(found), ...(dry === true && { dry: true }) });
  if (json === true) terminal.json(rule);
  else terminal.out(ruleLines(rule, now()));
}

/** As many as the engine lists. */
const TAKEN_FROM = 50;

interface Deed {
  readonly name: string;
  /** What an agent may not do. */
  readonly doing: string;
  readonly method: "DELETE" | "POST";
  readonly under: string;
  readonly told: (rule: RuleAnswer, now: number) => string;
}

const REMOVING: Deed = {
  name: "rm",
  doing: "Removing a rule",
  method: "DELETE",
  under: "",
  told: (rule) => `${rule.id} is removed: ${ruleText(rule)}. It was used ${plural(rule.used, "time")}.`,
};
const ENFORCING: Deed = {
  name: "enforce",
  doing: "Making a rule answer",
  method: "POST",
  under: "/enforce",
  told: ruleLines,
};

async function eachRule(
  connect: Connect,
  ids: readonly string[],
  { workspace, json }: Options,
  context: Context,
  { name, doing, method, under, told }: Deed,
): Promise<void> {
  const { terminal, env, now } = context;
  if (ids.length === 0) throw misused("Which rule?", `Write \`npx signalbox rules ${name} ID\`.`);
  refuseAgents(env, doing);
  const client = await connect();
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
}
