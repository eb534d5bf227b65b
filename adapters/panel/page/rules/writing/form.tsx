// Form
// The form for a rule, which is tried on past approvals while a person writes it.
//
//   Owns:          the fields of the form, making the rule.
//   Does not own:  what the fields hold (draft.ts), the trial (trying.ts, found.tsx), which rules are valid (the engine).
//
// WRITING-FORM-1. The trial looks at the rule's tool, input, folder and marks alone. It leaves out other rules and the rule's
//     end.
// WRITING-FORM-2. The rule that is made is the one in the form when the button is pressed.

import { useState } from "preact/hooks";
import { useValue } from "../../engine/value.ts";
import { namesOf } from "../../parts/choice.tsx";
import { visible } from "../../../../../runtime/text/visible.ts";
import { Done, makeRule, useSteps } from "../done.tsx";
import type { Workspaces } from "../workspaces.ts";
import { aboutOf, type Draft, draft, EFFECTS, EMPTY, ENDS, INPUTS, ruleOf } from "./draft.ts";
import { DAYS, Found, type Span } from "./found.tsx";
import { useTrying } from "./trying.ts";

const DAY_MS = 86_400_000;
const TEXT_MAX = 512;
const NOTE_MAX = 500;
const FOLDER_MAX = 1_024;
const NAME_MAX = 256;
const TOOLS = ["Bash", "Edit", "Write", "Read", "WebFetch", "WebSearch"];

interface Props {
  readonly workspaces: Workspaces;
  readonly onChange: () => Promise<void>;
}

export function WriteRule({ workspaces, onChange }: Props) {
  const { chosen: workspace } = workspaces;
  const [span, chooseSpan] = useState<Span>("30d");
  const [now, setNow] = useState(Date.now);
  const written = useValue(draft);
  const rule = aboutOf(written);
  const since = now - DAYS[span] * DAY_MS;
  const body = rule ? JSON.stringify({ workspace, rule, since }) : undefined;
  const trying = useTrying(body);
  const want = (part: Partial<Draft>): void => {
    draft.set({ ...draft.get(), ...part });
    setNow(Date.now());
  };
  return (
    <section class="writing" aria-labelledby="writing-title">
      <h2 id="writing-title">Write a rule</h2>
      <div class="beside tile">
        <Fields
          workspace={workspace}
          workspaces={workspaces}
          written={written}
          want={want}
          onChange={onChange}
        />
        <Found {...{ ...trying, workspace, effect: written.effect, span, chooseSpan }} />
      </div>
    </section>
  );
}

interface FieldsProps extends Props {
  readonly workspace: string;
  readonly written: Draft;
  readonly want: (part: Partial<Draft>) => void;
}

function Fields({ workspace, workspaces, written, want, onChange }: FieldsProps) {
  const steps = useSteps(onChange);
  const { effect, tool, input } = written;
  const make = async (isDry: boolean): Promise<void> => {
    const rule = ruleOf(draft.get(), isDry);
    if (rule && (await steps.take(() => makeRule(workspace, rule))))
      want({ text: EMPTY.text, note: EMPTY.note });
  };
  const isWhole = ruleOf(written, false) !== undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void make(false);
      }}
    >
      <Select label="Answer" names={EFFECTS} value={effect} onValue={(each) => want({ effect: each })} />
      <label>
        Tool
        <input
          {...CODE}
          value={tool}
          list="writing-tools"
          maxLength={NAME_MAX}
          onInput={({ currentTarget: { value } }) => want({ tool: value })}
        />
        <datalist id="writing-tools">
          {TOOLS.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </label>
      <Select label="Input" names={INPUTS} value={input} onValue={(each) => want({ input: each })} />
      {input !== "any" && (
        <label>
          {input === "prefix" ? "The first words of a command, or a folder" : "Words or a path with *"}
          <input
            {...CODE}
            value={written.text}
            maxLength={TEXT_MAX}
            placeholder={input === "prefix" ? "npm test" : "git log *"}
            onInput={({ currentTarget: { value } }) => want({ text: value })}
          />
        </label>
      )}
      <Limits written={written} want={want} workspace={workspace} workspaces={workspaces} />
      <div class="actions">
        <button
          type="submit"
          class={effect === "deny" ? "deny" : "approve"}
          disabled={!isWhole || steps.isBusy}
        >
          Make the rule
        </button>
        {effect !== "ask" && (
          <button
            type="button"
            disabled={!isWhole || steps.isBusy}
            title="At first the rule answers nothing, and counts what it would have answered."
            onClick={() => void make(true)}
          >
            Make a dry rule
          </button>
        )}
      </div>
      <Done {...steps} />
    </form>
  );
}

const CODE = { class: "code", spellcheck: false, autocomplete: "off", autocapitalize: "off" } as const;

/** The fields for the workspace, the rule's end and the note. */
function Limits({ written, want, workspace, workspaces }: Omit<FieldsProps, "onChange">) {
  const { effect, project, isUnmarked, end, note } = written;
  const offered = Object.fromEntries(workspaces.offered.map((each) => [each, visible(each)]));
  return (
    <>
      <Select label="Workspace" names={offered} value={workspace} onValue={workspaces.choose} />
      {effect === "allow" && (
        <>
          <label>
            Only in this folder
            <input
              {...CODE}
              value={project}
              maxLength={FOLDER_MAX}
              placeholder="any"
              onInput={({ currentTarget: { value } }) => want({ project: value })}
            />
          </label>
          <label class="tick">
            <input
              type="checkbox"
              checked={isUnmarked}
              onChange={({ currentTarget: { checked } }) => want({ isUnmarked: checked })}
            />{" "}
            Only calls without a risk’s mark
          </label>
        </>
      )}
      <Select label="Ends" names={ENDS} value={end} onValue={(each) => want({ end: each })} />
      <label>
        Note
        <input
          value={note}
          maxLength={NOTE_MAX}
          placeholder={effect === "deny" ? "why; the agent reads it" : "why"}
          onInput={({ currentTarget: { value } }) => want({ note: value })}
        />
      </label>
    </>
  );
}

interface SelectProps<Name extends string> {
  readonly label: string;
  readonly names: Readonly<Record<Name, string>>;
  readonly value: Name;
  readonly onValue: (value: Name) => void;
}

function Select<Name extends string>({ label, names, value, onValue }: SelectProps<Name>) {
  return (
    <label>
      {label}
      {/* The cast is safe: the options are the names, so no other value can be chosen. */}
      <select value={value} onChange={({ currentTarget }) => onValue(currentTarget.value as Name)}>
        {namesOf(names).map((each) => (
          <option key={each} value={each}>
            {names[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
