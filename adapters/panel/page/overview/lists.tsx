// Lists
// The two lists of the overview: the sessions and the requests, newest first.
//
//   Owns:          the states and columns of each list, how a row looks.
//   Does not own:  which items are in a list (listed.ts), the table (list.tsx), the page of a session (session/).

import { titleLine } from "../../../../runtime/text/title-line.ts";
import type { RequestView, SessionView } from "../../../../runtime/rows/views.ts";
import { atEngine } from "../engine/at-peer.tsx";
import { Line } from "../parts/text.tsx";
import { duration, Since } from "../parts/time.tsx";
import { labelOf } from "../parts/words.ts";
import { hrefOf } from "../route.ts";
import { List, type Listing } from "./list.tsx";

const SESSIONS: Listing<SessionView> = {
  name: "Sessions",
  kind: {
    path: "/v1/sessions",
    entity: "session",
    addressOf: ({ workspace, id }) => `${workspace}/${id}`,
    wholeAt: (id) => `/v1/sessions/${id}`,
  },
  states: ["running", "waiting_input", "idle", "ended"],
  columns: ["Title", "Where", "State", "Calls", "Last heard of"],
  empty: "None now.",
  row: ({ id, workspace, title, branch, client, state, counts, lastEvent, engine }) => (
    <>
      <Title workspace={workspace} session={id} text={title ?? id} />
      <Where parts={[workspace, branch, client, atEngine(engine)]} />
      <State state={state} title={state} />
      <td class="number" data-head="calls">
        {counts.openCalls > 0 ? `${counts.openCalls} of ${counts.calls} open` : counts.calls}
      </td>
      <td class="number">
        <Since at={lastEvent.at} /> ago
      </td>
    </>
  ),
};

const REQUESTS: Listing<RequestView> = {
  name: "Requests",
  kind: {
    path: "/v1/requests",
    entity: "request",
    addressOf: ({ workspace, sessionId, requestId }) => `${workspace}/${sessionId}/request/${requestId}`,
  },
  states: ["waiting", "created", "queued", "processing", "completed", "failed", "timeout"],
  columns: ["Request", "Where", "State", "Took", "Started"],
  empty: "There is no request yet. Each prompt to an agent is a request.",
  row: ({ requestId, workspace, sessionId, prompt, state, waiting, createdAt, completedAt, engine }) => (
    <>
      <Title workspace={workspace} session={sessionId} text={prompt ?? requestId} />
      <Where parts={[workspace, sessionId, atEngine(engine)]} />
      <State state={waiting ? "waiting" : state} title={state} />
      <td class="number" data-head={completedAt === undefined ? undefined : "took"}>
        {completedAt !== undefined && duration(completedAt - createdAt)}
      </td>
      <td class="number">
        <Since at={createdAt} /> ago
      </td>
    </>
  ),
};

export const Lists = () => (
  <>
    <List {...SESSIONS} />
    <List {...REQUESTS} />
  </>
);

interface TitleProps {
  readonly workspace: string;
  readonly session: string;
  readonly text: string;
}

const Title = ({ workspace, session, text }: TitleProps) => (
  <th scope="row">
    <a href={hrefOf({ view: "session", workspace, session })}>
      <Line text={titleLine(text)} />
    </a>
  </th>
);

const Where = ({ parts }: { readonly parts: readonly (string | undefined)[] }) => (
  <td class="quiet">
    <Line text={parts.filter(Boolean).join(" · ")} />
  </td>
);

const State = ({ state, title }: { readonly state: string; readonly title: string }) => (
  <td>
    <span class={`chip ${state}`} title={title}>
      {labelOf(state)}
    </span>
  </td>
);
