// Rules
// The rules in force, newest first: what each answers, how often it did, who made it. Each can be removed, and a dry one
// be made to answer.
//
//   Owns:          the list, removing, enforcing.
//   Does not own:  making them (inbox/reply/rule-form.tsx, suggested.tsx), what they answer (the engine).

import { useEffect, useState } from "preact/hooks";
import { inputText, scopeText } from "../../../../machines/rules/conditions.ts";
import type { RuleView } from "../../../../runtime/reading/rules.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { ask, refusalOf, remove, send } from "../engine/api.ts";
import { follow, now } from "../engine/engine.ts";
import { useMay } from "../engine/me.ts";
import { useValue } from "../engine/value.ts";
import { Lacks } from "../parts/lacks.tsx";
import { Line } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";
import { Suggested } from "./suggested.tsx";

const SHOWN = 200;

/** A use of a rule shows as a change of its approval, and so does what a dry one counts. */
const isAnswer = ({ entity, view }: StateChange): boolean =>
  entity === "approval" && (view as ApprovalView).by !== undefined;

export function Rules() {
  const [rules, show] = useState<readonly RuleView[]>();
  const [told, tell] = useState("");
  const mayManage = useMay("manage");
  const load = async (): Promise<void> => {
    const step = ask<{ items: readonly RuleView[] }>("/v1/rules", { limit: SHOWN });
    const refused = await refusalOf(step.then(({ items }) => show(items)));
    if (refused) tell(refused.words);
  };
  useEffect(() => {
    const reload = (): void => void load();
    reload();
    const unlisten = [
      follow.onChanges((changes) => changes.some(isAnswer) && reload()),
      follow.onResync(reload),
    ];
    return () => {
      for (const end of unlisten) end();
    };
  }, []);
  const attempt = async (step: Promise<unknown>, done: string): Promise<void> => {
    const refused = await refusalOf(step);
    tell(refused?.words ?? done);
    await load();
  };
  const take = ({ id, workspace }: RuleView): Promise<void> =>
    attempt(remove(`/v1/rules/${id}`, { workspace }), `${id} is removed. It answers nothing any more.`);
  const enforce = ({ id, workspace }: RuleView): Promise<void> =>
    attempt(
      send(`/v1/rules/${id}/enforce?workspace=${encodeURIComponent(workspace)}`, {}),
      `${id} answers what is asked from now on.`,
    );
  return (
    <>
      <section class="rules" aria-labelledby="rules-title">
        <h1 id="rules-title">Rules that answer</h1>
        <p class="quiet">
          Deny beats ask beats allow. Each answers what is asked after it was made. A dry one answers nothing:
          it counts what it would have answered.
        </p>
        <p role="status">{told}</p>
        <Lacks part="manage" />
        {rules?.length === 0 && (
          <p>
            No rule is in force. <q>Allow like this…</q> on a card of the inbox makes one, or look for one
            below.
          </p>
        )}
        {rules && rules.length > 0 && (
          <Table
            rules={rules}
            mayManage={mayManage}
            onRemove={(rule) => void take(rule)}
            onEnforce={(rule) => void enforce(rule)}
          />
        )}
      </section>
      {rules && mayManage && <Suggested rules={rules} isCut={rules.length >= SHOWN} onChange={load} />}
    </>
  );
}

interface TableProps {
  readonly rules: readonly RuleView[];
  readonly mayManage: boolean;
  readonly onRemove: (rule: RuleView) => void;
  readonly onEnforce: (rule: RuleView) => void;
}

const HEADS = ["Rule", "Answers", "Only", "Ends", "Used", "Made by", ""];

function Table({ rules, mayManage, onRemove, onEnforce }: TableProps) {
  return (
    <table>
      <thead>
        <tr>
          {HEADS.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rules.map((rule) => (
          <tr key={rule.id}>
            <td data-head="Rule">
              <code>{rule.id}</code>
            </td>
            <td data-head="Answers">
              <span class={`chip ${rule.effect === "deny" ? "denied" : "approved"}`}>{rule.effect}</span>{" "}
              {rule.dry === true && <span class="chip">dry</span>}{" "}
              <Line text={`${rule.tool} ${inputText(rule)}`} />
              {rule.note !== undefined && (
                <span class="quiet">
                  {" · "}
                  <Line text={rule.note} />
                </span>
              )}
            </td>
            <td data-head="Only">
              <Line text={[rule.workspace, scopeText(rule, "agent")].filter(Boolean).join(", ")} />
            </td>
            <td data-head="Ends">
              <End {...rule} />
            </td>
            <td data-head="Used">
              <Used {...rule} />
            </td>
            <td data-head="Made by">
              <Line text={rule.madeBy} />, <Since at={rule.madeAt} /> ago
            </td>
            <td>
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
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Used({ dry, used, uses, record = { asked: 0, answered: 0, contradicted: 0 } }: RuleView) {
  if (dry !== true)
    return (
      <>
        {used}
        {uses !== undefined && ` of ${uses}`}
      </>
    );
  return (
    <>
      would have answered {record.answered} of {record.asked}, otherwise than a person {record.contradicted}{" "}
      times
    </>
  );
}

/** An engine where nothing happens calls a rule in force until its next entry; the time says more. */
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
