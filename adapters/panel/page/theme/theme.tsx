// Theme
// The colour theme of the page in this browser: light, dark, or the same as the system's.
//
//   Owns:          choosing the colour theme, storing the choice, the button for it.
//   Does not own:  the colours of each theme (look/tokens.css).

import { keptValue, useValue } from "../engine/value.ts";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const NAMES: Readonly<Record<Theme, string>> = { system: "as the system", light: "light", dark: "dark" };

const [theme, keep] = keptValue<Theme>(
  "signalbox.theme",
  (text) => THEMES.find((each) => each === text) ?? "system",
);
theme.subscribe(apply);
apply();

export const choose = (next: Theme): void => keep(next, next);

export function ThemeButton() {
  const now = useValue(theme);
  const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length] ?? "system";
  const words = `Theme: ${NAMES[now]}. Press for ${NAMES[next]}`;
  return (
    <button type="button" class="plain theme" aria-label={words} title={words} onClick={() => choose(next)}>
      <svg viewBox="0 0 16 16" aria-hidden="true" class={now}>
        <circle cx="8" cy="8" r="5.5" />
        <path class="half" d="M8 2.5a5.5 5.5 0 0 1 0 11z" />
      </svg>
    </button>
  );
}

function apply(): void {
  document.documentElement.dataset["theme"] = theme.get();
}
