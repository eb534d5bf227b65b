// Encrypted
// A real nats-server that speaks TLS with a certificate made for it, and lets in a token.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { certificateFor } from "../http/certificate.ts";
import { configuredServer, type ConfiguredServer } from "./configured.ts";

export interface EncryptedServer {
  readonly server: ConfiguredServer;
  /** The certificate, which is its own authority, as PEM; and the file with it. */
  readonly ca: string;
  readonly caFile: string;
}

export const TOKEN = "t0ken";

/** @param host that the certificate is for. */
export async function encryptedServer(host: string): Promise<EncryptedServer> {
  const { key, cert } = certificateFor(host);
  const server = await configuredServer("");
  const file = (name: string, text: string): string => {
    const path = join(server.storeDir, `${name}.pem`);
    writeFileSync(path, text);
    return path;
  };
  const [keyFile, caFile] = [file("key", key), file("cert", cert)];
  const tls = `tls { cert_file: ${JSON.stringify(caFile)}, key_file: ${JSON.stringify(keyFile)} }`;
  await server.configure(`authorization { token: ${TOKEN} }\n${tls}`);
  return { server, ca: cert, caFile };
}
