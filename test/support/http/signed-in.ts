// Signed in
// The way a browser of this machine gets in: a link that is asked for with a token, opened at the panel's own name.
//
//   Owns:          asking for a link; opening one as a browser does, which finds each name below localhost by itself.
//   Does not own:  a real browser (panel), what is asked with the cookie.

import { textAt } from "../engine/json.ts";
import { rawRequest } from "./served.ts";

type Header = readonly [name: string, value: string];

/** A link that signs a browser of this machine in, once. @param url of the engine. */
export async function linkAt(url: string, token: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const made = await fetch(`${url}/v1/sign-in-links`, { method: "POST", headers, body: "{}" });
  const body: unknown = await made.json();
  return `${textAt(body, "here") ?? ""}/?code=${textAt(body, "code") ?? ""}`;
}

/** What a browser that opens a link is answered. */
export function openedAt(link: string, method = "GET"): ReturnType<typeof rawRequest> {
  const { host, port, pathname, search } = new URL(link);
  return rawRequest(`http://127.0.0.1:${port}`, method, pathname + search, [["Host", host]]);
}

/** Headers of a browser that is signed in. */
export interface SignedIn {
  readonly origin: string;
  readonly host: Header;
  readonly cookie: Header;
}

export async function signedIn(url: string, token: string): Promise<SignedIn> {
  const link = await linkAt(url, token);
  const { headers } = await openedAt(link);
  const { origin, host } = new URL(link);
  const [cookie = ""] = String(headers["set-cookie"]).split(";");
  return { origin, host: ["Host", host], cookie: ["Cookie", cookie] };
}
