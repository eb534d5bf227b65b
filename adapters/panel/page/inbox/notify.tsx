// Notify
// Shows a browser notification when an approval comes while nobody looks.
//
//   Owns:          asking for the permission, what a notification says: never the input.
//   Does not own:  the approvals (model.ts).

import { useEffect, useState } from "preact/hooks";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { ask } from "../engine/api.ts";
import { follow, sessionOf } from "../engine/engine.ts";
import { go } from "../route.ts";

export function NotifyButton() {
  const isThere = "Notification" in window;
  const [permission, setPermission] = useState(isThere ? Notification.permission : "denied");
  useEffect(() => (permission === "granted" ? watch() : undefined), [permission]);
  if (permission !== "default") return null;
  return (
    <button
      type="button"
      class="plain"
      onClick={() => void Notification.requestPermission().then((given) => setPermission(given))}
    >
      Notify me
    </button>
  );
}

function watch(): () => void {
  return follow.onChanges((changes) => {
    if (!document.hidden) return;
    for (const { entity, to, id, workspace, sessionId, view } of changes)
      if (entity === "approval" && to === "pending") void tell(id, workspace, sessionId, toolOf(view));
  });
}

const toolOf = (view: unknown): string => (view as { tool: string }).tool;

async function tell(id: string, workspace: string, session: string, tool: string): Promise<void> {
  // A rule may have answered it in the commit that made it.
  const isAnswered = await ask<ApprovalView>(`/v1/approvals/${id}`, { workspace }).then(
    ({ state }) => state !== "pending",
    () => false,
  );
  if (isAnswered) return;
  const title = await sessionOf(workspace, session).then(
    (view) => view.title ?? session,
    () => session,
  );
  const notice = new Notification(`${tool} waits for you`, { body: title, tag: `${workspace}/${id}` });
  notice.onclick = () => {
    window.focus();
    go({ view: "inbox", approval: { workspace, id } });
  };
}
