// Recovered
// What the engine found unfinished when it last started.
//
//   Owns:          the wording of that report.
//   Does not own:  the report (runtime/outbound/recovery).

import type { Recovered as Report } from "../../../../runtime/outbound/recovery.ts";
import { Since } from "../parts/time.tsx";
import { hrefOf } from "../route.ts";

const SHOWN = 10;

export function Recovered({ report }: { readonly report: Report }) {
  const { at, replayed, openRequests, pendingApprovals, oldest } = report;
  return (
    <section aria-labelledby="recovered-title">
      <h2 id="recovered-title">The last start</h2>
      <p class="quiet">
        <Since at={at} /> ago: {replayed.toLocaleString()} journal entries applied, {openRequests} open{" "}
        {openRequests === 1 ? "request" : "requests"} and {pendingApprovals} pending{" "}
        {pendingApprovals === 1 ? "approval" : "approvals"} found.
      </p>
      {oldest.length > 0 && (
        <ul class="chips">
          {oldest.slice(0, SHOWN).map((address) => {
            const [workspace = "", session = "", , id = ""] = address.split("/");
            return (
              <li key={address}>
                <a href={hrefOf({ view: "machine", workspace, session, kind: "request", id })}>
                  <code>{id}</code>
                </a>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
