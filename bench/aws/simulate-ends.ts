import { episodeIndex } from '../../shared/core/contracts/episode.ts'
import { Steward } from '../../shared/core/engine/ends/steward.ts'
import { endEpisode } from '../../shared/core/engine/episodes/end-episode.ts'
import type { EpisodeRow } from '../../shared/core/engine/episodes/episode-row.ts'
import { ledgerKeys } from '../../shared/core/engine/keys.ts'
import { RunDefinitions } from '../../shared/core/engine/runs/run-definition.ts'
import { RunStore } from '../../shared/core/engine/runs/run-store.ts'
import { topUp } from '../../shared/core/engine/runs/top-up.ts'
import { seededRandom } from '../../shared/core/random/seeded-random.ts'
import { beginEndsRun, plainResult } from './begin-ends-run.ts'
import { ModelledLedger } from './modelled-ledger.ts'
import { modelledWorld } from './modelled-world.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface EndsLoad {
  /** Episodes in flight, and each one's duration in seconds: the ends per second are their quotient. */
  slots: number
  seconds: number
  episodes: number
  seed: number
  /** Episodes in flight per process. @default 10, a function's batch */
  places?: number
}

export interface EndsFigures {
  rate: number
  /** Milliseconds of an end's transaction, until it was counted, and until its process was free. */
  end: Spread
  counted: Spread
  freed: Spread
  transactions: number
  conflicts: number
  written: number
  gaveUp: number
  throttled: number
  isComplete: boolean
}

export interface Spread {
  p50: number
  p99: number
}

export async function simulateEnds(load: EndsLoad): Promise<EndsFigures> {
  const clock = new VirtualClock()
  const random = seededRandom('ends', load.seed)
  const ledger = new ModelledLedger(clock, random)
  const world = modelledWorld(clock, ledger)
  const definitions = new RunDefinitions(world.objects)
  return clock.runUntil(simulate())

  async function simulate(): Promise<EndsFigures> {
    const store = new RunStore(world)
    const run = await beginEndsRun(world, definitions, load)
    const times = { end: [] as number[], freed: [] as number[] }
    const ended = new Map<string, number>()
    const slots = Math.min(load.slots, load.episodes)
    const { places = 10 } = load
    const processes = Array.from({ length: Math.ceil(slots / places) }, (_, index) =>
      openProcess(`p${index}`),
    )
    const all = Promise.withResolvers<null>()

    const play = async (slot: number): Promise<void> => {
      const { steward, rows } = processes[Math.floor(slot / places)] as ReturnType<typeof openProcess>
      let part = random()
      for (;;) {
        const message = (await Promise.race([world.taken.take(), all.promise])) as { episode: string } | null
        if (message === null) return
        const { episode } = message
        const index = episodeIndex(episode) as number
        await rows.get(run)
        const key = ledgerKeys.episode(run, episode)
        const set = { status: 'running', worker: `p${slot}`, starts: 1 }
        const isQueued = { attribute: 'status', is: 'equal' as const, value: 'queued' }
        const { ok, item } = await ledger.update({ key, set, if: [isQueued] })
        if (!ok) continue
        await clock.sleep(load.seconds * 1000 * part)
        part = 0.5 + random()
        const place = await definitions.place({ id: run, purpose: 'play' }, index)
        const begun = clock.now()
        await untilDone(() => endEpisode(world, { run, place, claim: item as EpisodeRow }, plainResult))
        times.end.push(clock.now() - begun)
        ended.set(episode, clock.now())
        if (ended.size === load.episodes) all.resolve(null)
        await untilDone(() => steward.tend(run))
        times.freed.push(clock.now() - begun)
      }
    }
    await topUp(world, store, definitions, run)
    await Promise.all(Array.from({ length: slots }, (_, slot) => play(slot)))
    await openProcess('sweeper').steward.tend(run)
    return figuresOf(run, store, times, ended)
  }

  function openProcess(worker: string) {
    const rows = new RunStore(world)
    return { rows, steward: new Steward({ world, store: rows, definitions, worker }) }
  }

  async function untilDone(action: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await action()
        return
      } catch {
        // As its message would return.
        await clock.sleep(1000)
      }
    }
  }

  async function figuresOf(
    run: string,
    store: RunStore,
    times: { end: number[]; freed: number[] },
    ended: ReadonlyMap<string, number>,
  ): Promise<EndsFigures> {
    const row = await store.get(run)
    const counted = await countedAt(run, ended)
    const [from, to] = [0.3, 0.8].map((part) => counted.at[Math.floor(counted.at.length * part)] ?? 0) as [
      number,
      number,
    ]
    const { conflicts, gaveUp, throttled, transactions, written } = ledger.counts
    const { episodes } = load
    return {
      rate: (counted.at.filter((at) => at > from && at <= to).length * 1000) / Math.max(1, to - from),
      end: spreadOf(times.end),
      counted: spreadOf(counted.lag),
      freed: spreadOf(times.freed),
      transactions: transactions / episodes,
      conflicts: conflicts / episodes,
      written: written / episodes,
      gaveUp,
      throttled: throttled / 1000,
      isComplete: row.done === episodes && row.status === 'succeeded',
    }
  }

  async function countedAt(run: string, ended: ReadonlyMap<string, number>) {
    const { items } = await ledger.query(ledgerKeys.event(run, 0).partition, { limit: load.episodes + 10 })
    const events = items.flatMap(
      ({ item }) => (item.events ?? [item]) as { episode?: string; created_at: string }[],
    )
    const at: number[] = []
    const lag: number[] = []
    for (const { created_at, episode } of events) {
      if (episode === undefined) continue
      at.push(Date.parse(created_at))
      lag.push(Date.parse(created_at) - (ended.get(episode) ?? 0))
    }
    return { at: at.toSorted((left, right) => left - right), lag }
  }
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right)
  const at = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0)
  return { p50: at(0.5), p99: at(0.99) }
}
