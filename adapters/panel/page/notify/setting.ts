// Notification setting
// Whether this browser notifies, and whether a notification says what it is about.
//
//   Owns:          keeping it in this browser, what the browser allows.
//   Does not own:  notifications (watch.ts), the sheet on which it is changed (sheet.tsx).
//
// SETTING-1. A notification has content only where somebody asked for it in this browser.

import { Value } from "../engine/value.ts";

export interface Setting {
  readonly isOn: boolean;
  readonly hasContent: boolean;
}

const KEY = "signalbox.notifications";

/** Without a service worker there is nobody to show them: browsers have one only over https, or on this machine. */
export const canNotify = "Notification" in window && "serviceWorker" in navigator;

export const permission = new Value<NotificationPermission>(canNotify ? Notification.permission : "denied");

export const setting = new Value<Setting>(read());
addEventListener("storage", ({ key }) => {
  if (key === KEY || key === null) setting.set(read());
});

/** Asked of the browser each time: a person may have taken the permission back there. */
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

/** Asks the browser, which asks the person. */
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
