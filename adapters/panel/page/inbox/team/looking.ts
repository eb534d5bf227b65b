// Looking
// Tells the engine which approval the reader looks at, for as long as they do.
//
//   Owns:          when the page reports a look, repeats the report and withdraws it.
//   Does not own:  who else looks (lookers.tsx), how long a report counts (runtime/presence).
//
// TEAM-LOOKING-1. The page reports a look only while it is visible, and only at an approval that has been chosen for a
//     moment: a person who steps through the list reports nothing.

import { useEffect } from "preact/hooks";
import { refusalOf, remove, send } from "../../engine/api.ts";
import type { Place } from "../name.ts";

const AFTER_MS = 700;
/** How often the page reports a look again, ms: well within the time after which the engine drops it. */
const AGAIN_MS = 20_000;

export function useLooking({ workspace, id }: Place): void {
  useEffect(() => {
    const path = `/v1/approvals/${id}/looking`;
    let isSaid = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (): void => {
      isSaid = true;
      // Showing who looks is only a courtesy: if the engine refuses the report, the page does nothing.
      void refusalOf(send(path, {}, { workspace }));
      timer = setTimeout(say, AGAIN_MS);
    };
    const leave = (): void => {
      clearTimeout(timer);
      if (isSaid) void refusalOf(remove(path, { workspace }));
      isSaid = false;
    };
    const look = (): void => {
      leave();
      if (!document.hidden) timer = setTimeout(say, AFTER_MS);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      leave();
    };
  }, [workspace, id]);
}
