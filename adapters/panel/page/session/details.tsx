// Details
// Shows one call in full: its input, its output, and each of its changes with the journal entry that caused the change.
//
//   Owns:          the box beside the timeline; scrolling the box or the call's row into view; JSON output as a tree or as text.
//   Does not own:  the state machine of the call (machine/).

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { AtPeer } from "../../../../runtime/rows/views.ts";
import type { CallAnswer } from "../../../../runtime/reading/queries.ts";
import { ApiError, ask, refusal } from "../engine/api.ts";
import { InputView } from "../inbox/input/input.tsx";
import { AnsweredByRule } from "../rules/answered-by-rule.tsx";
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
  const [call, show] = useState<CallAnswer & AtPeer>();
  const [failure, fail] = useState<ApiError>();
  const own = changes.filter((change) => change.entity === "toolcall" && change.id === id);
  const version = own.at(-1)?.version;
  // A client reports the start of a call before it asks whether the call may run, so the start of a call that asks is shown as
  // "Asked".
  const isOneAsked = isAsked || call?.approval !== undefined;
  useEffect(() => {
    const leaving = new AbortController();
    ask<CallAnswer & AtPeer>(`/v1/tool-calls/${id}`, { workspace, session }, leaving.signal).then(
      (found) => {
        show(found);
        fail(undefined);
      },
      (error: unknown) => {
        if (error instanceof ApiError) fail(error);
      },
    );
    return () => leaving.abort();
  }, [id, workspace, session, version]);
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

/** Scrolls the chosen row into sight; then the details, if they are out of sight because they are above the rows. */
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

/** @param isAsked true if the call's approval is shown above, with intent and input. */
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
  // Parsing rounds numbers of many digits, so a tree could show numbers that the output does not contain. Such an output gets no
  // tree.
  const isSame = JSON.stringify(found) === value.replace(/\s+/g, "") || !/\d{16}/.test(value);
  return isSame && typeof found === "object" && found !== null ? found : undefined;
}
