// Annotation
// Late evidence about a closed actor. It is recorded and changes no state.
//
//   Owns:          the shape of an annotation, and how many an actor keeps.
//   Does not own:  the actor's other facts (request, tool-call, approval).

/** One piece of late evidence about a closed actor. */
export interface Annotation {
  readonly at: number;
  readonly what: string;
}

const ANNOTATIONS_MAX = 20;

/** An actor's annotations with a new one: the newest few, oldest first. */
export function annotated(list: readonly Annotation[], at: number, what: string): readonly Annotation[] {
  return [...list.slice(1 - ANNOTATIONS_MAX), { at, what }];
}
