// Notification setting
// Whether this browser shows notifications, and whether they have content.
//
//   Owns:          keeping the setting in this browser, asking for the browser's permission.
//   Does not own:  the notifications (watch.ts), the sheet on which the setting is changed (sheet.tsx).
//
// SETTING-1. A notification has content only if a person asked for that in this browser.

import { Value } from "../engine/value.ts";

export interface Setting {
  readonly isOn: boolean;
  readonly hasContent: boolean;
}

const KEY = "signalbox.notifications";

/**
 * True if this browser can show notifications. They need a service worker, which browsers allow only over https or on
 * this machine.
 */
export const canNotify = "Notification" in window && "serviceWorker" in navigator;

export const permission = new Value<NotificationPermission>(canNotify ? Notification.permission : "denied");

export const setting = new Value<Setting>(read());
addEventListener("storage", ({ key }) => {
  if (key === KEY || key === null) setting.set(read());
});

/**
 * True if notifications are wanted and permitted. The browser is asked each time: a person may have withdrawn the
 * permission.
 */
export const isNotifying = (): boolean =>
  canNotify && setting.get().isOn && Notification.permission === "granted";

export function change(next: Setting): void {
  setting.set(next);
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // If the browser stores nothing, the setting lasts as long as the page is open.
  }
}

/** Asks for the browser's permission; the browser asks the person. */
export async function requestPermission(): Promise<boolean> {
  permission.set(await Notification.requestPermission());
  return permission.get() === "granted";
}

function read(): Setting {
  const kept = readKept() as Partial<Setting> | null;
  return { isOn: kept?.isOn === true, hasContent: kept?.hasContent === true };
}

function readKept(): unknown {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}
