// Dagre
// The library that places states, in a file of its own: it is loaded with the first machine that somebody looks at.
//
//   Owns:          nothing.
//   Does not own:  its use (layout.ts).

export { Graph, layout } from "@dagrejs/dagre";
