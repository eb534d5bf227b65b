// Style
// The style of a view that is loaded when it is first shown.
//
//   Owns:          loading it once.
//   Does not own:  what is in it (the view's .css), which there are (bundle).
//
// LOOK-STYLE-1. A view stands once its style is there, and not before.

/** @param name of the view's style in the bundle. Rejects if it cannot be loaded. */
export function styled(name: "rules" | "answers"): Promise<void> {
  return new Promise((loaded, failed) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = `/app/${name}.css`;
    link.onload = () => loaded();
    link.onerror = () => failed(new Error(`The style ${name} cannot be loaded.`));
    document.head.append(link);
  });
}
