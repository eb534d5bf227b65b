// Notifications
// Notifies of a new approval while nobody looks at the page, and closes the notification when no answer is needed any more.
//
//   Owns:          registering the service worker, showing and closing notifications, opening the approval that the worker names.
//   Does not own:  the words (notice.ts), whether notifications are on (setting.ts), answers given on notifications (worker.ts).
//
// WATCH-1. When an approval needs no answer any more, the page closes the notification of that approval.
// WATCH-2. The service worker does not control the page: no page is within the worker's scope, so the page's requests do not
//     pass through the worker.
// WATCH-3. If the browser loses a notification, the page shows it again: Chromium drops a notification that appears while a
//     page lists the notifications.
// WATCH-4. If an approval is assigned to a person, that person gets one notification of the assignment, even if the browser has
//     already shown a notification of the approval.

import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { ApiError, ask } from "../engine/api.ts";
import { follow, sessionOf } from "../engine/engine.ts";
import { isMe } from "../engine/me.ts";
import { keyOf } from "../inbox/name.ts";
import { go } from "../route.ts";
import { assignedNotice, noticeOf, type Notice, type Told } from "./notice.ts";
import { canNotify, isNotifying, setting } from "./setting.ts";

const WORKER = "/app/worker.js";

export function startNotifications(): void {
  if (!canNotify) return;
  follow.onChanges((changes) => void take(changes));
  follow.onResync(() => void closeOver());
  setting.subscribe(() => void (setting.get().isOn ? prepare() : closeAll()));
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    // The cast is safe: the only message that the worker sends to the page is one with `show`.
    go({ view: "inbox", approval: (data as { readonly show: Told }).show });
  });
  void prepare();
}

async function prepare(): Promise<void> {
  if (isNotifying()) await registered();
  await closeOver();
}

/** The tags (the keys of approvals) of the notifications that are shown. */
const waiting = new Set<string>();

async function take(changes: readonly StateChange[]): Promise<void> {
  for (const change of changes) {
    if (change.entity !== "approval") continue;
    const tag = keyOf(change);
    // The cast is safe: a change of an approval has an approval's view (runtime/rows/changes).
    const { state, assigned } = change.view as ApprovalView;
    const isMine = assigned?.at === change.at && isMe(assigned.to) && !isMe(assigned.by);
    if (state !== "pending") {
      waiting.delete(tag);
      await close(tag);
    } else if (document.hidden && isNotifying() && (isMine || !waiting.has(tag))) {
      waiting.add(tag);
      void tell(change, tag, isMine);
    }
  }
}

/** @param isMine true if somebody has just assigned the approval to the person who uses the page (WATCH-4). */
async function tell({ workspace, id }: Place, tag: string, isMine: boolean): Promise<void> {
  const approval = await ask<ApprovalView>(`/v1/approvals/${id}`, { workspace }).catch(nothing);
  // A rule may have answered the approval in the commit that requested it: then no notification is shown.
  if (approval?.state !== "pending") return;
  const session = setting.get().hasContent ? await titleOf(workspace, approval.sessionId) : undefined;
  const registration = await registered();
  const notice = noticeOf(approval, session);
  await show(registration, isMine ? assignedNotice(notice) : notice);
  // If the approval was answered while its notification was being shown, the notification is closed again.
  if (!waiting.has(tag)) await close(tag);
}

type Place = Pick<StateChange, "workspace" | "id">;

const SHOW_ATTEMPTS = 5;
const BETWEEN_ATTEMPTS_MS = 20;

async function show(registration: ServiceWorkerRegistration, notice: Notice): Promise<void> {
  for (let attempt = 1; attempt <= SHOW_ATTEMPTS && waiting.has(notice.tag) && isNotifying(); attempt += 1) {
    await registration.showNotification(notice.title, notice);
    if ((await shown()).some(({ tag }) => tag === notice.tag)) return;
    await new Promise((resolve) => setTimeout(resolve, attempt * BETWEEN_ATTEMPTS_MS));
  }
}

const titleOf = (workspace: string, id: string): Promise<string> =>
  sessionOf(workspace, id).then(
    ({ title }) => title ?? id,
    () => id,
  );

/** Ignores the failure of a request: other parts of the page report a lost connection. */
function nothing(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
  return undefined;
}

async function shown(): Promise<readonly Notification[]> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.getNotifications()) ?? [];
}

async function close(tag?: string): Promise<void> {
  for (const notification of await shown())
    if (tag === undefined || notification.tag === tag) notification.close();
}

function closeAll(): Promise<void> {
  waiting.clear();
  return close();
}

/** Closes notifications of approvals that were answered while this page received no changes. */
async function closeOver(): Promise<void> {
  for (const notification of await shown()) {
    // The cast is safe: notice.ts writes `data` of each notification, as a `Told`.
    const { workspace, id } = notification.data as Told;
    if (await isOver(workspace, id)) {
      waiting.delete(notification.tag);
      notification.close();
    }
  }
}

const isOver = (workspace: string, id: string): Promise<boolean> =>
  ask<ApprovalView>(`/v1/approvals/${id}`, { workspace }).then(
    ({ state }) => state !== "pending",
    (error: unknown) => error instanceof ApiError && error.status === 404,
  );

/** The only Trusted Types policy from which the page's Content-Security-Policy accepts a script's address: the worker's. */
const policy = (globalThis as { readonly trustedTypes?: Policies }).trustedTypes?.createPolicy("signalbox", {
  createScriptURL: () => WORKER,
});

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(is: string): string };
}

/** Registers the service worker, and waits until it can show notifications. */
async function registered(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER);
  const coming = registration.active ?? registration.waiting ?? registration.installing;
  while (!registration.active && coming && coming.state !== "redundant")
    await new Promise((resolve) => coming.addEventListener("statechange", resolve, { once: true }));
  return registration;
}
