import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Report } from '../../shared/core/contracts/report.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Started, startEspalier } from './processes.ts'
import { request } from './request.ts'

const environments = ['textcraft', 'pddl', 'alfworld', 'webshop']
const kills = 4
/** Tasks of each run: more than a round of those that learn, so that what is learned is passed on. */
const tasks = 3

/** Small searches, so that every method has its turn in every environment. */
const small = { iterations: 4, proposals: 8, branching: 3, verdicts: 3 }
const methods: { id: string; [parameter: string]: unknown }[] = [
  { id: 'act' },
  { id: 'react' },
  { id: 'reflexion', train_steps: 6 },
  { id: 'reflexion', agent: 'act', retry: 2 },
  { id: 'code-as-policy' },
  { id: 'learnact', candidates: 2, rounds: 1, train_tasks: 2 },
  { id: 'best-of-n', attempts: 3, verdicts: 3 },
  { id: 'fork-rollouts', chains: 2, forks: 3, samples: 3 },
  { id: 'best-first', ...withoutIterations(small), budget: 6 },
  { id: 'tree-of-thoughts', ...withoutIterations(small), budget: 6 },
  { id: 'tree-of-thoughts', order: 'depth', value: 'debate', ...withoutIterations(small), budget: 6 },
  { id: 'mcts', iterations: 4, samples: 3, max_depth: 12 },
  { id: 'mcts', iterations: 4, samples: 3, max_depth: 12, parallel: 4 },
  { id: 'mcts', value: 'judge', ...small },
  { id: 'mcts', value: 'debate', plan: 'whole-task', parallel: 3, ...small, iterations: 20 },
  { id: 'rmcts', ...small },
  { id: 'rmcts', value: 'debate', reuse: true, round_size: 2, ...small },
]

test('every method plays every environment, is killed again and again, and comes to the trees that it comes to undisturbed', async () => {
  const wanted = environments.flatMap((environment) => methods.map((method) => ({ environment, method })))
  const disturbed = await playAll(wanted, { kills })
  const undisturbed = await playAll(wanted, { kills: 0 })

  for (const [place, { environment, method }] of wanted.entries()) {
    const [played, expected] = [disturbed[place] as Played, undisturbed[place] as Played]
    const name = `${JSON.stringify(method)} in ${environment}`
    expect(played.report.errors, name).toEqual([])
    expect(played.run.status, name).toBe('succeeded')
    expect(played.report.success_rate.count, name).toBe(tasks)
    expect(played.report.usage.model_calls, name).toBeGreaterThan(0)
    expect(played.trees, name).toEqual(expected.trees)
  }
})

interface Played {
  run: Run
  report: Report
  /** By episode: the bytes of its tree. */
  trees: Record<string, string>
}

/** Plays all the runs in one service that is killed with SIGKILL as often as wanted, spread over the work. */
async function playAll(
  wanted: { environment: string; method: { id: string } }[],
  options: { kills: number },
): Promise<Played[]> {
  const folder = await temporaryFolder()
  const endpoint = { kind: 'simulated', skill: 0.8, latency: 4, latency_spread: 4 }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { model: endpoint } }))
  let service = await start(folder)
  const runs: Run[] = []
  for (const { environment, method } of wanted) {
    const body = {
      environment,
      method,
      tasks: { split: 'test', limit: tasks },
      model: { endpoint: 'model', id: 'simulated' },
      episode_limits: { turns: 3000 },
    }
    runs.push(await request<Run>(service, 'POST', '/v1/runs', body))
  }
  const total = runs.reduce((sum, { episodes }) => sum + episodes.total, 0)
  for (let kill = 1; kill <= options.kills; kill += 1) {
    await untilEnded(service, runs, (total * kill) / (options.kills + 1))
    await service.end('SIGKILL')
    service = await start(folder)
  }
  await untilEnded(service, runs, total)
  const played = await Promise.all(runs.map(({ id }) => look(service, id)))
  await service.end('SIGTERM')
  return played
}

function start(folder: string): Promise<Started> {
  return startEspalier('serve', '--folder', folder, '--port', '0')
}

async function untilEnded(service: Started, runs: readonly Run[], count: number): Promise<void> {
  for (;;) {
    const { data } = await request<List<Run>>(service, 'GET', `/v1/runs?limit=${runs.length}`)
    const ended = data.reduce(
      (sum, { episodes }) => sum + episodes.total - episodes.waiting - episodes.active,
      0,
    )
    if (ended >= count) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function look(service: Started, id: string): Promise<Played> {
  const run = await request<Run>(service, 'GET', `/v1/runs/${id}`)
  const report = await request<Report>(service, 'GET', `/v1/runs/${id}/report`)
  const { data } = await request<List<Episode>>(service, 'GET', `/v1/runs/${id}/episodes?limit=100`)
  const trees: Record<string, string> = {}
  for (const episode of data) {
    const answer = await fetch(`${service.first.address}/v1/runs/${id}/episodes/${episode.id}/tree`)
    trees[episode.id] = await answer.text()
  }
  return { run, report, trees }
}

function withoutIterations({ iterations: _, ...rest }: typeof small) {
  return rest
}
