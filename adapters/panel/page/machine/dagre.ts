// Dagre
// The library that lays out charts. It is a file of its own, so that the page loads it only when a person opens a machine.
//
//   Owns:          nothing: the file only passes the library on.
//   Does not own:  calling the library (layout.ts).

export { Graph, layout } from "@dagrejs/dagre";
