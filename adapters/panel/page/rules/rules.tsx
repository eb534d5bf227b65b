// Rules
// The rules in force, newest first. A person can remove a rule, enforce a dry one, write a new one, or search for suggestions.
//
//   Owns:          reading, removing and enforcing rules.
//   Does not own:  how a rule's row looks (table.tsx), making rules (writing/form.tsx, suggested.tsx), using them (the engine).

import { useEffect, useState } from "preact/hooks";
import { defined } from "../../../../machines/defined.ts";
import type { WithPeers } from "../../../../runtime/peers/peers.ts";
import type { Page } from "../../../../runtime/reading/paging.ts";
import type { RuleView } from "../../../../runtime/reading/rules.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { ask, refusalOf } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import { useMay } from "../engine/me.ts";
import { NotShown } from "../engine/at-peer.tsx";
import { Failure } from "../parts/failure.tsx";
import { Lacks } from "../parts/lacks.tsx";
import { hrefOf } from "../route.ts";
import { styled } from "../look/style.ts";
import { Done, enforceRule, removeRule, useSteps } from "./done.tsx";
import { Suggested } from "./suggested.tsx";
import { Table } from "./table.tsx";
import { isOwn, useWorkspaces } from "./workspaces.ts";
import { WriteRule } from "./writing/form.tsx";

await styled("rules");

const SHOWN = 200;

/**
 * True for the answer to an approval: a rule may have given it, or a dry rule may have counted it, so the figures have changed.
 */
const isAnswer = ({ entity, view }: StateChange): boolean =>
  entity === "approval" && (view as ApprovalView).by !== undefined;

export function Rules() {
  const [found, show] = useState<Page<RuleView> & WithPeers>();
  const [failure, fail] = useState<string>();
  const mayManage = useMay("manage");
  const load = async (): Promise<void> => {
    const refused = await refusalOf(
      ask<Page<RuleView> & WithPeers>("/v1/rules", { limit: SHOWN }).then(show),
    );
    fail(refused?.words);
  };
  useEffect(() => {
    const reload = (): void => void load();
    reload();
    return follow.on((changes) => changes.some(isAnswer) && reload(), reload);
  }, []);
  const steps = useSteps(load);
  const { items: rules, partial } = found ?? {};
  return (
    <>
      <section class="rules" aria-labelledby="rules-title">
        <h1 id="rules-title">Rules that answer</h1>
        <p class="quiet">
          Deny wins over ask, and ask over allow. A rule answers only what is asked after it was made. A dry
          rule answers nothing; it only counts what it would have answered.
        </p>
        {failure !== undefined && <Failure>{failure}</Failure>}
        <NotShown {...defined({ partial })} />
        <Done {...steps} />
        <Lacks part="manage" />
        {rules?.length === 0 && (
          <p>
            No rule is in force. Make one with <q>Allow like this…</q> beside an approval in the{" "}
            <a href={hrefOf({ view: "inbox" })}>inbox</a>
            {mayManage && ", or below"}.
          </p>
        )}
        {rules && rules.length > 0 && (
          <Table
            rules={rules}
            mayManage={mayManage}
            onRemove={(rule) => void steps.take(() => removeRule(rule))}
            onEnforce={(rule) => void steps.take(() => enforceRule(rule))}
          />
        )}
      </section>
      {rules && mayManage && <New rules={rules.filter(isOwn)} onChange={load} />}
    </>
  );
}

interface NewProps {
  readonly rules: readonly RuleView[];
  readonly onChange: () => Promise<void>;
}

function New({ rules, onChange }: NewProps) {
  const workspaces = useWorkspaces(rules);
  if (!workspaces)
    return (
      <p class="suggested quiet">
        Rules can be written and suggested here once the first session has come: a rule belongs to a
        workspace. Run <code>npx signalbox install</code>, then start your agent.
      </p>
    );
  return (
    <>
      <WriteRule workspaces={workspaces} onChange={onChange} />
      <Suggested rules={rules} workspaces={workspaces} isCut={rules.length >= SHOWN} onChange={onChange} />
    </>
  );
}
