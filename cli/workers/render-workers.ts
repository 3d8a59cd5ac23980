import { stringify } from 'yaml'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { WorkersFile } from './workers-file.ts'

export const schedulers = ['slurm', 'kubernetes', 'skypilot'] as const

export type Scheduler = (typeof schedulers)[number]

export interface RenderedFile {
  name: string
  text: string
}

/** Seconds between a scheduler's notice and its end: calls under way get 100 of them. */
const leaving = 150

/**
 * Renders the job file of a scheduler. It holds no password and no token: they come from a file of variables or a
 * secret, so that no command line shows them.
 * @throws EspalierError `invalid_request` for a description that this scheduler cannot use
 */
export function renderWorkers(scheduler: Scheduler, workers: WorkersFile): RenderedFile {
  const { name } = workers
  if (scheduler === 'slurm') return { name: `${name}.sbatch`, text: renderSlurm(workers) }
  if (scheduler === 'kubernetes') return { name: `${name}.kubernetes.yaml`, text: renderKubernetes(workers) }
  return { name: `${name}.sky.yaml`, text: renderSkyPilot(workers) }
}

function renderSlurm(workers: WorkersFile): string {
  const { name, cpus, gpus, hours, memory, slurm } = workers
  const options = {
    'job-name': name,
    array: `1-${workers.workers}`,
    'cpus-per-task': cpus,
    mem: `${memory}G`,
    time: `${hours}:00:00`,
    signal: `B:TERM@${leaving}`,
    output: `${name}-%A_%a.log`,
    ...(gpus > 0 && { gres: `gpu:${gpus}` }),
    ...slurm,
  }
  const lines = Object.entries(options).map(([option, value]) => `#SBATCH --${option}=${value}`)
  return ['#!/bin/bash', ...lines, '#SBATCH --requeue', 'set -euo pipefail', ...scriptOf(workers), ''].join(
    '\n',
  )
}

function scriptOf(workers: WorkersFile): string[] {
  const { code, image, variables } = workers
  if (variables === undefined)
    throw missing('variables', `a file with ${secretOf(workers)}=…, readable by you alone`)
  const load = ['set -a', '# shellcheck source=/dev/null', `. ${quote(variables)}`, 'set +a']
  const words = argumentsOf(workers).map(quote).join(' ')
  if (code === undefined) return [...load, `exec apptainer exec ${quote(image ?? '')} espalier ${words}`]
  return [...load, `cd ${quote(code)}`, `exec node cli/espalier.ts ${words}`]
}

function renderKubernetes(workers: WorkersFile): string {
  const { name, cpus, gpus, image, kubernetes, memory, objects } = workers
  if (image === undefined) throw missing('image', 'a container image whose command is espalier')
  const { claim, most_workers: most = workers.workers, namespace } = kubernetes
  const { secret = workers.join === undefined ? 'espalier-world' : 'espalier-token' } = kubernetes
  const isBucket = objects?.startsWith('s3://') ?? false
  if (claim === undefined && objects !== undefined && !isBucket)
    throw missing(
      'kubernetes.claim',
      'the volume claim of the shared folder, or name s3://bucket as "objects"',
    )
  const metadata = { name, namespace, labels: { app: name } }
  const volumes =
    claim === undefined ? [] : [{ name: 'objects', persistentVolumeClaim: { claimName: claim } }]
  const container = {
    name: 'worker',
    image,
    args: argumentsOf(workers),
    envFrom: [{ secretRef: { name: secret } }],
    resources: {
      requests: { cpu: String(cpus), memory: `${memory}Gi` },
      limits: { memory: `${memory}Gi`, ...(gpus > 0 && { 'nvidia.com/gpu': gpus }) },
    },
    ...(claim !== undefined && {
      volumeMounts: [
        { name: 'objects', mountPath: objects === undefined || isBucket ? workers.settings : objects },
      ],
    }),
  }
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas: workers.workers,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          terminationGracePeriodSeconds: leaving,
          containers: [container],
          ...(volumes.length > 0 && { volumes }),
        },
      },
    },
  }
  const scaler = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata,
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas: workers.workers,
      maxReplicas: Math.max(most, workers.workers),
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
        },
      ],
    },
  }
  return most > workers.workers ? `${stringify(deployment)}---\n${stringify(scaler)}` : stringify(deployment)
}

function renderSkyPilot(workers: WorkersFile): string {
  const { name, code, cpus, gpus, image, memory, skypilot } = workers
  const { accelerator, ...resources } = skypilot
  if (gpus > 0 && accelerator === undefined)
    throw missing('skypilot.accelerator', 'the name of the GPU for SkyPilot, such as L4')
  const run = [...(code === undefined ? [] : [`cd ${quote(code)}`]), startOf(workers)].join('\n')
  return stringify({
    name,
    num_nodes: workers.workers,
    resources: {
      cpus: `${cpus}+`,
      memory: `${memory}+`,
      ...(gpus > 0 && { accelerators: `${accelerator}:${gpus}` }),
      ...(image !== undefined && { image_id: `docker:${image}` }),
      ...resources,
    },
    // Given at the launch: sky launch --secret ESPALIER_WORLD, or ESPALIER_TOKEN.
    secrets: { [secretOf(workers)]: null },
    run,
  })
}

function startOf(workers: WorkersFile): string {
  const program = workers.code === undefined ? 'espalier' : 'node cli/espalier.ts'
  return `exec ${program} ${argumentsOf(workers).map(quote).join(' ')}`
}

function secretOf({ join }: WorkersFile): 'ESPALIER_WORLD' | 'ESPALIER_TOKEN' {
  return join === undefined ? 'ESPALIER_WORLD' : 'ESPALIER_TOKEN'
}

function argumentsOf({ hosts, join, labels, objects, places, settings }: WorkersFile): string[] {
  const where = join === undefined ? ['--objects', objects ?? ''] : ['--join', join]
  const labelled = labels.length === 0 ? [] : ['--labels', labels.join(',')]
  const size = hosts === undefined ? ['--places', String(places)] : ['--hosts', String(hosts)]
  return ['worker', ...where, '--folder', settings, ...size, ...labelled]
}

function quote(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function missing(field: string, what: string): EspalierError {
  return new EspalierError('invalid_request', `The workers' file lacks "${field}": ${what}.`, {
    param: field,
  })
}
