// Details
// Shows one call in full: its input, its output, and each of its changes with the journal entry that caused the change.
//
//   Owns:          the box beside the timeline; scrolling the box or the call's row into view; JSON output as a tree or as text;
//                  the sentence about the rule that answered a call.
//   Does not own:  the state machine of the call (machine/); the rule, which the engine keeps for a while after the rule's end.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { AtPeer } from "../../../../runtime/rows/views.ts";
import type { CallAnswer } from "../../../../runtime/reading/queries.ts";
import type { RuleView } from "../../../../runtime/reading/rules.ts";
import { ask, refusal } from "../engine/api.ts";
import { useAnswer, useAsked } from "../engine/asked.ts";
import { InputView } from "../inbox/input/input.tsx";
import { Failure } from "../parts/failure.tsx";
import { leadOfIntent, placeOfIntent } from "../parts/intent-words.ts";
import { Json } from "../parts/json.tsx";
import { later } from "../parts/later.tsx";
import { MissingInput } from "../parts/missing.tsx";
import { Line, Text } from "../parts/text.tsx";
import { MODEL } from "../../../../machines/evidence/answerer.ts";
import { BY_POLICY } from "../../../../machines/rules/rule.ts";
import { causeOf, evidenceOf, labelOf, meaningOf } from "../parts/words.ts";
import { hrefOf } from "../route.ts";
import { Answer, type Asked, useAnswering } from "./answering.tsx";
import { styled } from "../look/style.ts";
import { close, rowLink } from "./keys.ts";
import { jsonIn } from "../../../../machines/json.ts";
import { Tree } from "../parts/tree.tsx";

function CallDetails({ changes, ...asked }: Asked & { readonly changes: readonly StateChange[] }) {
  const { workspace, session, call: id } = asked;
  const answering = useAnswering(asked);
  const isAsked = answering.card?.phase.is === "open";
  const own = changes.filter((change) => change.entity === "toolcall" && change.id === id);
  const version = own.at(-1)?.version;
  const { found: call, failure } = useAnswer([id, workspace, session, version], (signal) =>
    ask<CallAnswer & AtPeer>(`/v1/tool-calls/${id}`, { workspace, session }, signal),
  );
  // A client reports that a call starts before it asks whether the call may run. So the start of a call that has an approval is
  // shown as "Asked".
  const isOneAsked = isAsked || call?.approval !== undefined;
  const box = useInSight();
  return (
    <aside class="details" aria-label="The call" ref={box}>
      <header class="title-row">
        <h2>
          <Line text={call?.tool ?? id} />
        </h2>
        <a class="chip" href={hrefOf({ view: "machine", workspace, session, kind: "call", id })}>
          its machine <kbd>m</kbd>
        </a>
        <button
          type="button"
          class="plain"
          aria-label="Close"
          onClick={() => close({ view: "session", workspace, session })}
        >
          ✕
        </button>
      </header>
      {failure && <Failure>{failure.words}</Failure>}
      <Answer answering={answering} />
      {call && <Known call={call} isAsked={isAsked} />}
      {own.length > 0 && <h3>Changes</h3>}
      <ol class="changes">
        {own.toReversed().map((change) => (
          <li key={change.version}>
            <time dateTime={new Date(change.at).toISOString()}>
              {new Date(change.at).toLocaleTimeString()}
            </time>
            <span class={`chip ${change.to}`} title={change.to}>
              {change.to === "processing" && isOneAsked ? "Asked" : labelOf(change.to)}
            </span>
            <details class="engine">
              <summary>Details</summary>
              <p class="quiet">
                version {change.version}, change {change.part} of {change.parts} of its entry, start{" "}
                {change.epoch} of the engine
              </p>
              <Entry position={change.turn} engine={call?.engine} />
            </details>
          </li>
        ))}
      </ol>
    </aside>
  );
}

/**
 * Scrolls the chosen call's row into sight; then the details, if these are above the rows (on a narrow screen) and out of sight.
 */
function useInSight(): RefObject<HTMLElement | null> {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    rowLink()?.scrollIntoView({ block: "nearest" });
    const { top = 0 } = box.current?.getBoundingClientRect() ?? {};
    if (top < 0 || top > innerHeight) box.current?.scrollIntoView();
  }, []);
  return box;
}

export const Details = later(async () => {
  await styled("details");
  return CallDetails;
});

function Entry({ position, engine }: { readonly position: number; readonly engine: string | undefined }) {
  const [entry, show] = useState<unknown>();
  const toggle = async (): Promise<void> => {
    const asked = entry === undefined && ask<object>(`/v1/journal/${position}`, { engine });
    show(asked ? await asked.catch((error: unknown) => refusal(error).words) : undefined);
  };
  return (
    <>
      <button type="button" class="chip" aria-expanded={entry !== undefined} onClick={() => void toggle()}>
        entry {position}
      </button>
      {entry !== undefined && <Json value={entry} />}
    </>
  );
}

