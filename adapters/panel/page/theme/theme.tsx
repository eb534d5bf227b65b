// Theme
// The theme: light, dark, or the system's; chosen for this browser.
//
//   Owns:          the choice, keeping it, the button.
//   Does not own:  the colours (look/tokens.css).

import { useValue, Value } from "../engine/value.ts";

const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "signalbox.theme";
const NAMES: Readonly<Record<Theme, string>> = { system: "as the system", light: "light", dark: "dark" };

const theme = new Value<Theme>(kept());
theme.subscribe(apply);
apply();
addEventListener("storage", ({ key }) => {
  if (key === KEY || key === null) theme.set(kept());
});

export function choose(next: Theme): void {
  theme.set(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // If the browser stores nothing, the theme lasts as long as the page is open.
  }
}

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

function kept(): Theme {
  try {
    const name = localStorage.getItem(KEY);
    return THEMES.find((each) => each === name) ?? "system";
  } catch {
    return "system";
  }
}
