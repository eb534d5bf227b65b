// Sessions
// Sessions by state, workspace and time, newest first.
//
//   Owns:          how the row of a session looks.
//   Does not own:  which sessions are in the list (listed.ts), the table (list.tsx), the page of a session (session/).

import type { SessionView } from "../../../../runtime/rows/views.ts";
import { atEngine } from "../engine/at-peer.tsx";
import { Line } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";
import { labelOf } from "../parts/words.ts";
import { hrefOf } from "../route.ts";
import { List } from "./list.tsx";
import type { Kind } from "./listed.ts";
import { titleLine } from "../../../../runtime/text/title-line.ts";

const SESSIONS: Kind<SessionView> = {
  path: "/v1/sessions",
  entity: "session",
  addressOf: ({ workspace, id }) => `${workspace}/${id}`,
  wholeAt: (id) => `/v1/sessions/${id}`,
};
const STATES = ["running", "waiting_input", "idle", "ended"] as const;
const COLUMNS = ["Title", "Where", "State", "Calls", "Last heard of"] as const;

export function Sessions() {
  const empty = "None now.";
  return (
    <List name="Sessions" kind={SESSIONS} states={STATES} columns={COLUMNS} empty={empty} row={cellsOf} />
  );
}

function cellsOf({ id, workspace, title, branch, client, state, counts, lastEvent, engine }: SessionView) {
  return (
    <>
      <th scope="row">
        <a href={hrefOf({ view: "session", workspace, session: id })}>
          <Line text={titleLine(title ?? id)} />
        </a>
      </th>
      <td class="quiet">
        <Line text={[workspace, branch, client, atEngine(engine)].filter(Boolean).join(" · ")} />
      </td>
      <td>
        <span class={`chip ${state}`} title={state}>
          {labelOf(state)}
        </span>
      </td>
      <td class="number" data-head="calls">
        {counts.openCalls > 0 ? `${counts.openCalls} of ${counts.calls} open` : counts.calls}
      </td>
      <td class="number">
        <Since at={lastEvent.at} /> ago
      </td>
    </>
  );
}
