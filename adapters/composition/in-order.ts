// In order
// Starts and stops the parts of an engine, one after another.
//
//   Owns:          that a part which fails to stop does not keep the others running.
//   Does not own:  deciding the order (compose).

interface Part {
  start(): unknown;
}

/** @throws the error of the first part that does not start. */
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
