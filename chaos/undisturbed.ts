import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Run } from '../shared/core/contracts/run.ts'
import { ServiceApi } from './api.ts'
import { price } from './call-book.ts'
import { ModelEndpoint } from './model-endpoint.ts'
import { type EpisodeOutcome, readOutcome } from './outcome.ts'
import { expertPlan, type FollowUp, type Plan } from './plans.ts'
import { type ServiceOptions, ServiceProcess } from './service-process.ts'

export interface Undisturbed {
  status: string
  episodes: EpisodeOutcome[]
  ended: string[]
}

const root = resolve(import.meta.dirname, '..')
const cache = join(tmpdir(), 'espalier-chaos')

export async function undisturbedOf(
  plans: readonly Plan[],
  folder: string,
): Promise<{ outcomes: Undisturbed[]; wasCached: boolean }> {
  const path = join(cache, `${await digestOf(plans)}.json`)
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (kept !== null) return { outcomes: JSON.parse(kept) as Undisturbed[], wasCached: true }
  const outcomes = await play(folder, plans)
  await mkdir(cache, { recursive: true })
  await writeFile(`${path}.${process.pid}`, JSON.stringify(outcomes))
  await rename(`${path}.${process.pid}`, path)
  return { outcomes, wasCached: false }
}

async function digestOf(plans: readonly Plan[]): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(plans))
  for (const folder of ['shared', 'local', 'functions', 'containers', 'chaos']) {
    const files = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
    for (const path of paths.sort()) digest.update(path).update(await readFile(path))
  }
  return digest.digest('hex').slice(0, 24)
}

async function play(folder: string, plans: readonly Plan[]): Promise<Undisturbed[]> {
  const endpoint = new ModelEndpoint({ seed: 0, isQuick: true })
  const service = await openSubject(folder, endpoint, { control: null, workers: null })
  const api = new ServiceApi(service, () => undefined)
  try {
    service.launch()
    const outcomes: Undisturbed[] = []
    const runs: Run[] = []
    for (const [index, plan] of plans.entries()) {
      if (plan.next !== undefined && 'retry' in plan.next) endpoint.refusing.add(`quiet-${index}`)
      runs.push(await submitPlan(api, plan, index, `quiet-${index}`))
    }
    for (const [index, { id }] of runs.entries()) {
      const ended = await untilEnded(api, id)
      const { next } = plans[index] as Plan
      if (next !== undefined) {
        endpoint.refusing.delete(`quiet-${index}`)
        if (await playOn(api, ended, next)) await untilEnded(api, id)
      }
      const { run, episodes, ended: ends } = await readOutcome(api, id)
      outcomes.push({ status: run.status, episodes, ended: ends })
    }
    return outcomes
  } finally {
    await service.end('SIGTERM')
    await endpoint.close()
  }
}

async function untilEnded(api: ServiceApi, id: string): Promise<Run> {
  for (;;) {
    const run = await api.json<Run>('GET', `/v1/runs/${id}`)
    if (run.ended_at !== null) return run
    await delay(100)
  }
}

/**
 * Requests the follow-up of an ended run once: after a lost answer, its end says whether it goes on already.
 * @returns false if there is nothing to do
 */
export async function playOn(api: ServiceApi, run: Run, next: FollowUp): Promise<boolean> {
  if ('retry' in next && run.episodes.errored === 0) return false
  const [action, body] = 'extend' in next ? ['extend', { method: next.extend }] : ['retry', undefined]
  const goesOn = async () => {
    const { ended_at } = await api.json<Run>('GET', `/v1/runs/${run.id}`)
    return ended_at !== run.ended_at
  }
  await api.text('POST', `/v1/runs/${run.id}/${action}`, body, undefined, goesOn).catch((error: Error) => {
    if (!/409/.test(error.message)) throw error
  })
  return true
}

export async function openSubject(
  folder: string,
  endpoint: ModelEndpoint,
  options: Omit<ServiceOptions, 'folder'>,
): Promise<ServiceProcess> {
  await endpoint.listen()
  const model = { kind: 'openai', ...endpoint.addresses, prices: { '*': price } }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { model } }))
  return new ServiceProcess({ folder, ...options })
}

export async function playExpert(api: ServiceApi, number: number): Promise<string> {
  const { id } = await submitPlan(api, expertPlan(), number, `chaos-expert-${number}`)
  return (await untilEnded(api, id)).id
}

export function submitPlan(api: ServiceApi, plan: Plan, number: number, model: string): Promise<Run> {
  const { name, request } = plan
  const body = { ...request, name: `${number} ${name}`, model: { endpoint: 'model', id: model } }
  return api.json<Run>('POST', '/v1/runs', body, `run-${model}`)
}
