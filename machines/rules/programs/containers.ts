// Containers
// Describes, for rules, the options and commands of programs for containers, clusters and clouds.
//
//   Owns:          the options and commands of programs for containers, clusters and clouds.
//   Does not own:  how rules use the descriptions of programs (reach, sight).

import type { ProgramRow } from "./program-row.ts";

const DOCKER: ProgramRow = {
  names: "docker podman nerdctl",
  values:
    "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --connection --identity --url --namespace",
  flags: "-v --version -h --help -D --debug",
  commands: {
    known: `attach build builder buildx checkpoint commit compose config container context cp create diff events exec export history
      image images import info inspect kill load login logout logs manifest model network node pause plugin port ps pull push
      rename restart rm rmi run save scout search secret service stack start stats stop swarm system tag top trust unpause update
      version volume wait`,
    closed: `attach build builder buildx checkpoint commit compose config container context cp create exec export image import load
      login manifest model network node plugin run save scout secret service stack swarm system trust volume`,
    named: "kill logout pause pull push rename restart rm rmi start stop tag unpause update",
  },
};

const COMPOSE: ProgramRow = {
  names: "docker-compose podman-compose",
  values: "-f --file -p --project-name --project-directory --env-file --profile -H --host -c --context",
  flags: "--verbose -v --version -h --help --no-ansi",
  strict: "before",
  commands: {
    closed: "build config cp create exec export run up watch",
    named: "down kill pause pull push restart rm start stop unpause",
  },
};

const KUBECTL: ProgramRow = {
  names: "kubectl oc k",
  values: `-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --as-uid --cache-dir
    --certificate-authority --client-certificate --client-key --password --username --request-timeout --tls-server-name --profile
    --profile-output -v --v --vmodule --log-dir --log-file`,
  flags: "-h --help --match-server-version --warnings-as-errors",
  reaches: `--kubeconfig --context --cluster --user --profile-output --server -s --token --as --as-group --as-uid --raw --certificate-authority --client-certificate
    --client-key --insecure-skip-tls-verify --cache-dir --log-dir --log-file --template go-template-file --output-directory`,
  commands: {
    known: `alpha annotate api-resources api-versions apply attach auth autoscale certificate cluster-info completion config cordon cp
      create debug delete describe diff drain edit events exec explain expose get help kustomize label logs options patch plugin
      port-forward proxy replace rollout run scale set taint top uncordon version wait`,
    closed:
      "alpha attach auth cluster-info config cp debug edit exec kustomize plugin port-forward proxy run diff",
    named: `annotate apply autoscale certificate cordon create delete drain expose label patch replace rollout scale set taint
      uncordon`,
  },
};

const HELM: ProgramRow = {
  names: "helm helmfile kustomize argocd flux",
  values:
    "-n --namespace --kube-context --kubeconfig --registry-config --repository-cache --repository-config",
  flags: "-h --help --debug",
  reaches:
    "--kube-context --post-renderer --post-renderer-args --output-dir --kubeconfig --enable-exec --enable-helm --helm-command -o -d --destination",
  commands: {
    closed: "plugin registry repo package push pull create env build edit localize",
    named: "install upgrade uninstall rollback delete apply sync destroy template test",
  },
};

const TERRAFORM: ProgramRow = {
  names: "terraform tofu terragrunt pulumi",
  values: "-chdir --cwd -C -s --stack",
  flags: "-help -version",
  strict: "before",
  reaches: `-chdir -out -state -state-out -backup -plugin-dir -backend-config -from-module -var-file -generate-config-out -cwd
    -json-into --cwd --terragrunt-working-dir --terragrunt-config --terragrunt-tfpath`,
  commands: {
    closed:
      "console login logout import state workspace taint untaint force-unlock metadata test plugin run run-all config env new exec",
    named: "apply destroy init fmt get plan refresh up preview providers hclfmt",
  },
};

const CLOUDS: ProgramRow = {
  names:
    "aws gcloud gsutil bq az doctl flyctl fly heroku vercel netlify wrangler firebase eb sam cdk serverless sls ansible ansible-playbook ansible-pull salt packer vagrant nomad consul vault",
  runs: "anything",
};

export const CONTAINERS: readonly ProgramRow[] = [DOCKER, COMPOSE, KUBECTL, HELM, TERRAFORM, CLOUDS];
