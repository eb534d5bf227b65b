// Stately: the state changes over a WebSocket, in the wire format of Stately's inspector.

export { Inspection } from "./inspection.ts";
