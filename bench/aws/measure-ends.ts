import { episodeId } from '../../shared/core/contracts/episode.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { countEnds } from '../../shared/core/engine/ends/count-ends.ts'
import { toEndRow } from '../../shared/core/engine/ends/end-row.ts'
import { Steward } from '../../shared/core/engine/ends/steward.ts'
import { endEpisode, holds } from '../../shared/core/engine/episodes/end-episode.ts'
import type { EpisodeRow } from '../../shared/core/engine/episodes/episode-row.ts'
import { ledgerKeys, objectKeys } from '../../shared/core/engine/keys.ts'
import { type EpisodePlace, RunDefinitions } from '../../shared/core/engine/runs/run-definition.ts'
import { RunStore } from '../../shared/core/engine/runs/run-store.ts'
import { topUp } from '../../shared/core/engine/runs/top-up.ts'
import type { Ledger, World } from '../../shared/core/world/ports.ts'
import { systemClock } from '../../shared/core/world/system-clock.ts'
import { beginEndsRun, plainResult } from './begin-ends-run.ts'
import { modelledWorld } from './modelled-world.ts'

export interface MeasuredEnds {
  rate: number
  failed: number
}

export interface EndsToMeasure {
  episodes: number
  processes: number
  places: number
}

interface Parts {
  world: World
  definitions: RunDefinitions
  run: string
}

type End = (place: EpisodePlace, claim: EpisodeRow) => Promise<unknown>

export function measureFoldedEnds(ledger: Ledger, load: EndsToMeasure): Promise<MeasuredEnds> {
  return measure(ledger, load, ({ world, definitions, run }, worker) => {
    const steward = new Steward({ world, store: new RunStore(world), definitions, worker })
    return async (place, claim) => {
      await endEpisode(world, { run, place, claim }, plainResult)
      await steward.tend(run)
    }
  })
}

/**
 * Measures ends that each change the run's item in their own transaction, by compare-and-set: the engine's way before
 * stewards.
 */
export function measureContendedEnds(ledger: Ledger, load: EndsToMeasure): Promise<MeasuredEnds> {
  return measure(ledger, load, ({ world, run }) => {
    const store = new RunStore(world)
    return async (place, claim) => {
      const episode = episodeId(place.index)
      const body = Buffer.from(JSON.stringify(plainResult))
      await world.objects.put(objectKeys.result(run, episode, claim.generation), body)
      const end = toEndRow(episode, place, claim.generation, { before: null, result: plainResult })
      const { status } = plainResult
      await store.change(run, (row) => ({
        ...countEnds(row, [end], world.clock.now()),
        others: [
          {
            key: ledgerKeys.episode(run, episode),
            set: { status, result: plainResult, worker: null },
            if: holds(claim),
          },
          { key: ledgerKeys.active(run, episode), delete: true },
        ],
      }))
    }
  })
}

async function measure(
  ledger: Ledger,
  { episodes, places, processes }: EndsToMeasure,
  openProcess: (parts: Parts, worker: string) => End,
): Promise<MeasuredEnds> {
  const world = modelledWorld(systemClock, ledger)
  const definitions = new RunDefinitions(world.objects)
  const run = await beginEndsRun(world, definitions, { slots: episodes, episodes })
  const store = new RunStore(world)
  await untilDone(() => topUp(world, store, definitions, run))
  const playing: { place: EpisodePlace; claim: EpisodeRow }[] = []
  const slots = processes * places
  await sideBySide(slots, episodes, async (index) => {
    const place = await definitions.place({ id: run, purpose: 'play' }, index)
    const key = ledgerKeys.episode(run, episodeId(place.index))
    const set = { status: 'running', worker: 'p', starts: 1 }
    const { item } = await untilDone(() => ledger.update({ key, set }))
    playing[index] = { place, claim: item as EpisodeRow }
  })
  const parts = { world, definitions, run }
  const ends = Array.from({ length: processes }, (_, index) => openProcess(parts, `p${index}`))
  let failed = 0
  const begun = performance.now()
  await sideBySide(slots, episodes, async (index, slot) => {
    const { claim, place } = playing[index] as (typeof playing)[number]
    await untilDone(
      async () => ends[slot % processes]?.(place, claim),
      () => {
        failed += 1
      },
    )
  })
  // A process that found the lease held has left its end to the steward.
  while ((await untilDone(() => store.get(run))).done < episodes) await world.clock.sleep(5)
  const rate = (1000 * episodes) / (performance.now() - begun)
  const { status } = await store.get(run)
  if (status !== 'succeeded') throw new Error(`The run has ended as ${status}.`)
  return { rate, failed }
}

async function untilDone<Result>(work: () => Promise<Result>, onFailure = () => {}): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      // An emulator under load may be too slow: its failures are one of the figures.
      if (!EspalierError.isInstance(error)) throw error
      onFailure()
      await systemClock.sleep(1000)
    }
  }
}

async function sideBySide(
  slots: number,
  count: number,
  work: (index: number, slot: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: Math.min(slots, count) }, async (_, slot) => {
      for (let index = next++; index < count; index = next++) await work(index, slot)
    }),
  )
}
