// Annotation
// Late evidence about a closed actor: the actor records the evidence, and does not change its state.
//
//   Owns:          the shape of an annotation, and how many an actor keeps.
//   Does not own:  the actor's other facts (request, tool-call, approval).

export interface Annotation {
  readonly at: number;
  readonly what: string;
}

const ANNOTATIONS_MAX = 20;

export function annotated(list: readonly Annotation[], at: number, what: string): readonly Annotation[] {
  return [...list.slice(1 - ANNOTATIONS_MAX), { at, what }];
}
