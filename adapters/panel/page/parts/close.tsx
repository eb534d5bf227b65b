// Close
// The button that closes a dialog, and the key that does.
//
//   Owns:          its words.
//   Does not own:  the dialog: the browser closes it, for the form's method is `dialog`.

export function Close() {
  return (
    <form method="dialog">
      <button type="submit">
        Close <kbd>Esc</kbd>
      </button>
    </form>
  );
}
