import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Run } from '../shared/contracts/run.ts'
import { ServiceApi } from './api.ts'
import { price } from './call-book.ts'
import { ModelEndpoint } from './model-endpoint.ts'
import { type EpisodeOutcome, readOutcome } from './outcome.ts'
import type { Plan } from './plans.ts'
import { ServiceProcess } from './service-process.ts'

/** What a plan comes to when nothing is disturbed. */
export interface Undisturbed {
  status: string
  episodes: EpisodeOutcome[]
}

const root = resolve(import.meta.dirname, '..')
const cache = join(tmpdir(), 'espalier-chaos')

/**
 * What the plans come to undisturbed, from the cache of this code, or played.
 *
 * @param folder where they are played
 */
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

/** A digest of the plans and of all code that may decide what they come to. */
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
    for (const [index, plan] of plans.entries())
      runs.push(await submitPlan(api, plan, index, `quiet-${index}`))
    for (const { id } of runs) {
      while ((await api.json<Run>('GET', `/v1/runs/${id}`)).ended_at === null) await delay(100)
      const { run, episodes } = await readOutcome(api, id)
      outcomes.push({ status: run.status, episodes })
    }
    return outcomes
  } finally {
    await service.end('SIGTERM')
    await endpoint.close()
  }
}

/** A service over a new folder that knows the endpoint as `model`; it does not run yet. */
export async function openSubject(
  folder: string,
  endpoint: ModelEndpoint,
  options: { control: string | null; workers: number | null },
): Promise<ServiceProcess> {
  await endpoint.listen()
  const model = { kind: 'openai', ...endpoint.addresses, prices: { '*': price } }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { model } }))
  return new ServiceProcess({ folder, ...options })
}

/** Asks for the run of a plan; asked again, it is the same run. */
export function submitPlan(api: ServiceApi, plan: Plan, number: number, model: string): Promise<Run> {
  const { name, request } = plan
  const body = { ...request, name: `${number} ${name}`, model: { endpoint: 'model', id: model } }
  return api.json<Run>('POST', '/v1/runs', body, `run-${model}`)
}
