// Shape
// How many nodes become owners of a part, and what goes wrong within the simulated minute.
//
//   Owns:          the shape.
//   Does not own:  what comes of it (load, away).

export interface Shape {
  readonly nodes: number;
  /** How many spares each owner has. */
  readonly spares: number;
  readonly seed: number;
  /** How long calls come, s. */
  readonly seconds: number;
  /** Whether an owner and a NATS server die, and a new version is put in, meanwhile. */
  readonly hasFaults: boolean;
}

/**
 * An owner and its spares have a node each, and the engine with the inbox has one. One part is what there is today: its owner has
 * the inbox, too.
 */
export const partsOf = ({ nodes, spares }: Pick<Shape, "nodes" | "spares">): number =>
  Math.max(1, Math.floor((nodes - 1) / (1 + spares)));
