// Help
// The keys, on one sheet.
//
//   Owns:          the list.
//   Does not own:  what they do (each view).

import { useLayoutEffect, useRef } from "preact/hooks";

const KEYS: readonly (readonly [string, string])[] = [
  ["j k", "next, previous question"],
  ["a", "approve"],
  ["A", "approve all that look the same"],
  ["d", "deny, with a message"],
  ["i", "deny and interrupt"],
  ["e", "edit the input, then approve it"],
  ["o", "open the session"],
  ["c", "put away what is answered"],
  ["1 2", "inbox, overview"],
  ["Esc", "back"],
  ["?", "this sheet"],
];

export function Help({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-label="Keys" onClose={onClose}>
      <h2>Keys</h2>
      <dl>
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
