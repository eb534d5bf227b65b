// Not found
// Says what the page's address names, why the page cannot show that, and where a person can go instead.
//
//   Owns:          the words for an address that leads to nothing.
//   Does not own:  reading from the engine what the address names.

import type { ApiError } from "../engine/api.ts";
import { hrefOf } from "../route.ts";
import { Failure } from "./failure.tsx";
import { Line } from "./text.tsx";

interface Props {
  readonly what: string;
  readonly failure: ApiError;
  readonly onAgain: () => void;
}

export function NotFound({ what, failure, onAgain }: Props) {
  const isGone = failure.status === 404;
  return (
    <section class="empty">
      <h1>
        <Line text={what} /> {isGone ? "is not here" : "cannot be shown"}
      </h1>
      {isGone ? (
        <p class="quiet" role="alert">
          The engine has nothing with that name: it never heard of it, or no longer keeps it.
        </p>
      ) : (
        <Failure>{failure.words}</Failure>
      )}
      <p>
        {!isGone && (
          <button type="button" onClick={onAgain}>
            Try again
          </button>
        )}{" "}
        <a href={hrefOf({ view: "overview" })}>See the sessions there are</a>
      </p>
    </section>
  );
}
