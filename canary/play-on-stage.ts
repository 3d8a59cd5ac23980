import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Episode } from '../shared/core/contracts/episode.ts'
import type { Run } from '../shared/core/contracts/run.ts'
import type { CanaryPlan } from './plans.ts'
import { patiently, type StageApi } from './stage-api.ts'

const pollMilliseconds = 2000

const fetchedAtOnce = 8

export interface PlayedRun {
  run: Run
  episodes: Episode[]
  /** SHA-256 of the tree's bytes, by episode. Missing without a tree. */
  trees: Map<string, string>
}

export function runKey({ name }: CanaryPlan, id: string): string {
  return `canary-${id}-${name}`
}

export function startRun({ client }: StageApi, plan: CanaryPlan, id: string): Promise<Run> {
  return patiently(() => client.createRun(plan.stage, runKey(plan, id)))
}

export async function untilEnded(
  { client }: StageApi,
  run: string,
  onLook: (run: Run) => void,
): Promise<Run> {
  for (;;) {
    const now = await patiently(() => client.run(run))
    onLook(now)
    if (now.ended_at !== null) return now
    await pause(pollMilliseconds)
  }
}

export async function readRun(api: StageApi, run: Run): Promise<PlayedRun> {
  const episodes: Episode[] = []
  for (let after: string | undefined, more = true; more; ) {
    const query = { limit: 1000, ...(after !== undefined && { after }) }
    const page = await patiently(() => api.client.episodes(run.id, query))
    episodes.push(...page.data)
    after = page.last_id ?? undefined
    more = page.has_more
  }
  const trees = new Map<string, string>()
  const left = episodes.filter(({ result }) => result !== null && result.status !== 'errored')
  const fetchSome = async () => {
    for (let episode = left.shift(); episode !== undefined; episode = left.shift()) {
      const path = `/v1/runs/${run.id}/episodes/${episode.id}/tree`
      const body = await patiently(async () => (await api.transport.send('GET', path)).bytes())
      trees.set(episode.id, digestOf(body))
    }
  }
  await Promise.all(Array.from({ length: fetchedAtOnce }, fetchSome))
  return { run, episodes, trees }
}

export function digestOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex')
}
