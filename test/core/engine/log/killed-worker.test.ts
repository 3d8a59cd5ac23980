import { expect, onTestFinished, test, vi } from 'vitest'
import { episodeId } from '../../../../shared/core/contracts/episode.ts'
import { ledgerKeys, objectKeys } from '../../../../shared/core/engine/keys.ts'
import { WorkerLog } from '../../../../shared/core/engine/log/worker-log.ts'
import { WorkerLogs } from '../../../../shared/core/engine/log/worker-logs.ts'
import { type Engine, openEngine } from '../../../../shared/core/engine/open-engine.ts'
import { readJournal } from '../../../../shared/core/engine/read-journal.ts'
import type { World } from '../../../../shared/core/world/ports.ts'
import { disturbedWorld } from '../../../support/disturbed-world.ts'
import { toRequest } from '../../../support/open-test-engine.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'
import { ScriptedEndpoint, scriptedPlanner, scriptedPrograms } from '../../../support/scripted-runs.ts'

const episodes = [0, 1].map(episodeId)
const lasting = 2 ** 30

function open(world: World, endpoint: ScriptedEndpoint, worker: string, groupFor: number): Engine {
  const planner = scriptedPlanner(2)
  return openEngine({
    world,
    planner: {
      ...planner,
      async plan(request) {
        const plan = await planner.plan(request)
        return {
          ...plan,
          learning: [],
          request: { ...plan.request, method: { id: 'script', calls: 4 } as never },
        }
      },
    },
    programs: scriptedPrograms(endpoint),
    reconcile: endpoint.reconcile,
    code: 'code',
    worker,
    ...(groupFor > 0 && { logs: new WorkerLogs(world, groupFor) }),
    onError: () => undefined,
  })
}

/** One sweep, so late that an endpoint's log has every call that ever reaches it. */
async function sweepLate(world: World, endpoint: ScriptedEndpoint): Promise<void> {
  const clock = { ...world.clock, now: () => world.clock.now() + 11_000 }
  await open({ ...world, clock }, endpoint, 'sweeper', 0).sweep({ lostAfter: 3600 })
}

test('a killed worker loses what waits for its log and no more: it is asked again, and both answers are paid', async () => {
  const world = await openTestWorld()
  const endpoint = new ScriptedEndpoint()
  const asked: string[] = []
  const hung = Promise.withResolvers<void>()
  let isKilled = false
  endpoint.onCall = async (task) => {
    asked.push(task)
    const calls = asked.filter((one) => one === task).length
    if (isKilled || calls < 3) return
    if (task === 'task-0') return hung.promise
    hung.resolve()
    return new Promise<never>(() => undefined)
  }
  const undisturbed = {
    random: () => 0.9,
    diesAfter: Number.POSITIVE_INFINITY,
    failing: 0,
    onDeath: () => undefined,
  }
  const mortal = disturbedWorld(world, undisturbed)
  const append = vi.spyOn(WorkerLog.prototype, 'append')
  onTestFinished(() => append.mockRestore())
  const dead = open(mortal.world, endpoint, 'dead', lasting)
  const next = open(world, endpoint, 'next', 1)
  const runs = next.runs.of('default')
  const { id } = await runs.create(toRequest({}))
  onTestFinished(() => mortal.die())
  void dead.worker.start()
  const [waiting = '', other = ''] = episodes.map((episode) => objectKeys.journal(id, episode, 1))
  await expect.poll(() => append.mock.lastCall).toMatchObject([{ journal: waiting, segment: 3 }])
  const before = await Promise.all([waiting, other].map((prefix) => readJournal(world.objects, prefix)))
  expect(before.map(({ records }) => records.filter((record) => 'effect' in record).length)).toEqual([2, 2])

  isKilled = true
  mortal.die()
  await world.ledger.update({ key: ledgerKeys.worker('dead'), set: { expires: 0 } })
  await next.sweep({ lostAfter: 0 })
  await next.worker.start()
  onTestFinished(() => next.worker.stop(1))
  await expect.poll(async () => (await runs.get(id)).status).toBe('succeeded')
  await sweepLate(world, endpoint)

  const after = await Promise.all([waiting, other].map((prefix) => readJournal(world.objects, prefix)))
  for (const [index, { records }] of before.entries())
    expect(after[index]?.records.slice(0, records.length)).toEqual(records)
  expect(asked.toSorted()).toEqual([...Array(5).fill('task-0'), ...Array(5).fill('task-1')])
  const { usage } = await runs.get(id)
  expect(usage.cost).toBe(endpoint.cost)
  // Of ten calls one never got an answer. The other that was lost is paid twice.
  expect(usage.model_calls).toBe(9)
})
