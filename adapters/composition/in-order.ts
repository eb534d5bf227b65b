// In order
// Begins and ends the parts of an engine, one after another.
//
//   Owns:          that one that fails to end keeps no other from ending.
//   Does not own:  the order (compose).

/** A part that begins something. */
interface Part {
  start(): unknown;
}

/** @throws what the first one throws that does not begin. */
export async function beginAll(parts: readonly (Part | undefined)[]): Promise<void> {
  for (const one of parts) await one?.start();
}

/** A step that fails must neither skip the others nor hide why the engine stops. */
export async function endAll(
  onError: (error: unknown) => void,
  ends: readonly (() => unknown)[],
): Promise<void> {
  for (const end of ends) await Promise.resolve().then(end).catch(onError);
}
