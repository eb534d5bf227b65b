// Notifications: opening
// The button in the header that opens the sheet with the settings of notifications.
//
//   Owns:          the button.
//   Does not own:  when the sheet is open (shell.tsx), the settings (sheet.tsx).

export const NotificationsButton = ({ onPress }: { readonly onPress: () => void }) => (
  <button
    type="button"
    class="plain notify"
    aria-label="Notifications"
    title="Notifications"
    onClick={onPress}
  >
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 1.5a4 4 0 0 0-4 4c0 4-1.5 5-1.5 6h11c0-1-1.5-2-1.5-6a4 4 0 0 0-4-4zM6.5 13.5h3" />
    </svg>
  </button>
);
