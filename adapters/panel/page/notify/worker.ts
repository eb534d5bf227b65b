// Notification worker
// Does what a person chose on a notification: answers the approval, or shows it in the panel.
//
//   Owns:          the answer's request, finding a window of the panel.
//   Does not own:  showing and closing notifications (watch.ts), what they say (notice.ts).
//
// WORKER-1. It approves only with the hash of the input that the notification showed, by the route every answer takes.
// WORKER-2. It keeps nothing: no cache, no token; it hears no request of any page. The browser's cookie signs its own.
// WORKER-3. An answer that was not taken is told, without content.

import type { Notice, Told } from "./notice.ts";

/** What of a service worker's globals is used; the library's types of them do not go with those of pages. */
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

// The browser runs this file as a service worker, and nothing else.
const scope = globalThis as unknown as WorkerScope;

scope.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  // What notice.ts put into it.
  const told = notification.data as Told;
  event.waitUntil(action === "approve" || action === "deny" ? decide(told, action) : show(told));
});

async function decide(told: Told, decision: "approve" | "deny"): Promise<void> {
  if (decision === "approve" && told.inputHash === undefined) return show(told);
  const why = await send(told, decision);
  if (why !== undefined) await tell(told, why);
}

/** @returns why it was not taken. */
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
    return status === 401 ? "You are signed out." : "It was answered elsewhere, or has changed.";
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

/** Shows it in an open window, if there is one. */
async function show({ workspace, id }: Told): Promise<void> {
  const [window] = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!window) {
    await scope.clients.openWindow(`/#/inbox/${workspace}/${id}`);
    return;
  }
  window.postMessage({ show: { workspace, id } });
  await window.focus();
}
