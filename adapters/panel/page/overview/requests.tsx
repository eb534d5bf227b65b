// Requests
// Requests by state, workspace and time, newest first, each with a link to its session.
//
//   Owns:          how the row of a request looks.
//   Does not own:  which requests are in the list (listed.ts), the table (list.tsx), what a request did (session/).

import type { RequestView } from "../../../../runtime/rows/views.ts";
import { atEngine } from "../engine/at-peer.tsx";
import { Line } from "../parts/text.tsx";
import { duration, Since } from "../parts/time.tsx";
import { labelOf } from "../parts/words.ts";
import { hrefOf } from "../route.ts";
import { List } from "./list.tsx";
import type { Kind } from "./listed.ts";
import { titleLine } from "../../../../runtime/text/title-line.ts";

const REQUESTS: Kind<RequestView> = {
  path: "/v1/requests",
  entity: "request",
  addressOf: ({ workspace, sessionId, requestId }) => `${workspace}/${sessionId}/request/${requestId}`,
};
const STATES = ["waiting", "created", "queued", "processing", "completed", "failed", "timeout"] as const;
const COLUMNS = ["Request", "Where", "State", "Took", "Started"] as const;

export function Requests() {
  const empty = "None yet. Each prompt to an agent is a request.";
  return (
    <List name="Requests" kind={REQUESTS} states={STATES} columns={COLUMNS} empty={empty} row={cellsOf} />
  );
}

function cellsOf(request: RequestView) {
  const { requestId, workspace, sessionId, prompt, state, waiting, createdAt, completedAt, engine } = request;
  return (
    <>
      <th scope="row">
        <a href={hrefOf({ view: "session", workspace, session: sessionId })}>
          <Line text={titleLine(prompt ?? requestId)} />
        </a>
      </th>
      <td class="quiet">
        <Line text={[workspace, sessionId, atEngine(engine)].filter(Boolean).join(" · ")} />
      </td>
      <td>
        <span class={`chip ${waiting ? "waiting" : state}`} title={state}>
          {labelOf(waiting ? "waiting" : state)}
        </span>
      </td>
      <td class="number" data-head={completedAt === undefined ? undefined : "took"}>
        {completedAt !== undefined && duration(completedAt - createdAt)}
      </td>
      <td class="number">
        <Since at={createdAt} /> ago
      </td>
    </>
  );
}
