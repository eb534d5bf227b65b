// Form
// The form in which a person writes a rule. While the person writes, the page tries the rule on past approvals.
//
//   Owns:          the fields of the form for a rule, making the rule.
//   Does not own:  what the fields contain (draft.ts), trying the rule (trying.ts, found.tsx), refusing wrong rules (the engine).
//
// WRITING-FORM-1. To try a rule, the page uses only the rule's answer, tool, input, folder and risk marks. It ignores the rule's
//     end and other rules.
// WRITING-FORM-2. The rule that is made is the one in the form at the moment when a person presses the button.

import { useState } from "preact/hooks";
import { useValue } from "../../engine/value.ts";
import { Select } from "../../parts/choice.tsx";
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
        <Fields {...{ workspaces, written, want, onChange }} />
        <Found {...{ ...trying, workspace, effect: written.effect, span, chooseSpan }} />
      </div>
    </section>
  );
}

interface FieldsProps extends Props {
  readonly written: Draft;
  readonly want: (part: Partial<Draft>) => void;
}

function Fields({ workspaces, written, want, onChange }: FieldsProps) {
  const steps = useSteps(onChange);
  const { effect, tool, input } = written;
  const make = async (isDry: boolean): Promise<void> => {
    const rule = ruleOf(draft.get(), isDry);
    if (rule && (await steps.take(() => makeRule(workspaces.chosen, rule))))
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
      <Select label="Answer" names={EFFECTS} chosen={effect} choose={(each) => want({ effect: each })} />
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
      <Select label="Input" names={INPUTS} chosen={input} choose={(each) => want({ input: each })} />
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
      <Limits {...{ workspaces, written, want }} />
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

function Limits({ written, want, workspaces }: Omit<FieldsProps, "onChange">) {
  const { effect, project, isUnmarked, end, note } = written;
  return (
    <>
      <Select
        label="Workspace"
        names={workspaces.names}
        chosen={workspaces.chosen}
        choose={workspaces.choose}
      />
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
      <Select label="Ends" names={ENDS} chosen={end} choose={(each) => want({ end: each })} />
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
