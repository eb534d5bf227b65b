// Looking
// Reports to the engine which approval a person looks at, and withdraws the report when the person leaves.
//
//   Owns:          when the page sends, repeats and withdraws the report.
//   Does not own:  who else looks (lookers.tsx), how long a report counts (runtime/presence).
//
// TEAM-LOOKING-1. The page reports that a person looks at an approval only while the page is visible and the approval has been
//     chosen for a moment. So stepping quickly through the list reports nothing.

import { useEffect } from "preact/hooks";
import { refusalOf, remove, send } from "../../engine/api.ts";
import type { Spot } from "../name.ts";

const AFTER_MS = 700;
/** How often the page repeats its report, ms: the engine drops a report after 45 seconds (runtime/presence). */
const AGAIN_MS = 20_000;

export function useLooking({ workspace, id }: Spot): void {
  useEffect(() => {
    const path = `/v1/approvals/${id}/looking`;
    let isSaid = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (): void => {
      isSaid = true;
      // Nothing depends on this report, so the page does nothing if the engine refuses it.
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
