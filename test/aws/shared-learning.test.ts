import { afterEach, describe, expect, test } from 'vitest'
import { type Episode, episodeId } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { MemoryNote } from '../../shared/core/contracts/memory.ts'
import type { Run, RunRequestInput } from '../../shared/core/contracts/run.ts'
import { objectKeys } from '../../shared/core/engine/keys.ts'
import { readJournal } from '../../shared/core/engine/read-journal.ts'
import { seededRandom } from '../../shared/core/random/seeded-random.ts'
import { spreadFaults } from './emulators/fault-proxy.ts'
import { asTenant } from './lambda/as-tenant.ts'
import { openStage, type Stage } from './lambda/open-stage.ts'
import { isAccount } from './not-shown.ts'
import { type LocalApi, openLocalApi } from './open-local-api.ts'

const endpoints = { simulated: { kind: 'simulated', skill: 0.7, latency: 10, latency_spread: 8 } }
const roundSize = 3

const searching: RunRequestInput = {
  environment: 'textcraft',
  tasks: { split: 'test', limit: 3 * roundSize },
  method: {
    id: 'rmcts',
    value: 'judge',
    verdicts: 2,
    rubric: false,
    iterations: 2,
    branching: 2,
    proposals: 2,
    max_steps: 4,
    policy_threshold: 0,
    value_threshold: 0,
    round_size: roundSize,
  },
  model: { endpoint: 'simulated', id: 'simulated' },
}

const learning: RunRequestInput = {
  environment: 'pddl',
  tasks: { split: 'test', types: ['gripper'], limit: 3 },
  method: { id: 'learnact', train_tasks: 2, candidates: 2, rounds: 1, max_steps: 12 },
  model: { endpoint: 'simulated', id: 'simulated' },
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

if (isAccount)
  console.log('not shown: a whole stage that learns (its functions run over the emulators alone)')

describe.runIf(!isAccount)('a stage whose episodes learn from each other', () => {
  let stage: Stage
  let api: Awaited<ReturnType<typeof asTenant>>
  let local: LocalApi
  afterEach(() => stage.close())

  const episodesOf = async (run: string) =>
    (await api.get<List<Episode>>(`/v1/runs/${run}/episodes?limit=100`)).data

  /** Begun while an episode of an earlier round had not ended; none should be. */
  async function tooEarly(run: string): Promise<string[]> {
    const begun = (await episodesOf(run)).findLastIndex(({ status }) => status !== 'queued')
    const earlier = (await episodesOf(run)).slice(0, Math.max(0, begun - (begun % roundSize)))
    return earlier.filter(({ result }) => result === null).map(({ id }) => `${id} before ${episodeId(begun)}`)
  }

  async function play(request: RunRequestInput): Promise<Run> {
    const { id } = await api.post<Run>('/v1/runs', request)
    for (;;) {
      const run = await api.get<Run>(`/v1/runs/${id}`)
      if (run.ended_at !== null) return run
      if (stage.pool.killed === 0 && run.episodes.succeeded + run.episodes.failed > 0)
        stage.pool.kill('advance-episodes')
      if (request === searching) expect(await tooEarly(id)).toEqual([])
      await pause(200)
    }
  }

  /** Plays it in the stage and on one machine, and compares the trees, byte by byte. */
  async function playTwice(
    request: RunRequestInput,
    localRequest = request,
  ): Promise<{ run: Run; alone: Run }> {
    const [run, alone] = await Promise.all([play(request), local.play(localRequest)])
    expect([run.status, alone.status]).toEqual(['succeeded', 'succeeded'])
    expect(run.episodes).toEqual(alone.episodes)
    for (let index = 0; index < run.episodes.total; index += 1) {
      const episode = episodeId(index)
      const tree = await stage.world.objects.get(objectKeys.tree(run.id, episode))
      expect(Buffer.from(tree?.body ?? []).toString(), episode).toBe(await local.tree(alone.id, episode))
    }
    return { run, alone }
  }

  /** The notes that the first episode of a run was given. */
  async function recalled(run: string): Promise<MemoryNote[]> {
    const { records } = await readJournal(stage.world.objects, objectKeys.journal(run, episodeId(0), 1))
    return records.flatMap((record) =>
      'effect' in record && record.effect.startsWith('recall/')
        ? (record.result as unknown as MemoryNote[])
        : [],
    )
  }

  /** What the runs learned is the same, and something. */
  async function expectAlike(path: string, localPath: string): Promise<void> {
    const { data } = await api.get<List<object>>(path)
    expect(data.length).toBeGreaterThan(0)
    expect(data).toEqual((await local.get<List<object>>(localPath)).data)
  }

  test('plays rounds, memories and libraries as one machine does, with a tenth of everything going wrong and a function killed', async () => {
    const chance = seededRandom('faults', 2)
    stage = await openStage({
      endpoints: { endpoints },
      faults: { seed: 2, rates: spreadFaults(0.1) },
      isTwice: () => chance() < 0.1,
      milliseconds: 75_000,
    })
    api = await asTenant(stage, 'acme')
    local = await openLocalApi(endpoints)

    async function searchAndGoOn() {
      const { run, alone } = await playTwice(searching)
      await expectAlike(
        `/v1/memories/${run.memory}/notes?limit=1000`,
        `/v1/memories/${alone.memory}/notes?limit=1000`,
      )
      const more = (memory_from: string | null) => ({
        ...searching,
        tasks: { split: 'test' as const, limit: 1 },
        method: { ...searching.method, memory_from },
      })
      const again = await playTwice(more(run.memory), more(alone.memory))
      return again.run.id
    }

    async function learnAndUse() {
      const { run, alone } = await playTwice(learning)
      expect(run.learning_episodes).toBe(1)
      await expectAlike(
        `/v1/libraries/${run.library}/actions?limit=100`,
        `/v1/libraries/${alone.library}/actions?limit=100`,
      )
      const using = (library: string | null) => ({
        ...learning,
        method: { id: 'learnact', max_steps: 12, library },
      })
      const { run: used } = await playTwice(using(run.library), using(alone.library))
      expect(used.learning_episodes).toBe(0)
      return episodesOf(used.id)
    }

    const [again, used] = await Promise.all([searchAndGoOn(), learnAndUse()])
    expect(stage.pool.killed).toBe(1)
    expect(await recalled(again)).not.toEqual([])
    // Steps of the environment on the path, and those of the agent: a learned action takes several.
    const calls = used.map(({ result }) => (result?.primitive_steps ?? 0) > (result?.path_length ?? 0))
    expect(calls).toEqual([true, true, true])
  }, 300_000)
})
