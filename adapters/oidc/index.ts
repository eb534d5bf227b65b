// OIDC: signs users in by an organisation's identity provider, and decides which of them may come in.

export { openProvider } from "./provider.ts";
export type { ProviderOptions } from "./provider.ts";
export { nobodyYet, readHolderList } from "./holder-list.ts";
export type { HolderList } from "./holder-list.ts";
