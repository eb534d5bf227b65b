// Alarms
// The alarms: calls that ran and should not have. The header shows their number; a press on it lists them.
//
//   Owns:          reading the alarms from the engine, their number.
//   Does not own:  what is an alarm (machines/evidence/alarm), the list (alarm-list.tsx).

import type { AlarmView } from "../../../runtime/rows/views.ts";
import { ask, refusalOf } from "./engine/api.ts";
import { follow } from "./engine/engine.ts";
import { useValue, Value } from "./engine/value.ts";
import { later } from "./parts/later.tsx";

const AlarmList = later(async () => (await import("./alarm-list.tsx")).AlarmList);

const SHOWN_MAX = 50;

const alarms = new Value<readonly AlarmView[]>([]);

export function startAlarms(): void {
  follow.onResync(() => void load());
  follow.onChanges((changes) => {
    if (changes.some(({ entity }) => entity === "alarm")) void load();
  });
  void load();
}

async function load(): Promise<void> {
  const asked = ask<{ items: readonly AlarmView[] }>("/v1/alarms", { limit: SHOWN_MAX });
  // If the engine refuses, the page keeps what it shows; a lost connection is reported elsewhere.
  await refusalOf(asked.then(({ items }) => alarms.set(items)));
}

export function Alarms() {
  const all = useValue(alarms);
  if (all.length === 0) return null;
  return (
    <details class="alarms">
      <summary class="failure" role="alert">
        {all.length === SHOWN_MAX ? `${all.length} or more` : all.length}{" "}
        {all.length === 1 ? "alarm" : "alarms"}
      </summary>
      <AlarmList all={all} />
    </details>
  );
}
