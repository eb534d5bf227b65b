// Stately: sends the state changes over a WebSocket, in the format of Stately's inspector.

export { Inspection } from "./inspection.ts";
