// Table
// The table of the rules in force: what each rule decides, how often it answered and when it last did, who made it.
//
//   Owns:          the rows of the table; on demand, which approvals a dry rule would have answered.
//   Does not own:  which rules are in force, removing and enforcing rules (rules.tsx).

import { useState } from "preact/hooks";
import { inputText, scopeText } from "../../../../machines/rules/conditions.ts";
import type { Trial } from "../../../../runtime/reading/rule-trial.ts";
import type { RuleView } from "../../../../runtime/reading/rules.ts";
import { send } from "../engine/api.ts";
import { useAnswer } from "../engine/asked.ts";
import { now } from "../engine/engine.ts";
import { useValue } from "../engine/value.ts";
import { atEngine } from "../engine/at-peer.tsx";
import { Failure } from "../parts/failure.tsx";
import { Heads } from "../parts/heads.tsx";
import { Line } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";
import { Cases } from "./cases.tsx";
import { counted } from "../parts/counted.ts";

interface RowProps {
  readonly rule: RuleView;
  readonly mayManage: boolean;
  readonly onRemove: (rule: RuleView) => void;
  readonly onEnforce: (rule: RuleView) => void;
}

interface Props extends Omit<RowProps, "rule"> {
  readonly rules: readonly RuleView[];
}

const HEADS = ["Answers", "Limited to", "Ends", "Used", "Made by", "Rule"];

export const Table = ({ rules, ...props }: Props) => (
  <table class="tile">
    <Heads names={HEADS}>
      <td />
    </Heads>
    <tbody>
      {rules.map((rule) => (
        <Row key={`${rule.engine} ${rule.id}`} rule={rule} {...props} />
      ))}
    </tbody>
  </table>
);

function Row({ rule, ...props }: RowProps) {
  const [isOpen, open] = useState(false);
  const { id, dry, effect, record } = rule;
  return (
    <>
      <tr>
        <td data-head="Answers">
          <span class={`chip ${effect === "deny" ? "denied" : "approved"}`}>{effect}</span>{" "}
          {dry === true && <span class="chip">dry</span>} <Line text={`${rule.tool} ${inputText(rule)}`} />
          {rule.note !== undefined && (
            <span class="quiet">
              {" · "}
              <Line text={rule.note} />
            </span>
          )}
        </td>
        <td data-head="Limited to">
          <Line text={[rule.workspace, scopeText(rule), atEngine(rule.engine)].filter(Boolean).join(", ")} />
        </td>
        <td data-head="Ends">
          <End {...rule} />
        </td>
        <td data-head="Used">
          <Used {...rule} />
          {dry === true && (record?.answered ?? 0) > 0 && (
            <button
              type="button"
              class="bare which"
              aria-expanded={isOpen}
              aria-label={`Which, of ${id}`}
              onClick={() => open(!isOpen)}
            >
              {isOpen ? "Hide them" : "Show them"}
            </button>
          )}
        </td>
        <td data-head="Made by">
          <Line text={rule.madeBy} />, <Since at={rule.madeAt} /> ago
        </td>
        <td data-head="Rule">
          <code>{id}</code>
        </td>
        <td>
          <Buttons rule={rule} {...props} />
        </td>
      </tr>
      {isOpen && (
        <tr class="would">
          <td colSpan={HEADS.length}>
            <Would {...rule} />
          </td>
        </tr>
      )}
    </>
  );
}

const Buttons = ({ rule, mayManage, onRemove, onEnforce }: RowProps) => (
  <div class="actions">
    {rule.dry === true && (
      <button
        type="button"
        disabled={!mayManage}
        aria-label={`Make it answer: ${rule.id}`}
        onClick={() => onEnforce(rule)}
      >
        Make it answer
      </button>
    )}
    <button
      type="button"
      disabled={!mayManage}
      aria-label={`Remove ${rule.id}`}
      onClick={() => onRemove(rule)}
    >
      Remove
    </button>
  </div>
);

function Used({ dry, used, usedAt, uses, record = { asked: 0, answered: 0, contradicted: 0 } }: RuleView) {
  if (dry === true)
    return (
      <>
        would have answered {record.answered} of {record.asked}, otherwise than a person {record.contradicted}{" "}
        times{" "}
      </>
    );
  return (
    <>
      {used}
      {uses !== undefined && ` of ${uses}`}
      {usedAt !== undefined && (
        <span class="quiet">
          , last <Since at={usedAt} /> ago
        </span>
      )}
    </>
  );
}

const CASES = 50;

/** What a dry rule would have answered since it was made; first the approvals that people answered otherwise. */
function Would({ id, workspace, madeAt, engine }: RuleView) {
  const { found, failure } = useAnswer([], () => {
    const body = { workspace, rules: [id], since: madeAt, limit: CASES };
    return send<Trial>("/v1/rules/test", body, { engine });
  });
  if (failure) return <Failure>{failure.words}</Failure>;
  if (!found) return <p class="quiet">Trying it on what was asked since it was made…</p>;
  const { items, differing } = found;
  return (
    <>
      <p class="quiet">
        {differing === 0
          ? "No person answered otherwise. By itself it would have answered:"
          : `People answered otherwise ${counted(differing, "time")}; these come first.`}
      </p>
      <Cases workspace={workspace} cases={items} />
    </>
  );
}

/** When a rule ends. The engine notes the end only with its next journal entry, so the page itself compares the time. */
function End({ state, expiresAt }: RuleView) {
  const current = useValue(now);
  if (state !== "in-force" && state !== "expired") return <>{state}</>;
  if (expiresAt === undefined) return <>never</>;
  if (state === "in-force" && current < expiresAt) return <>{new Date(expiresAt).toLocaleString()}</>;
  return (
    <>
      expired <Since at={expiresAt} /> ago
    </>
  );
}
