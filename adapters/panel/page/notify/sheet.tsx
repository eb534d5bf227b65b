// Notifications sheet
// The sheet on which a person chooses whether this browser shows notifications, and how much these say.
//
//   Owns:          the words on the sheet, the choices.
//   Does not own:  storing the setting (setting.ts), when the sheet is open (shell.tsx).

import { useLayoutEffect, useRef } from "preact/hooks";
import { useValue } from "../engine/value.ts";
import { Close } from "../parts/close.tsx";
import { canNotify, change, permission, requestPermission, setting } from "./setting.ts";

export function Sheet({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const now = useValue(setting);
  const allowed = useValue(permission);
  const isOn = now.isOn && allowed === "granted";
  const turn = async (wanted: boolean): Promise<void> => {
    change({ ...now, isOn: wanted && (await requestPermission()) });
  };
  return (
    <dialog ref={dialog} class="notifications" aria-labelledby="notifications-title" onClose={onClose}>
      <h2 id="notifications-title">Notifications</h2>
      <label>
        <input
          type="checkbox"
          checked={isOn}
          disabled={allowed === "denied"}
          onChange={({ currentTarget }) => void turn(currentTarget.checked)}
        />
        Notify me of new approvals while this page is in the background
      </label>
      <label>
        <input
          type="checkbox"
          checked={now.hasContent}
          disabled={!isOn}
          onChange={({ currentTarget }) => change({ ...now, hasContent: currentTarget.checked })}
        />
        Say what it is about: the tool, the session’s title, a short input
      </label>
      <p class="quiet">
        Whoever sees the screen can read a notification. A notification has a button to approve only if it
        shows the whole input. Both choices are kept in this browser.
      </p>
      <p role="status">{whyNot(allowed)}</p>
      <Close />
    </dialog>
  );
}

function whyNot(allowed: NotificationPermission): string {
  if (!canNotify)
    return "This browser has no notifications for this address: they need https, or the engine’s own machine.";
  if (allowed === "denied")
    return "This browser blocks notifications: allow them for this page in the browser's settings.";
  return "";
}
