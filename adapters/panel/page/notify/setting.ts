// Notification setting
// The setting for notifications: whether this browser shows them, and whether they say what an approval is about.
//
//   Owns:          storing the setting for notifications in this browser, asking for the browser's permission.
//   Does not own:  showing notifications (watch.ts), the sheet on which a person changes the setting (sheet.tsx).
//
// SETTING-1. A notification says what an approval is about only if a person chose that in this browser.

import { keptValue, Value } from "../engine/value.ts";

export interface Setting {
  readonly isOn: boolean;
  readonly hasContent: boolean;
}

/** Notifications need a service worker, which browsers allow only over https or on this machine. */
export const canNotify = "Notification" in window && "serviceWorker" in navigator;

export const permission = new Value<NotificationPermission>(canNotify ? Notification.permission : "denied");

const [kept, keep] = keptValue("signalbox.notifications", (text): Setting => {
  // The cast is safe: each field of the stored setting is checked below.
  const found = JSON.parse(text ?? "null") as Partial<Setting> | null;
  return { isOn: found?.isOn === true, hasContent: found?.hasContent === true };
});
export const setting = kept;

export const change = (next: Setting): void => keep(next, JSON.stringify(next));

/** True if notifications are to be shown. The browser is asked each time, because a person may have withdrawn the permission. */
export const isNotifying = (): boolean =>
  canNotify && setting.get().isOn && Notification.permission === "granted";

export async function requestPermission(): Promise<boolean> {
  permission.set(await Notification.requestPermission());
  return permission.get() === "granted";
}
