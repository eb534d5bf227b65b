// Title line
// A prompt as the name of its session or request, in one line.
//
//   Owns:          what becomes of line breaks in a title.
//   Does not own:  hidden characters (visible), how much of a title is shown.
//
// TITLE-LINE-1. A run of line breaks, with the blanks around it, is one space; the rest stays as it was written. Where the
//     prompt is shown whole, its lines stay.

const BREAKS = /[ \t]*\r?\n[ \t\r\n]*/g;

/** The text without line breaks. */
export const titleLine = (text: string): string => text.replace(BREAKS, " ").trim();
