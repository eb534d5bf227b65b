// Help
// The sheet that lists the keyboard shortcuts.
//
//   Owns:          the list of shortcuts.
//   Does not own:  what a key does (each view).

import { useLayoutEffect, useRef } from "preact/hooks";
import { Close } from "./close.tsx";
import { useKeys } from "./keyboard.ts";
import { styled } from "../look/style.ts";

await styled("help");

const KEYS: readonly (readonly [group: string, keys: readonly (readonly [string, string])[]])[] = [
  [
    "Inbox",
    [
      ["j k", "choose the next, the previous approval"],
      ["a", "approve the chosen one, once its whole input was shown"],
      ["A", "approve all alike, or all picked, after a list of them"],
      ["f", "show equal ones one by one, or as one row"],
      ["x", "pick, for one answer to several"],
      ["u", "undo an answer before it is sent, or a snooze"],
      ["d", "deny, with a message"],
      ["i", "deny and interrupt"],
      ["e", "edit the input, then approve it"],
      ["r", "allow like this: make a rule"],
      ["t", "assign it to somebody"],
      ["s", "snooze: hide it from your own list for a while"],
      ["o", "open the session"],
      ["c", "clear what is answered"],
    ],
  ],
  [
    "Session",
    [
      ["j k", "next, previous call"],
      ["a A d i e r", "answer the call that waits, as in the inbox"],
      ["f", "show a subagent's calls, or fold them"],
      ["m", "show its state diagram"],
      ["/", "search the calls"],
      ["[ ]", "one change back, forward"],
      ["{ }", "to the beginning, to now"],
    ],
  ],
  [
    "Everywhere",
    [
      ["Ctrl K", "search everywhere (on a Mac ⌘K)"],
      ["1 2 3 4", "inbox, overview, rules, answers"],
      ["n", "notifications"],
      ["v", "show all of a long text"],
      ["Esc", "one step out: from a machine to its session, from there to the list"],
      ["?", "this sheet"],
    ],
  ],
];

export function Help({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    // The title gets the focus, because the browser would focus the button at the end, and scroll down to it.
    title.current?.focus();
  }, []);
  // The sheet is closed rather than removed, so that the focus returns to the element that had it.
  useKeys({ "?": () => dialog.current?.close() }, "sheet");
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title" ref={title} tabIndex={-1}>
        Keyboard shortcuts
      </h2>
      <div class="groups">
        {KEYS.map(([group, keys]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {keys.map(([key, what]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Close />
    </dialog>
  );
}
