// Details
// One call in full: its input, its output, and each of its changes with the journal entry that caused it.
//
//   Owns:          the panel beside the timeline.
//   Does not own:  the call's machine (machine/).

import { useEffect, useState } from "preact/hooks";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import type { CallAnswer } from "../../../../runtime/reading/queries.ts";
import { ApiError, ask, refusal } from "../engine/api.ts";
import { InputView } from "../inbox/input/input.tsx";
import { AnsweredByRule } from "../rules/answered-by-rule.tsx";
import { Failure } from "../parts/failure.tsx";
import { leadOfIntent, placeOfIntent } from "../parts/intent-words.ts";
import { Json } from "../parts/json.tsx";
import { later } from "../parts/later.tsx";
import { MissingInput, missingIn } from "../parts/missing.tsx";
import { Line, Text } from "../parts/text.tsx";
import { MODEL } from "../../../../machines/evidence/answerer.ts";
import { BY_POLICY } from "../../../../machines/rules/rule.ts";
import { causeOf, evidenceOf, labelOf, meaningOf } from "../parts/words.ts";
import { hrefOf } from "../route.ts";
import { Answer } from "./answer.tsx";
import { useAnswering } from "./answering.ts";
import { styled } from "../look/style.ts";
import { close } from "./keys.ts";
import { Output } from "./output.tsx";

interface Props {
  readonly workspace: string;
  readonly session: string;
  readonly call: string;
  readonly changes: readonly StateChange[];
  /** The approval that the call waits for. */
  readonly waiting: ApprovalView | undefined;
  /** True if the call is shown as it is now: at a past moment nothing can be answered. */
  readonly isLive: boolean;
}

function CallDetails({ workspace, session, call: id, changes, waiting, isLive }: Props) {
  const answering = useAnswering({ workspace, session, call: id, waiting, isLive });
  const isAsked = answering.card?.phase.is === "open";
  const [call, show] = useState<CallAnswer>();
  const [failure, fail] = useState<ApiError>();
  const own = changes.filter((change) => change.entity === "toolcall" && change.id === id);
  const version = own.at(-1)?.version;
  // A client announces that a call begins before it asks whether the call may run.
  const isOneAsked = isAsked || call?.approval !== undefined;
  useEffect(() => {
    const leaving = new AbortController();
    ask<CallAnswer>(`/v1/tool-calls/${id}`, { workspace, session }, leaving.signal).then(
      show,
      (error: unknown) => {
        if (error instanceof ApiError) fail(error);
      },
    );
    return () => leaving.abort();
  }, [id, workspace, session, version]);
  return (
    <aside class="details" aria-label="The call">
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
              <Entry position={change.turn} />
            </details>
          </li>
        ))}
      </ol>
    </aside>
  );
}

/** One call in full. Its style sheet comes with the first call that is opened. */
export const Details = later(async () => {
  await styled("details");
  return CallDetails;
});

/** The journal entry that caused a change, read on demand. */
function Entry({ position }: { readonly position: number }) {
  const [entry, show] = useState<unknown>();
  const toggle = async (): Promise<void> => {
    if (entry !== undefined) {
      show(undefined);
      return;
    }
    show(await ask<object>(`/v1/journal/${position}`).catch((error: unknown) => refusal(error).words));
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

/** Shows what is known of a call. @param isAsked true if its approval is shown above, with intent and input. */
function Known({ call, isAsked }: { readonly call: CallAnswer; readonly isAsked: boolean }) {
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
      <AnsweredByRule approval={call.approval} />
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
  const absent = missingIn(call);
  return (
    <>
      <h3>Input</h3>
      {absent ? (
        <MissingInput why={absent} isAsked={false} />
      ) : (
        <InputView tool={call.tool} input={call.input ?? {}} isAsked />
      )}
    </>
  );
}
