// Rule door
// Takes people's requests about rules: to make, remove or try a rule, or to make a dry rule take effect.
//
//   Owns:          the steps from the body of a request about rules to its result.
//   Does not own:  protocols (adapters), what a rule answers (machines/rules), the rules' rows (rows/rule-rows).
//
// RULE-DOOR-1. The door itself knows the name of the person who makes or removes a rule, and never takes this name from the body
//     of the message.
// RULE-DOOR-2. An invalid rule is refused before it is journalled. The refusal names the faulty field.

import { NOTHING_GUARDED, type RuleTerms, type WorkspaceId } from "../../machines/index.ts";
import { keys } from "../rows/keys.ts";
import type { KeptRule } from "../rows/rule-rows.ts";
import { ENGINE, type OwnMessage, type RuleEnforced, type RuleRemoved } from "../message.ts";
import { RefusedError } from "../errors/errors.ts";
import { inTime } from "../in-time.ts";
import type { Clock } from "../ports.ts";
import { checkWithin, type Reach } from "../workspace-reach.ts";
import { Reader } from "../reading/reader.ts";
import { ended, type Trial, trialInSlices, type TrialProgress, type Tried } from "../reading/rule-trial.ts";
import { ruleIn, ruleView, type RuleView } from "../reading/rules.ts";
import type { Engine } from "../engine/engine.ts";
import type { FileChanges, Reply } from "../turn/turn-result.ts";
import type { Caller, Door } from "./door.ts";
import { type FileTerms, readFile, readRule, readTrial } from "./rule-terms.ts";
import { filePlan, type Standing, tooMany } from "../turn/rule-file.ts";

export interface RuleDoorOptions {
  readonly engine: Engine;
  readonly door: Door;
  readonly clock: Clock;
}

export interface Ruled {
  readonly position: number;
  readonly rule: RuleView;
}

/** What a file of rules has changed, or would change. */
export interface Filed extends FileChanges<RuleView | RuleTerms, RuleView> {
  /** The position of the journal entry that put the file in force; absent if the file was only checked. */
  readonly position?: number;
}

export class RuleDoor {
  readonly #options: RuleDoorOptions;

  constructor(options: RuleDoorOptions) {
    this.#options = options;
  }

  /** @throws RefusedError WRONG_SHAPE, TOO_MANY_RULES, the fault in the body (with a dead letter). */
  async add(body: Uint8Array, caller: Caller): Promise<Ruled> {
    const { door } = this.#options;
    const { workspace, ...wanted } = await door.refusals.refusing({ ...caller, body }, () => readRule(body));
    door.checkHome(workspace, caller);
    const said = { type: "rule.added", ...wanted, by: caller.by } as const;
    return this.#made({ door: "own", workspace, session: ENGINE.session, said }, body, caller);
  }

