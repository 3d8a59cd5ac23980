import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type GroupEvent, groupEventSchema, type RolloutRun } from '../../shared/core/contracts/rollout.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { seededRandom } from '../../shared/core/random/seeded-random.ts'
import { findFreePort } from '../../shared/learn/serving/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { childrenOf, type Started, startEspalier } from './processes.ts'
import { request } from './request.ts'

/** `ROLLOUT_KILLS=150` kills for about ten minutes. */
const kills = Number(process.env.ROLLOUT_KILLS ?? 8)
const groupSize = 4
/** As many as TextCraft has training tasks, at most. */
const groups = Math.min(5 * kills, 420)
const price = { input: 1, output: 2, request: 0.001 }

const asked = {
  environment: 'textcraft',
  method: { id: 'react' },
  tasks: { split: 'train', limit: groups },
  model: { endpoint: 'remote', id: 'simulated' },
  record: 'text',
  group_size: groupSize,
  in_flight: 12,
  limits: { cost: 1000 },
}

async function openLab() {
  const folder = await temporaryFolder()
  const model = await startEspalier('simulate', '--port', '0', '--skill', '0.6', '--latency', '80')
  const { base_url, call_log_url, stats_url } = model.first as Record<string, string>
  const remote = { kind: 'openai', base_url, call_log_url, prices: { '*': price } }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { remote } }))
  // The trainers know one address, which no other process takes between two starts.
  const port = String(await findFreePort())
  const start = () => startEspalier('serve', '--folder', folder, '--port', port, '--workers', '2')
  return { folder, start, stats_url: stats_url as string }
}

function startTrainer(service: Started, rollout: string, file: string): ChildProcess {
  const script = join(import.meta.dirname, 'rollout-trainer.ts')
  const trainer = spawn(process.execPath, [script, String(service.first.address), rollout, file])
  onTestFinished(() => void trainer.kill('SIGKILL'))
  return trainer
}

async function linesOf(file: string): Promise<GroupEvent[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => groupEventSchema.parse(JSON.parse(line)))
}

/** Waits for this many lines, or for the end of the trainer. */
async function untilLines(file: string, count: number, trainer: ChildProcess): Promise<void> {
  while ((await linesOf(file)).length < count && trainer.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 25))
}

const begin = (service: Started) =>
  request<RolloutRun>(service, 'POST', '/v1/rollouts', asked, { 'Idempotency-Key': 'campaign' })

const rewardsOf = (events: readonly GroupEvent[]) =>
  events
    .map(({ group }) => [group.index, group.task, group.members.map(({ reward }) => reward), group.rewards])
    .toSorted(([left], [right]) => Number(left) - Number(right))

test(`${kills} kills of service, workers and trainer lose no group, and change no statistics`, {
  timeout: 600_000 + kills * 20_000,
}, async () => {
  const calm = await openLab()
  const undisturbed = await calm.start()
  const expected = join(calm.folder, 'groups.jsonl')
  const calmTrainer = startTrainer(undisturbed, (await begin(undisturbed)).id, expected)
  await once(calmTrainer, 'exit')
  expect(await undisturbed.end('SIGTERM')).toBe(0)

  const { folder, start, stats_url } = await openLab()
  const file = join(folder, 'groups.jsonl')
  const random = seededRandom('rollout-kills', Number(process.env.ROLLOUT_SEED ?? 1))
  const struck: Record<string, number> = { service: 0, workers: 0, trainer: 0 }
  let service = await start()
  const { id, run } = await begin(service)
  const began = performance.now()
  let trainer = startTrainer(service, id, file)
  for (let kill = 1; kill <= kills; kill += 1) {
    await untilLines(file, Math.floor((groups * kill) / (kills + 2)), trainer)
    const victim = (['service', 'workers', 'trainer'] as const)[(kill + Math.floor(random() * 2)) % 3]
    struck[victim ?? ''] = (struck[victim ?? ''] ?? 0) + 1
    if (victim === 'workers') {
      for (const worker of await childrenOf(service)) process.kill(worker, 'SIGKILL')
    } else if (victim === 'trainer') {
      if (trainer.exitCode === null && trainer.kill('SIGKILL')) await once(trainer, 'exit')
      trainer = startTrainer(service, id, file)
    } else {
      await service.end('SIGKILL')
      service = await start()
      expect((await begin(service)).id).toBe(id)
    }
  }
  const seconds = Math.round((performance.now() - began) / 1000)
  if (trainer.exitCode === null) await once(trainer, 'exit')

  const events = await linesOf(file)
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, place) => place + 1))
  expect(rewardsOf(events)).toEqual(rewardsOf(await linesOf(expected)))
  expect(events.every(({ group }) => group.status === 'complete')).toBe(true)
  const stats = (await (await fetch(stats_url)).json()) as { calls: number; unique_calls: number }
  // Ends and the calls of killed processes are counted a little later.
  const read = () => request<Run>(service, 'GET', `/v1/runs/${run}`)
  const endsOf = ({ episodes: { succeeded, failed, limited } }: Run) => succeeded + failed + limited
  await expect.poll(async () => endsOf(await read())).toBe(groups * groupSize)
  await expect.poll(async () => (await read()).usage.model_calls).toBe(stats.calls)
  const ended = await read()
  console.log(
    `${JSON.stringify(struck)} in ${seconds} s: ${stats.calls} calls, ${ended.lost_calls} of them lost in flight`,
  )
  expect(await service.end('SIGTERM')).toBe(0)
})
