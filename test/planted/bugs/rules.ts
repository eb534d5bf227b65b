// Rules
// Bugs in what a rule allows, and in what it denies.

import type { Bug } from "../bug.ts";

const RULES = "test/machines/rules";

export const RULES_THAT_ALLOW: readonly Bug[] = [
  {
    name: "a rule does not see through options",
    harm: "`git -C x push` runs, though `git push` is denied.",
    edits: [
      {
        file: "machines/rules/sight.ts",
        find: "      if (!takes) add(at + 1, certain && isKnown);\n      if (!isKnown || takes) add(at + 2, certain && isKnown);\n",
        put: "",
      },
    ],
    witness: { file: `${RULES}/sight.test.ts`, claim: "SIGHT-1" },
    second: { file: `${RULES}/ruling.test.ts`, claim: "SUBJECT-3" },
  },
  {
    name: "what may be an alias of a denied command is let through",
    harm: "`git -c alias.p=push p` runs, though `git push` is denied.",
    edits: [
      {
        file: "machines/rules/sight.ts",
        find: 'return sight.mayMean(operands) ? "unsure" : "no";',
        put: 'return "no";',
      },
    ],
    witness: { file: `${RULES}/sight.test.ts`, claim: "SIGHT-2" },
    second: { file: `${RULES}/ruling.test.ts`, claim: "SIGHT-2" },
  },
  {
    name: "a star covers options that write files",
    harm: "The rule `git log *` lets `git log --output=.bashrc` run.",
    edits: [
      {
        file: "machines/rules/command-match.ts",
        find: "read.reaches.every((reach) => isNamed(pattern, reach));",
        put: "read.reaches.length >= 0;",
      },
    ],
    witness: { file: `${RULES}/reach.programs.test.ts`, claim: "COMMAND-MATCH-4" },
    second: { file: `${RULES}/command-match.test.ts`, claim: "COMMAND-MATCH-4" },
  },
  {
    name: "an option that is cut short is none",
    harm: "`git log --outp=x` writes a file that `--output=x` may not write.",
    edits: [
      {
        file: "machines/rules/programs/program-row.ts",
        find: 'option.startsWith("--") ? wanted.startsWith(given) : wanted === given',
        put: "wanted === given",
      },
    ],
    witness: { file: `${RULES}/program-table.test.ts`, claim: "PROGRAM-ROW-1" },
    second: { file: `${RULES}/reach.programs.test.ts`, claim: "REACH-1" },
  },
  {
    name: "a folder reaches what runs later",
    harm: "A rule for a folder lets a hook of its repository be written.",
    edits: [
      {
        file: "machines/rules/ruling.ts",
        find: "telling: isChanging(tool) ? subjects.paths.flatMap(tellingIn) : [],",
        put: "telling: isChanging(tool) ? subjects.paths.flatMap(tellingIn).slice(0, 0) : [],",
      },
    ],
    witness: { file: `${RULES}/later-files.test.ts`, claim: "RULING-7" },
    second: { file: "test/adapters/http/gate/rules.test.ts", claim: "RULING-7" },
  },
  {
    name: "a dry rule answers",
    harm: "What a person only wanted to watch lets commands run.",
    edits: [
      {
        file: "machines/rules/ruling.ts",
        find: "    if (rule.dry === true) continue;\n",
        put: "",
      },
    ],
    witness: { file: "test/runtime/turn/dry-recording.test.ts", claim: "RULING-8" },
    second: { file: "test/adapters/http/gate/rules.test.ts", claim: "RULING-8" },
  },
  {
    name: "a command writes what runs later",
    harm: "The rule `cp *` lets a hook of the repository be put in place.",
    edits: [
      {
        file: "machines/rules/reach.ts",
        find: "    if (program.writes) this.#files(at);\n",
        put: "",
      },
    ],
    witness: { file: `${RULES}/program-table.test.ts`, claim: "REACH-3" },
    second: { file: `${RULES}/hostile.test.ts`, claim: "COMMAND-MATCH-4" },
  },
  {
    name: "the engine's folder is guarded by its usual name only",
    harm: "A rule for `cat` gives away the key of an engine that keeps its data elsewhere.",
    edits: [
      {
        file: "machines/rules/guarded.ts",
        find: "      into.some((place) => leadsInto(place, folder, here)) ||\n",
        put: "",
      },
      {
        file: "machines/rules/guarded.ts",
        find: "paths.some((path) => hasFolder(folded, path))",
        put: "paths.length < 0",
      },
    ],
    witness: { file: `${RULES}/guarded.test.ts`, claim: "GUARDED-1" },
    second: { file: "test/adapters/gate/rules.test.ts", claim: "GUARDED-1" },
  },
  {
    name: "only the usual port is guarded",
    harm: "A rule for `curl` lets an agent answer itself, on an engine with another port.",
    edits: [
      {
        file: "machines/rules/guarded.ts",
        find: "[USUAL_PORT, ...ports]",
        put: "[USUAL_PORT, ...ports.slice(0, 0)]",
      },
    ],
    witness: { file: `${RULES}/guarded.test.ts`, claim: "GUARDED-2" },
    second: { file: "test/adapters/gate/rules.test.ts", claim: "GUARDED-2" },
  },
  {
    name: "a shell by another name is no shell",
    harm: "A rule for Monitor, without a pattern, lets every command run.",
    edits: [
      {
        file: "machines/rules/subject.ts",
        find: '  Monitor: { ...COMMAND, others: ["description", "timeout_ms", "persistent"] },\n',
        put: "",
      },
    ],
    witness: { file: `${RULES}/rule.test.ts`, claim: "RULE-1" },
    second: { file: `${RULES}/ruling.test.ts`, claim: "SUBJECT-2" },
  },
  {
    name: "a tool that is not known takes any command",
    harm: "A rule for a tool of another server lets every command run that it is given.",
    edits: [
      {
        file: "machines/rules/conditions.ts",
        find: " && subjects.commands.length === 0 && telling",
        put: " && telling",
      },
    ],
    witness: { file: `${RULES}/ruling.test.ts`, claim: "RULING-6" },
    second: { file: `${RULES}/subject.test.ts`, claim: "RULING-6" },
  },
  {
    name: "a file of rules brings back what was used up",
    harm: "Each time that the file is applied, a rule for five calls allows five more.",
    edits: [
      {
        file: "runtime/turn/rule-file.ts",
        find: "spent.has(name) || !isInForce(terms, at)",
        put: "!isInForce(terms, at)",
      },
    ],
    witness: { file: "test/runtime/turn/rule-file.test.ts", claim: "RULE-FILE-3" },
  },
  {
    name: "a rule forgets the uses of the hour",
    harm: "A rule for two calls an hour allows any number.",
    edits: [
      {
        file: "machines/rules/terms.ts",
        find: "lately: [...withinHour(lately, at), at]",
        put: "lately: withinHour(lately, at)",
      },
    ],
    witness: { file: "test/runtime/rows/rule-hourly.test.ts", claim: "RULE-ROWS-3" },
  },
  {
    name: "a trial uses nothing up",
    harm: "A rule for three calls is said to answer a thousand, and its maker trusts that.",
    edits: [
      {
        file: "runtime/reading/backtest/rules-in-use.ts",
        find: "= afterUse(ruling.rule, at);",
        put: "= ruling.rule;",
      },
    ],
    witness: { file: "test/runtime/reading/rule-trial.test.ts", claim: "RULES-IN-USE-1" },
  },
  {
    name: "a trial looks at the newest first",
    harm: "A rule for one call is said to answer another one than it would have.",
    edits: [
      {
        file: "runtime/reading/backtest/places.ts",
        find: "return one.at - other.at;",
        put: "return other.at - one.at;",
      },
    ],
    witness: { file: "test/runtime/reading/rule-trial.test.ts", claim: "RULE-TRIAL-1" },
  },
  {
    name: "a suggested rule allows what bears a risk's mark",
    harm: "A person takes `cat src/*` for harmless, and it reads a secret.",
    edits: [
      {
        file: "runtime/reading/suggesting/candidates.ts",
        find: "match: pattern.match, project, unmarked: true }",
        put: "match: pattern.match, project }",
      },
    ],
    witness: { file: "test/runtime/reading/suggesting/suggestions.test.ts", claim: "SUGGESTIONS-2" },
  },
  {
    name: "a suggestion opens what one session asked for",
    harm: "An agent that asks five times for itself is answered by a rule from then on.",
    edits: [
      {
        file: "runtime/reading/suggesting/candidates.ts",
        find: "const SESSIONS_MIN = 2;",
        put: "const SESSIONS_MIN = 1;",
      },
    ],
    witness: {
      file: "test/runtime/reading/suggesting/suggestions.test.ts",
      claim: "SUGGESTING-CANDIDATES-1",
    },
  },
  {
    name: "whoever asked counts as one of two",
    harm: "A person waves the calls of their own agent through with one other, or none, where two others are wanted.",
    edits: [
      {
        file: "machines/evidence/votes.ts",
        find: "(needsOthers(demand) && isRequester(approval, person))",
        put: "false",
      },
    ],
    witness: { file: "test/adapters/http/people.test.ts", claim: "VOTES-2" },
    second: { file: "test/runtime/turn/rule-answering.people.test.ts", claim: "VOTES-2" },
  },
  {
    name: "one person is two by two doors",
    harm: "Somebody approves by a token and over NATS, and is counted as two people.",
    edits: [{ file: "machines/evidence/votes.ts", find: 'by.replace(DOOR, "")', put: "by" }],
    witness: { file: "test/runtime/turn/rule-answering.people.test.ts", claim: "VOTES-1" },
  },
  {
    name: "the first rule to ask hides what the others demand",
    harm: "An older rule that asks about everything takes the second approval away.",
    edits: [
      {
        file: "runtime/turn/rule-answering.ts",
        find: "asked.flatMap((each) => demandOf(each) ?? [])",
        put: "[rule].flatMap((each) => demandOf(each) ?? [])",
      },
    ],
    witness: { file: "test/runtime/turn/rule-answering.people.test.ts", claim: "RULE-ANSWERING-4" },
  },
  {
    name: "a gate leaves what two are to approve to the client",
    harm: "The deadline passes, and whoever sits at the terminal allows the call alone.",
    edits: [
      {
        file: "adapters/gate/waiting.ts",
        find: "if (told.closed !== undefined) wait = { ...wait, closed: told.closed };",
        put: "",
      },
    ],
    witness: { file: "test/adapters/gate/waiting.test.ts", claim: "GATE-WAITING-4" },
  },
  {
    name: "what was read of a call in one folder holds in another",
    harm: "A command is suggested for a folder outside of which it leads, since it was harmless elsewhere.",
    edits: [
      {
        file: "runtime/reading/backtest/once.ts",
        find: "${part(tool)}${part(cwd)}",
        put: "${part(tool)}",
      },
    ],
    witness: { file: "test/runtime/reading/backtest/once.test.ts", claim: "BACKTEST-ONCE-1" },
  },
  {
    name: "a rule that cannot be sure is left out of a trial",
    harm: "A trial says that a rule to deny leaves a command alone which it would have asked about.",
    edits: [
      {
        file: "machines/rules/conditions.ts",
        find: 'condition.concern(rule, call) !== "no"',
        put: 'condition.concern(rule, call) === "yes"',
      },
    ],
    witness: { file: "test/machines/rules/ruling.test.ts", claim: "RULING-9" },
  },
];