  /**
   * Puts a file of rules in force, or only returns what the file would change.
   * @throws RefusedError WRONG_SHAPE, TOO_MANY_RULES, the fault in the body (with a dead letter).
   */
  async file(body: Uint8Array, caller: Caller): Promise<Filed> {
    const { engine, door, clock } = this.#options;
    const wanted = await door.refusals.refusing({ ...caller, body }, () => readFile(body));
    const { workspace, scope, rules, isChecked } = wanted;
    door.checkHome(workspace, caller);
    if (isChecked) {
      const { added, over, kept, removed } = planOf(this.#standing(workspace), engine.meta().at, wanted);
      return { added, over, kept: this.#viewed(kept), removed: this.#viewed(removed) };
    }
    const said = { type: "rules.applied", scope, rules, by: caller.by } as const;
    const message: OwnMessage = { door: "own", workspace, session: ENGINE.session, said };
    const reply = await inTime(clock, door.own(message, body, caller));
    const { position, file } = reply;
    if (!file) throw refusalOf(reply);
    const { added, kept, removed, over } = file;
    return {
      position,
      added: this.#viewed(added),
      kept: this.#viewed(kept),
      removed: this.#viewed(removed),
      over,
    };
  }

  #standing(workspace: WorkspaceId) {
    const reader = new Reader(this.#options.engine.store);
    // The cast is safe: only rows of rules have keys with these prefixes.
    const under = (prefix: string) => reader.rows(prefix, Infinity) as readonly KeptRule[];
    return { inForce: under(keys.rulesOf(workspace)), ended: under(keys.endedOf(workspace)) };
  }

  #viewed(rules: readonly KeptRule[]): readonly RuleView[] {
    const { at } = this.#options.engine.meta();
    return rules.map((rule) => ruleView(rule, at));
  }

  /** @param workspace the workspace of the rule, if the caller named it. @throws RefusedError UNKNOWN_RULE */
  remove(id: string, caller: Caller, workspace?: string): Promise<Ruled> {
    return this.#said({ type: "rule.removed", id, by: caller.by }, caller, workspace);
  }

  /** Makes a dry rule answer the approvals that are requested from now on. @throws RefusedError UNKNOWN_RULE */
  enforce(id: string, caller: Caller, workspace?: string): Promise<Ruled> {
    return this.#said({ type: "rule.enforced", id, by: caller.by }, caller, workspace);
  }

  /**
   * Tries rules on past approvals.
   * @param reach the workspaces that the asker may see. @throws RefusedError UNKNOWN_RULE, or the fault in the body.
   */
  async trial(body: Uint8Array, reach?: Reach): Promise<Trial> {
    return inTime(this.#options.clock, ended(this.trialInSlices(body, reach)));
  }

  /**
   * Tries rules without a time limit, and yields the progress. @throws RefusedError UNKNOWN_RULE, or the fault in the body,
   * before the trial begins.
   */
  trialInSlices(body: Uint8Array, reach?: Reach): AsyncGenerator<TrialProgress, Trial> {
    const { engine } = this.#options;
    const { of, limit, rules, rule, file } = readTrial(body);
    checkWithin(reach, of.workspace);
    const reader = new Reader(engine.store);
    const known = rules.map((id): KeptRule => {
      const found = ruleIn(reader, id, of.workspace);
      if (!found) throw unknownRule(id);
      return found;
    });
    const tried = file ? this.#asFiled(of.workspace, file) : [...known, ...(rule ? [rule] : [])];
    const { guarded = NOTHING_GUARDED } = engine.meta().configuration;
    return trialInSlices(reader, tried, { ...of, limit, guarded, withCalls: true });
  }

  /** The rules that would answer if the file were in force. A rule that the file would add is named by its place in the file. */
  #asFiled(workspace: WorkspaceId, file: FileTerms): readonly Tried[] {
    const standing = this.#standing(workspace);
    const { added, removed } = planOf(standing, this.#options.engine.meta().at, file);
    const stay = standing.inForce.filter((rule) => !removed.includes(rule));
    const come = added.map((terms) => ({ ...terms, id: `rules[${file.rules.indexOf(terms)}]` }));
    return [...stay, ...come].filter(({ dry }) => dry !== true);
  }

  async #said(said: RuleRemoved | RuleEnforced, caller: Caller, workspace?: string): Promise<Ruled> {
    const { id } = said;
    const rule = ruleIn(new Reader(this.#options.engine.store), id, workspace);
    if (!rule) throw unknownRule(id);
    const message: OwnMessage = { door: "own", workspace: rule.workspace, session: ENGINE.session, said };
    return this.#made(message, new TextEncoder().encode(id), caller);
  }

  async #made(message: OwnMessage, body: Uint8Array, caller: Caller): Promise<Ruled> {
    const { engine, door, clock } = this.#options;
    const reply = await inTime(clock, door.own(message, body, caller));
    const { position, rule } = reply;
    if (!rule) throw refusalOf(reply);
    return { position, rule: ruleView(rule, engine.meta().at) };
  }
}

/** @throws RefusedError TOO_MANY_RULES */
function planOf(standing: Standing, at: number, file: FileTerms): FileChanges<RuleTerms> {
  const plan = filePlan(standing, at, file);
  if (tooMany(standing, plan) !== undefined) throw refusalOf({ code: "TOO_MANY_RULES" });
  return plan;
}

function refusalOf({
  code,
  reason = "it was not applied",
  path,
}: Pick<Reply, "code" | "reason" | "path">): RefusedError {
  if (code === "TOO_MANY_RULES")
    return new RefusedError(
      "TOO_MANY_RULES",
      "The workspace has 200 rules, which is the limit.",
      "Remove a rule; `npx signalbox rules ls` lists the rules.",
    );
  if (code === "UNKNOWN_RULE") return unknownRule(reason.split(" ")[0] ?? "");
  return new RefusedError(
    "WRONG_SHAPE",
    `${reason}.`,
    "docs/reference/rules.md lists the fields of a rule.",
    path,
  );
}

const unknownRule = (id: string): RefusedError =>
  new RefusedError(
    "UNKNOWN_RULE",
    `There is no rule ${id} in force.`,
    "`npx signalbox rules ls` lists the rules.",
    "id",
  );
