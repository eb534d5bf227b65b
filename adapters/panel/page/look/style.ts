// Style
// Loads a view's style sheet when the view is shown for the first time.
//
//   Owns:          loading each style sheet once.
//   Does not own:  the rules in a style sheet (the view's .css), which style sheets are built (bundle).
//
// LOOK-STYLE-1. A view is not shown before its style sheet is loaded.

type Name =
  | "rules"
  | "answers"
  | "overview"
  | "palette"
  | "machine"
  | "letters"
  | "details"
  | "help"
  | "team"
  | "last-answer"
  | "bulk";

const loads: Partial<Record<Name, Promise<void>>> = {};

/** Loads a style sheet once; rejects if it cannot be loaded. @param name the name in the bundle. */
export const styled = (name: Name): Promise<void> =>
  (loads[name] ??= new Promise((loaded, failed) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = `/app/${name}.css`;
    link.onload = () => loaded();
    link.onerror = () => failed(new Error(`The style ${name} cannot be loaded.`));
    document.head.append(link);
  }));
