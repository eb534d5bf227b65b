// Notifications
// Shows one when an approval comes while nobody looks, and takes it away when the approval needs no answer any more.
//
//   Owns:          the worker's registration, showing and closing, going where the worker says.
//   Does not own:  what one says (notice.ts), whether there are any (setting.ts), answers given on one (worker.ts).
//
// WATCH-1. An approval that needs no answer any more has no notification.
// WATCH-2. The worker controls no page: its scope has none.
// WATCH-3. One that the browser loses while it is shown is shown again: Chromium drops it when another page, or this one, asks
//          for those that are shown in that moment.

import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { ApiError, ask } from "../engine/api.ts";
import { follow, sessionOf } from "../engine/engine.ts";
import { go } from "../route.ts";
import { noticeOf, tagOf, type Notice, type Told } from "./notice.ts";
import { canNotify, isNotifying, setting } from "./setting.ts";

const WORKER = "/app/worker.js";

export function startNotifications(): void {
  if (!canNotify) return;
  follow.onChanges((changes) => void take(changes));
  follow.onResync(() => void closeOver());
  setting.subscribe(() => void (setting.get().isOn ? prepare() : closeAll()));
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    // The worker's only message.
    go({ view: "inbox", approval: (data as { readonly show: Told }).show });
  });
  void prepare();
}

async function prepare(): Promise<void> {
  if (isNotifying()) await registered();
  await closeOver();
}

/** The notifications that are shown, by tag. */
const waiting = new Set<string>();

async function take(changes: readonly StateChange[]): Promise<void> {
  for (const change of changes) {
    if (change.entity !== "approval") continue;
    const tag = tagOf(change);
    // The view in an approval's change is an approval's view (runtime/changes).
    if ((change.view as ApprovalView).state !== "pending") {
      waiting.delete(tag);
      await close(tag);
    } else if (document.hidden && isNotifying() && !waiting.has(tag)) {
      waiting.add(tag);
      void tell(change, tag);
    }
  }
}

async function tell({ workspace, id }: StateChange, tag: string): Promise<void> {
  const approval = await ask<ApprovalView>(`/v1/approvals/${id}`, { workspace }).catch(nothing);
  // A rule may have answered it in the same commit.
  if (approval?.state !== "pending") return;
  const session = setting.get().hasContent ? await titleOf(workspace, approval.sessionId) : undefined;
  const registration = await registered();
  await show(registration, noticeOf(approval, session));
  // It may have been answered while the notification was being shown.
  if (!waiting.has(tag)) await close(tag);
}

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

/** The trouble of the link is told elsewhere. */
function nothing(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
  return undefined;
}

async function shown(): Promise<readonly Notification[]> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.getNotifications()) ?? [];
}

async function close(tag: string): Promise<void> {
  for (const notification of await shown()) if (notification.tag === tag) notification.close();
}

async function closeAll(): Promise<void> {
  waiting.clear();
  for (const notification of await shown()) notification.close();
}

/** What was answered while this page heard nothing. */
async function closeOver(): Promise<void> {
  for (const notification of await shown()) {
    // What notice.ts put into it.
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

/** The page's policy takes a script's address from this one place, and this place gives no other. */
const policy = (globalThis as { readonly trustedTypes?: Policies }).trustedTypes?.createPolicy("signalbox", {
  createScriptURL: () => WORKER,
});

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(is: string): string };
}

/** The worker, once it can show notifications. */
async function registered(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER);
  const coming = registration.active ?? registration.waiting ?? registration.installing;
  while (!registration.active && coming && coming.state !== "redundant")
    await new Promise((resolve) => coming.addEventListener("statechange", resolve, { once: true }));
  return registration;
}
