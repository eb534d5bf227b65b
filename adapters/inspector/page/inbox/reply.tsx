// Reply
// The answers that need words: a denial with its message, an input put right.
//
//   Owns:          the fields, checking the JSON.
//   Does not own:  sending.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Mode } from "./card.tsx";
import type { Reply } from "./model.ts";

interface Props {
  readonly mode: Exclude<Mode, "reading">;
  readonly input: unknown;
  readonly onCancel: () => void;
  readonly onReply: (reply: Reply) => void;
}

const WORDS = {
  denying: { label: "What the agent is told (may be empty)", send: "Deny" },
  interrupting: { label: "What the agent is told (may be empty)", send: "Deny and interrupt" },
  editing: { label: "The input the tool is given instead, as JSON", send: "Approve this input" },
} as const;

export function ReplyForm({ mode, input, onCancel, onReply }: Props) {
  const [text, setText] = useState(mode === "editing" ? JSON.stringify(input, null, 2) : "");
  const [wrong, setWrong] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  // At once: what is typed right after the key belongs to the answer.
  useLayoutEffect(() => field.current?.focus(), []);
  const { label, send } = WORDS[mode];

  const submit = (): void => {
    if (mode !== "editing") {
      const message = text.trim() === "" ? {} : { message: text };
      onReply({ decision: "deny", ...message, ...(mode === "interrupting" && { interrupt: true }) });
      return;
    }
    try {
      onReply({ decision: "approve", updatedInput: JSON.parse(text) as unknown });
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <form
      class="reply"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label>
        {label}
        <textarea
          ref={field}
          rows={mode === "editing" ? 8 : 2}
          class={mode === "editing" ? "code" : ""}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") onCancel();
            const isSend = event.key === "Enter" && (mode === "editing" ? event.ctrlKey : !event.shiftKey);
            if (!isSend) return;
            event.preventDefault();
            submit();
          }}
        />
      </label>
      {wrong !== undefined && (
        <p class="failure" role="alert">
          This is not JSON: {wrong}
        </p>
      )}
      <div class="actions">
        <button type="submit" class={mode === "editing" ? "approve" : "deny"}>
          {send} <kbd>{mode === "editing" ? "Ctrl ⏎" : "⏎"}</kbd>
        </button>
        <button type="button" onClick={onCancel}>
          Back <kbd>Esc</kbd>
        </button>
      </div>
    </form>
  );
}
