// Notify
// Shows a browser notification when an approval comes while nobody looks.
//
//   Owns:          asking for the permission, what a notification says: never the input.
//   Does not own:  the approvals (model.ts).

import { useEffect, useState } from "preact/hooks";
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
