// Notification worker
// The service worker that does what a person pressed on a notification: it answers the approval, or shows it in the panel.
//
//   Owns:          sending the answer, finding a window in which the panel is open.
//   Does not own:  showing and closing notifications (watch.ts), the words of a notification (notice.ts).
//
// WORKER-1. When the service worker approves, it sends the hash of the input that the notification showed. It sends answers to
//     the same HTTP route as the page.
// WORKER-2. The service worker stores nothing and sees none of the page's requests. The browser's cookie authenticates the
//     worker's own requests.
// WORKER-3. If the engine refuses an answer given on a notification, another notification says so, but not what the approval is
//     about.

import type { Notice, Told } from "./notice.ts";

/** The globals of a service worker that this file uses. TypeScript's own types of them conflict with its types of pages. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: object): Promise<readonly Window[]>;
    openWindow(address: string): Promise<unknown>;
  };
  addEventListener(type: "notificationclick", listener: (event: Clicked) => void): void;
}

interface Window {
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}

interface Clicked extends Event {
  readonly action: string;
  readonly notification: Notification;
  waitUntil(done: Promise<void>): void;
}

// The cast is safe: the browser runs this file only as a service worker.
const scope = globalThis as unknown as WorkerScope;

scope.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  // The cast is safe: notice.ts writes `data` of each notification, as a `Told`.
  const told = notification.data as Told;
  event.waitUntil(action === "approve" || action === "deny" ? decide(told, action) : show(told));
});

async function decide(told: Told, decision: "approve" | "deny"): Promise<void> {
  if (decision === "approve" && told.inputHash === undefined) return show(told);
  const why = await send(told, decision);
  if (why !== undefined) await tell(told, why);
}

/** Sends an answer. @returns why the engine refused it; undefined if it accepted. */
async function send({ workspace, id, inputHash }: Told, decision: string): Promise<string | undefined> {
  const address = `/v1/approvals/${encodeURIComponent(id)}/decision?workspace=${encodeURIComponent(workspace)}`;
  const said = { decision, via: "notification", ...(inputHash !== undefined && { inputHash }) };
  try {
    const { ok, status } = await fetch(address, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() },
      body: JSON.stringify(said),
    });
    if (ok) return undefined;
    return status === 401 ? "You are signed out." : "The approval was answered elsewhere, or has changed.";
  } catch {
    return "The engine does not answer.";
  }
}

async function tell({ workspace, id }: Told, why: string): Promise<void> {
  const notice: Notice = {
    title: "Your answer was not taken",
    body: `${why} Open Signalbox to see.`,
    tag: `${workspace}/${id}`,
    icon: "/app/icon.svg",
    data: { workspace, id },
    actions: [{ action: "open", title: "Open" }],
  };
  await scope.registration.showNotification(notice.title, notice);
}

/** Shows the approval in an open window of the panel, else in a new one. */
async function show({ workspace, id }: Told): Promise<void> {
  const [window] = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!window) {
    await scope.clients.openWindow(`/#/inbox/${workspace}/${id}`);
    return;
  }
  window.postMessage({ show: { workspace, id } });
  await window.focus();
}
