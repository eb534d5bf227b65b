// Sheet
// The sheets that open over any view: the keyboard shortcuts, the settings of notifications.
//
//   Owns:          loading a sheet when it is first opened.
//   Does not own:  which sheet is open (shell.tsx), what is on it.

import { later } from "./parts/later.tsx";

const SHEETS = {
  help: later(async () => (await import("./parts/help.tsx")).Help),
  notifications: later(async () => (await import("./notify/sheet.tsx")).Sheet),
} as const;
export type SheetName = keyof typeof SHEETS;

interface Props {
  readonly which: SheetName;
  readonly onClose: () => void;
}

export function Sheet({ which, onClose }: Props) {
  const Shown = SHEETS[which];
  return <Shown onClose={onClose} />;
}
