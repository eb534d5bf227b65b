// Dagre
// The library that computes the layout of a chart. It has a file of its own, loaded with the first machine that a person
// opens.
//
//   Owns:          nothing.
//   Does not own:  how it is used (layout.ts).

export { Graph, layout } from "@dagrejs/dagre";