/** @param isAsked true if the pending approval of the call is shown above, which already shows the intent and the input. */
function Known({ call, isAsked }: { readonly call: CallAnswer & AtPeer; readonly isAsked: boolean }) {
  const { output, error, denial, missing, intent } = call;
  return (
    <>
      {denial && (
        <p class="failure" title={meaningOf(call)}>
          {whoDenied(call)}
          {denial.message !== undefined && denial.message !== "" && (
            <>
              {" · "}
              <Text text={denial.message} />
            </>
          )}
        </p>
      )}
      <AnsweredByRule approval={call.approval} engine={call.engine} />
      {call.approval?.by === MODEL && call.approval.state === "approved" && (
        <p class="quiet">Allowed by a model that the agent asked, not by a person</p>
      )}
      {call.approval?.by?.startsWith(BY_POLICY) === true && call.approval.state === "approved" && (
        <p class="quiet">Allowed by the policy: {call.approval.by.slice(BY_POLICY.length)}</p>
      )}
      {missing && (
        <p class="warning" title={meaningOf(call)}>
          {labelOf(call.execution)}, because {evidenceOf(missing)}
        </p>
      )}
      {intent && !isAsked && (
        <p class="intent">
          <span class="quiet">{leadOfIntent(intent)}</span>
          <Text text={intent.text} />
          <span class="quiet">{placeOfIntent(intent)}</span>
        </p>
      )}
      {!isAsked && <Input call={call} />}
      {(output ?? error) !== undefined && (
        <>
          <h3>{error === undefined ? "Output" : "Error"}</h3>
          <Output value={output ?? error} />
        </>
      )}
    </>
  );
}

interface ByRuleProps {
  readonly approval: { readonly by?: string; readonly state: string } | undefined;
  /** The name of the other engine that has the call; undefined for a call of this engine. */
  readonly engine: string | undefined;
}

const BY_RULE = "rule:";

/** Says by which rule a call was allowed or denied, and who made that rule. */
function AnsweredByRule({ approval, engine }: ByRuleProps) {
  const { by = "", state } = approval ?? {};
  const id = by.startsWith(BY_RULE) ? by.slice(BY_RULE.length) : undefined;
  const rule = useAsked([id, engine], (signal) =>
    id === undefined ? undefined : ask<RuleView>(`/v1/rules/${id}`, { engine }, signal),
  );
  if (id === undefined) return null;
  return (
    <p class="quiet answered-by-rule">
      {state === "denied" ? "Denied" : "Allowed"} by rule <a href={hrefOf({ view: "rules" })}>{id}</a>
      {rule?.id === id && (
        <>
          , made by <Line text={rule.madeBy} />
          {rule.ended && ` (${rule.ended.why} since)`}
        </>
      )}
    </p>
  );
}

function whoDenied(call: CallAnswer): string {
  const [cause, by] = [causeOf(call), call.denial?.by];
  if (by?.startsWith(BY_POLICY) === true) return "Denied by the policy";
  if (cause === undefined) return by === undefined ? "Denied" : `Denied by ${by}`;
  return by === undefined ? `Denied ${cause}` : `Denied ${cause} (${by})`;
}

function Input({ call }: { readonly call: CallAnswer }) {
  return (
    <>
      <h3>Input</h3>
      {call.inputMissing ? (
        <MissingInput why={call.inputMissing} isAsked={false} />
      ) : (
        <InputView tool={call.tool} input={call.input ?? {}} isAsked />
      )}
    </>
  );
}

/** An output longer than this is shown as text, in pieces, not as a tree. */
const JSON_MAX = 500_000;

function Output({ value }: { readonly value: unknown }) {
  const found = treeIn(value);
  const [isText, showText] = useState(false);
  if (!found) return <Json value={value} />;
  return (
    <div class="output">
      {isText && typeof value === "string" ? <Json value={value} /> : <Tree value={found} />}
      {typeof value === "string" && (
        <button type="button" class="plain" aria-pressed={isText} onClick={() => showText(!isText)}>
          As text
        </button>
      )}
    </div>
  );
}

/** The object or list in an output, even if the tool wrote the output as JSON text; undefined if there is none. */
function treeIn(value: unknown): object | undefined {
  if (typeof value !== "string") return typeof value === "object" && value !== null ? value : undefined;
  if (value.length > JSON_MAX || !/^\s*[[{]/.test(value)) return undefined;
  const found = jsonIn(value);
  // Parsing rounds numbers of many digits: an output whose numbers would change gets no tree.
  const isSame = JSON.stringify(found) === value.replace(/\s+/g, "") || !/\d{16}/.test(value);
  return isSame && typeof found === "object" && found !== null ? found : undefined;
}
