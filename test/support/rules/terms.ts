// Terms
// Rules and questions for tests: what is not said is ordinary.
//
//   Owns:          making them from words; generating them.
//   Does not own:  what the rules say.

import fc from "fast-check";
import {
  type AgentId,
  type AskedCall,
  NOTHING_GUARDED,
  type RuleTerms,
  rulingOf,
  type SessionId,
} from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { anyPath, smuggling, tempting } from "./texts.ts";

export const AT = 1_000_000;

export const asked = (tool: string, input: unknown, other: Partial<AskedCall> = {}): AskedCall => ({
  sessionId: "s" as SessionId,
  agentId: "main" as AgentId,
  isAmbiguous: false,
  at: AT,
  tool,
  input: toolInput(input),
  ...other,
});

export const bash = (command: string, other: Partial<AskedCall> = {}): AskedCall =>
  asked("Bash", { command }, other);

export const glob = (
  effect: RuleTerms["effect"],
  text: string,
  other: Partial<RuleTerms> = {},
): RuleTerms => ({
  effect,
  tool: "Bash",
  match: { kind: "glob", text },
  ...other,
});

/** A rule for commands of Bash. */
export const commandRule = (
  effect: RuleTerms["effect"],
  text: string,
  kind: "glob" | "prefix" = "prefix",
): RuleTerms => ({ effect, tool: "Bash", match: { kind, text } });

/** What rules say to a command where no engine is guarded. */
export const saidOf = (rules: readonly RuleTerms[], command: string): RuleTerms["effect"] | undefined =>
  rulingOf(rules, bash(command), NOTHING_GUARDED)?.effect;

/** The same for a call of any tool. */
export const saidOfCall = (
  rules: readonly RuleTerms[],
  tool: string,
  input: unknown,
): RuleTerms["effect"] | undefined => rulingOf(rules, asked(tool, input), NOTHING_GUARDED)?.effect;

const GLOBS = ["git *", "git status *", "rm *", "ls", "git log -1"];
const PATHS = ["/repo/**", "/repo/src/*", "/**/.env"];
const effects = fc.constantFrom("deny" as const, "ask" as const, "allow" as const);

const match = (tool: string) =>
  fc.oneof(
    fc
      .constantFrom(...(tool === "Bash" ? GLOBS : PATHS))
      .map((text): RuleTerms["match"] => ({ kind: "glob", text })),
    fc.constantFrom("git", "/repo").map((text): RuleTerms["match"] => ({ kind: "prefix", text })),
    fc.constantFrom("git status", "git log").map((command): RuleTerms["match"] => ({
      kind: "exact",
      inputHash: toolInput({ command }).hash,
    })),
    fc.constant(undefined),
  );

export const someRules: fc.Arbitrary<readonly RuleTerms[]> = fc.array(
  fc.constantFrom("Bash", "Read").chain((tool) =>
    fc
      .record({ effect: effects, match: match(tool), agent: fc.constantFrom(undefined, "main", "Explore") })
      .map(({ effect, match: wanted, agent }): RuleTerms => ({
        effect,
        tool,
        ...(wanted && { match: wanted }),
        ...(agent !== undefined && { agent }),
      })),
  ),
  { maxLength: 6 },
);

export const someQuestion: fc.Arbitrary<AskedCall> = fc
  .tuple(
    fc.oneof(
      fc
        .oneof(tempting, smuggling, fc.constantFrom("git status", "ls", "git log"))
        .map((command) => ["Bash", { command }] as const),
      anyPath.map((path) => ["Read", { file_path: path }] as const),
    ),
    fc.constantFrom("main", "a1"),
    fc.constantFrom(undefined, "Explore", "Plan"),
    fc.boolean(),
  )
  .map(([[tool, input], agentId, agentType, isAmbiguous]) =>
    asked(tool, input, {
      agentId: agentId as AgentId,
      isAmbiguous,
      ...(agentType !== undefined && agentId !== "main" && { agentType }),
    }),
  );
