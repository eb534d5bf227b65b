// Alarm list
// Lists the alarms (calls that ran although they should not have): for each a link to its call, what happened, and when.
//
//   Owns:          the wording of an alarm.
//   Does not own:  which alarms there are (alarms.tsx), what counts as an alarm (machines/evidence/alarm).

import type { AlarmView } from "../../../runtime/rows/views.ts";
import { alarmWords } from "../../../runtime/text/state-words.ts";
import { Line } from "./parts/text.tsx";
import { hrefOf } from "./route.ts";

export function AlarmList({ all }: { readonly all: readonly AlarmView[] }) {
  return (
    <ul>
      {all.map((alarm) => (
        <li key={`${alarm.workspace}/${alarm.sessionId}/${alarm.callId}`}>
          <a
            href={hrefOf({
              view: "session",
              workspace: alarm.workspace,
              session: alarm.sessionId,
              call: alarm.callId,
            })}
          >
            <Line text={alarm.tool} />
          </a>{" "}
          {alarmWords("because" in alarm ? alarm.because : "")}{" "}
          <span class="quiet">{new Date(alarm.at).toLocaleString()}</span>
        </li>
      ))}
    </ul>
  );
}
