// OIDC: signs people in by an organisation's identity provider, and says which of them are let in.

export { openProvider } from "./provider.ts";
export type { ProviderOptions } from "./provider.ts";
export { nobodyYet, readHolderList } from "./holder-list.ts";
export type { HolderList } from "./holder-list.ts";
