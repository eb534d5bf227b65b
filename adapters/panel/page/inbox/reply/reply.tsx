// Reply
// The forms for answers that contain text: a denial with a message, an approval with an edited input.
//
//   Owns:          the fields of the forms for answers, checking that an edited input is JSON.
//   Does not own:  sending an answer.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Failure } from "../../parts/failure.tsx";
import type { Reply, Mode } from "../card/card.ts";
import { untilSeen } from "../seen/eye.ts";

interface Props {
  readonly mode: Exclude<Mode, "reading" | "ruling">;
  readonly input: unknown;
  /** How many other approvals have the same input. */
  readonly others: number;
  /** True if the approval still needs an answer (REPLY-WRITING-1). */
  readonly isAsked: boolean;
  readonly onCancel: () => void;
  readonly isSettling: boolean;
  /** @param event the press that sends the answer. */
  readonly onReply: (event: Event, reply: Reply, isForAlike: boolean) => void;
}

const WORDS = {
  denying: { label: "Reason for the agent (may be empty)", send: "Deny" },
  interrupting: { label: "Reason for the agent (may be empty)", send: "Deny and interrupt" },
  editing: { label: "Input for the tool instead, as JSON", send: "Approve this input" },
} as const;

const ROWS_MAX = 20;

export function ReplyForm({ mode, input, others, isAsked, isSettling, onCancel, onReply }: Props) {
  const [text, setText] = useState(() => (mode === "editing" ? JSON.stringify(input ?? {}, null, 2) : ""));
  const [wrong, setWrong] = useState<string>();
  const { label, send } = WORDS[mode];
  const later = untilSeen(isAsked && isSettling);

  const submit = (event: Event, isForAlike: boolean): void => {
    if (!isAsked) return;
    if (mode !== "editing") {
      const message = text.trim() === "" ? {} : { message: text };
      onReply(
        event,
        { decision: "deny", ...message, ...(mode === "interrupting" && { interrupt: true }) },
        isForAlike,
      );
      return;
    }
    try {
      onReply(event, { decision: "approve", updatedInput: JSON.parse(text) as unknown }, false);
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <form
      class="reply"
      onSubmit={(event) => {
        event.preventDefault();
        submit(event, false);
      }}
    >
      <label>
        {label}
        <Field
          isCode={mode === "editing"}
          text={text}
          onText={setText}
          onCancel={onCancel}
          onSend={(event) => submit(event, false)}
        />
      </label>
      {!isAsked && <Failure>It needs no answer any more: what is written here is not sent.</Failure>}
      {wrong !== undefined && <Failure>This is not JSON: {wrong}</Failure>}
      <div class="actions">
        <button type="submit" class={mode === "editing" ? "approve" : "deny"} disabled={!isAsked} {...later}>
          {send} <kbd>{mode === "editing" ? "Ctrl ⏎" : "⏎"}</kbd>
        </button>
        {mode === "denying" && others > 0 && (
          <button type="button" class="deny" {...later} onClick={(event) => submit(event, true)}>
            Deny all {others + 1} alike
          </button>
        )}
        <button type="button" onClick={onCancel}>
          Back <kbd>Esc</kbd>
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly isCode: boolean;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onCancel: () => void;
  readonly onSend: (event: Event) => void;
}

/** Enter sends a message; Ctrl or ⌘ and Enter send a JSON input, which has lines. */
function Field({ isCode, text, onText, onCancel, onSend }: FieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  // The field gets the focus at once, so that the next key is already part of the answer.
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <textarea
      ref={field}
      rows={isCode ? Math.min(ROWS_MAX, text.split("\n").length + 1) : 2}
      class={isCode ? "code" : ""}
      value={text}
      spellcheck={!isCode}
      onInput={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
        const isSend = event.key === "Enter" && (isCode ? event.ctrlKey || event.metaKey : !event.shiftKey);
        // While an input method composes a word, Enter only ends the word.
        if (!isSend || event.isComposing) return;
        event.preventDefault();
        onSend(event);
      }}
    />
  );
}
