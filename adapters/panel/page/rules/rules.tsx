// Rules
// The rules in force, newest first: what each answers, how often it did, who made it. Each can be removed.
//
//   Owns:          the list, removing.
//   Does not own:  making them (inbox/allow-like-this.tsx), what they answer (the engine).

import { useEffect, useState } from "preact/hooks";
import { inputText, scopeText } from "../../../../machines/rules/conditions.ts";
import type { RuleView } from "../../../../runtime/reading/rules.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { ApiError, ask, refusalOf, remove } from "../engine/api.ts";
import { follow, now } from "../engine/engine.ts";
import { useValue } from "../engine/value.ts";
import { Line } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";

const SHOWN = 200;

const isByRule = ({ entity, view }: StateChange): boolean =>
  entity === "approval" && (view as ApprovalView).by?.startsWith("rule:") === true;

export function Rules() {
  const [rules, show] = useState<readonly RuleView[]>();
  const [told, tell] = useState("");
  const load = (): void => {
    ask<{ items: readonly RuleView[] }>("/v1/rules", { limit: SHOWN }).then(
      ({ items }) => show(items),
      (error: unknown) => error instanceof ApiError && tell(error.words),
    );
  };
  useEffect(() => {
    load();
    // A use of a rule shows as a change of its approval.
    const unlisten = [follow.onChanges((changes) => changes.some(isByRule) && load()), follow.onResync(load)];
    return () => {
      for (const end of unlisten) end();
    };
  }, []);
  const take = async ({ id, workspace }: RuleView): Promise<void> => {
    const refused = await refusalOf(remove(`/v1/rules/${id}`, { workspace }));
    tell(refused?.words ?? `${id} is removed. It answers nothing any more.`);
    load();
  };
  return (
    <section class="rules" aria-labelledby="rules-title">
      <h1 id="rules-title">Rules that answer</h1>
      <p class="quiet">Deny beats ask beats allow. Each answers what is asked after it was made.</p>
      <p role="status">{told}</p>
      {rules?.length === 0 && (
        <p>
          No rule is in force. <q>Allow like this…</q> on a card of the inbox makes one.
        </p>
      )}
      {rules && rules.length > 0 && <Table rules={rules} onRemove={(rule) => void take(rule)} />}
    </section>
  );
}

interface TableProps {
  readonly rules: readonly RuleView[];
  readonly onRemove: (rule: RuleView) => void;
}

const HEADS = ["Rule", "Answers", "Only", "Ends", "Used", "Made by", ""];

function Table({ rules, onRemove }: TableProps) {
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
              {rule.used}
              {rule.uses !== undefined && ` of ${rule.uses}`}
            </td>
            <td data-head="Made by">
              <Line text={rule.madeBy} />, <Since at={rule.madeAt} /> ago
            </td>
            <td>
              <button type="button" aria-label={`Remove ${rule.id}`} onClick={() => onRemove(rule)}>
                Remove
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
