// Alarms
// The alarms: calls that ran although they should not have. The header shows their number; a press on it lists the alarms.
//
//   Owns:          reading the alarms from the engine, counting them.
//   Does not own:  what counts as an alarm (machines/evidence/alarm), the list of alarms (alarm-list.tsx).

import type { AlarmView } from "../../../runtime/rows/views.ts";
import { ask, refusalOf } from "./engine/api.ts";
import { follow } from "./engine/engine.ts";
import { useValue, Value } from "./engine/value.ts";
import { counted } from "./parts/counted.ts";
import { later } from "./parts/later.tsx";

const AlarmList = later(async () => (await import("./alarm-list.tsx")).AlarmList);

const SHOWN_MAX = 50;

const alarms = new Value<readonly AlarmView[]>([]);

export function startAlarms(): void {
  const reload = (): void => void load();
  follow.on((changes) => changes.some(({ entity }) => entity === "alarm") && reload(), reload);
  reload();
}

async function load(): Promise<void> {
  const asked = ask<{ items: readonly AlarmView[] }>("/v1/alarms", { limit: SHOWN_MAX });
  // If this fails, the page goes on showing the alarms that it has; other parts of the page report a lost connection.
  await refusalOf(asked.then(({ items }) => alarms.set(items)));
}

export function Alarms() {
  const all = useValue(alarms);
  if (all.length === 0) return null;
  return (
    <details class="alarms">
      <summary class="failure" role="alert">
        {all.length === SHOWN_MAX ? `${SHOWN_MAX} or more alarms` : counted(all.length, "alarm")}
      </summary>
      <AlarmList all={all} />
    </details>
  );
}
