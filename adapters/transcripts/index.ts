// Transcripts
// Follows the transcripts that hooks name, and sends their lines to the door.

export { Tailer } from "./tailer.ts";
