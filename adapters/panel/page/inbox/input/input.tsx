// Input
// Shows a tool input to a person: a command in colours, an edit as removed and added lines, anything else field by field.
//
//   Owns:          choosing the form in which an input is shown, loading that form on demand, copying the input.
//   Does not own:  how each form looks (highlighted.tsx, changes.tsx, parts/json).

import { useEffect, useState } from "preact/hooks";
import { Json } from "../../parts/json.tsx";
import { Text } from "../../parts/text.tsx";
import { editsOf } from "../../../../../runtime/reading/around/edits.ts";
import type { Spot } from "../name.ts";

const useHighlighted = whenLoaded(async () => (await import("./highlighted.tsx")).Highlighted);
const useChanges = whenLoaded(async () => (await import("./changes.tsx")).Changes);

/** A command longer than this is shown in pieces, without colours. */
const COMMAND_MAX = 4_000;
const LINES_MAX = 40;

interface Props {
  readonly tool: string;
  readonly input: unknown;
  /** True if the approval is pending: only then there are buttons. */
  readonly isAsked: boolean;
  readonly asked?: Spot | undefined;
}

export function InputView({ tool, input, isAsked, asked }: Props) {
  const edits = editsOf(tool, input);
  const Changes = useChanges(edits !== undefined);
  return (
    <div class="input">
      {edits && Changes ? (
        <Changes edits={edits} asked={asked} />
      ) : (
        <Json value={input} {...(tool === "Bash" && { special: COMMAND })} />
      )}
      {isAsked && <Copies input={input} />}
    </div>
  );
}

const COMMAND = { command: (text: string) => <Command text={text} /> };

function Command({ text }: { readonly text: string }) {
  const isShort = text.length <= COMMAND_MAX && text.split("\n").length <= LINES_MAX;
  const Highlighted = useHighlighted(isShort);
  return (
    <pre class="value command">
      {isShort && Highlighted ? <Highlighted text={text} /> : <Text text={text} />}
    </pre>
  );
}

/** The fields whose text alone can be copied, the most telling first, and what the button calls each. */
const TELLING = [
  ["command", "command"],
  ["file_path", "path"],
  ["notebook_path", "path"],
  ["url", "address"],
] as const;

function Copies({ input }: { readonly input: unknown }) {
  const fields = new Map<string, unknown>(
    typeof input === "object" && input !== null ? Object.entries(input) : [],
  );
  const found = TELLING.map(([field, what]) => ({ what, text: fields.get(field) })).find(
    ({ text }) => typeof text === "string",
  );
  return (
    <div class="copies">
      {found && <Copy what={found.what} text={String(found.text)} />}
      <Copy what="JSON" text={JSON.stringify(input, null, 2)} />
    </div>
  );
}

/**
 * The button that copies a text. A page that is served neither over https nor from this machine lacks it, because browsers let
 * such a page copy nothing.
 */
function Copy({ what, text }: { readonly what: string; readonly text: string }) {
  const [said, say] = useState<string>();
  if (!isSecureContext) return null;
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => say("Copied"),
      () => say("Not copied"),
    );
  return (
    <button type="button" class="plain" onClick={copy}>
      {said ?? `Copy ${what}`}
    </button>
  );
}

/** @returns a hook that gives what `load` brings; undefined until then, while the input is shown in its plain form. */
function whenLoaded<T>(load: () => Promise<T>): (isWanted: boolean) => T | undefined {
  let loaded: T | undefined;
  return (isWanted) => {
    const [part, show] = useState(() => loaded);
    useEffect(() => {
      if (!isWanted || loaded !== undefined) return;
      let isShown = true;
      load().then(
        (found) => {
          loaded = found;
          if (isShown) show(() => found);
        },
        () => undefined,
      );
      return () => {
        isShown = false;
      };
    }, [isWanted]);
    return part ?? loaded;
  };
}
