// Annotation
// Late evidence about a closed actor, which is recorded and changes no state.
//
//   Owns:          the shape of an annotation, how many are kept.
//   Does not own:  the facts (request, tool-call, approval).

/** Late evidence about a closed actor. */
export interface Annotation {
  readonly at: number;
  readonly what: string;
}

const ANNOTATIONS_MAX = 20;

/** The newest annotations, oldest first. */
export function annotated(list: readonly Annotation[], at: number, what: string): readonly Annotation[] {
  return [...list.slice(1 - ANNOTATIONS_MAX), { at, what }];
}
