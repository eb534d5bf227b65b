// Kubernetes
// What ops/kubernetes says: fields that Kubernetes knows, containers without rights, the secrets that its README makes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { at, listAt, textAt } from "../../support/engine/json.ts";
import { manifestErrors } from "../../support/docs/kubernetes.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const TEXT = read("ops/kubernetes/engines.yaml");
const parsed = (text: string): readonly unknown[] =>
  parseAllDocuments(text, { merge: true }).map((each) => each.toJS() as unknown);
const ALL = parsed(TEXT);
const named = (kind: string, name?: string): unknown =>
  ALL.find(
    (each) =>
      textAt(each, "kind") === kind &&
      (name ?? textAt(each, "metadata", "name")) === textAt(each, "metadata", "name"),
  );
const pod = at(named("StatefulSet"), "spec", "template", "spec");
const containers = [...listAt(pod, "initContainers"), ...listAt(pod, "containers")];

test("Ops: Kubernetes knows each field and each type of the manifests", () => {
  expect(manifestErrors(ALL)).toEqual([]);
});

/** What is planted, and the word by which the checker tells of it. */
const PLANTED = [
  { right: "replicas: 2", wrong: "replica: 2", told: "'\"replica\"'" },
  { right: "readOnlyRootFilesystem", wrong: "readOnlyRootFileSystem", told: "'\"readOnlyRootFileSystem\"'" },
  { right: "minAvailable: 1", wrong: "minAvailable: [1]", told: "'number[]'" },
  { right: 'value: "3"', wrong: "value: 3", told: "'number' is not assignable to type 'string'." },
  { right: "apiVersion: policy/v1", wrong: "apiVersion: apps/v1", told: "'PodDisruptionBudget'" },
  { right: "  serviceName: signalbox-engines\n", wrong: "", told: "'serviceName'" },
] as const;

test("Ops: that check finds an unknown field, also deep inside, a wrong type, a wrong group and a field that is missing", () => {
  const wrong = PLANTED.flatMap(({ right, wrong }) => {
    expect(TEXT).toContain(right);
    return parsed(TEXT.replaceAll(right, wrong));
  });
  const told = manifestErrors(wrong).join("\n");
  for (const planted of PLANTED) expect(told).toContain(planted.told);
});

test("Ops: no container is root, gains rights or writes into its image, and none has a right of the kernel or of the cluster", () => {
  expect(at(pod, "automountServiceAccountToken")).toBe(false);
  expect(at(pod, "securityContext")).toMatchObject({
    runAsNonRoot: true,
    seccompProfile: { type: "RuntimeDefault" },
  });
  expect(containers).toHaveLength(3);
  for (const container of containers)
    expect(at(container, "securityContext")).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  expect(TEXT).not.toMatch(/SIGNALBOX_HOST|--host|--public|hostNetwork|privileged: /);
});

test("Ops: each secret that a pod uses is made by the README beside it, with the keys that are used, and none stands in the file", () => {
  const readme = read("ops/kubernetes/README.md").replaceAll(/\\\n\s*/g, "");
  const made = [...readme.matchAll(/create secret (?:generic|tls) (\S+) (.*)$/gm)];
  const used = listAt(pod, "volumes").flatMap((volume) => textAt(volume, "secret", "secretName") ?? []);
  expect(made.map(([, name]) => name).toSorted()).toEqual(used.toSorted());
  const [, , engine = ""] = made.find(([, name]) => name === "signalbox-engine") ?? [];
  for (const key of ["key", "nats-ca.pem", "nats-url"]) {
    expect(engine).toContain(`--from-file=${key}`);
    expect(TEXT).toMatch(new RegExp(`(/given/engine/|key: )${key}`));
  }
  expect(ALL.map((each) => textAt(each, "kind"))).not.toContain("Secret");
});

test("Ops: the proxy is the one of ops/proxy, at the engine's port, and the Service for callers reaches only who is ready", () => {
  const location = /( {4}location[^]*?\n {4}\}\n)/;
  const shipped = location.exec(read("ops/proxy/nginx.conf"))?.[1];
  expect(location.exec(textAt(named("ConfigMap"), "data", "default.conf") ?? "")?.[1]).toBe(shipped);
  expect(at(named("Service", "signalbox-owner"), "spec", "publishNotReadyAddresses")).toBeUndefined();
  expect(at(named("Service", "signalbox-engines"), "spec")).toMatchObject({
    clusterIP: "None",
    publishNotReadyAddresses: true,
  });
  const [, engine] = containers;
  expect(at(engine, "readinessProbe", "httpGet", "path")).toBe("/readyz");
});

test("Ops: the image is the one of docker-compose.yml, which is started without a build", () => {
  const compose: unknown = parse(read("docker-compose.yml"), { merge: true });
  const steps = textAt(compose, "services", "engine", "build", "dockerfile_inline") ?? "";
  const { bin } = JSON.parse(read("package.json")) as { bin: { signalbox: string } };
  const [secrets, engine] = containers;
  expect(listAt(engine, "command")).toEqual(["node", bin.signalbox.replace("./", ""), "up"]);
  expect(textAt(secrets, "image")).toBe(textAt(engine, "image"));
  expect(steps).toContain("USER node");
});
