// Close
// The button that closes a dialog, with the key that does the same.
//
//   Owns:          the words on the button that closes a dialog.
//   Does not own:  closing the dialog: the browser does that, because the form's method is `dialog`.

export function Close() {
  return (
    <form method="dialog">
      <button type="submit">
        Close <kbd>Esc</kbd>
      </button>
    </form>
  );
}
