// Title line
// Turns a prompt into one line, which is shown as the name of a session or request.
//
//   Owns:          what replaces line breaks in a title.
//   Does not own:  hidden characters (visible), shortening a title.
//
// TITLE-LINE-1. Line breaks, with the blanks around them, become one space; other text stays as it was written. A prompt that
//     is shown in full keeps its lines.

const BREAKS = /[ \t]*\r?\n[ \t\r\n]*/g;

export const titleLine = (text: string): string => text.replace(BREAKS, " ").trim();
