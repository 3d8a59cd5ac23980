import { addAnswers, subtractAnswers } from '../../contracts/answers.ts'
import { type EpisodeResult, episodeId } from '../../contracts/episode.ts'
import type { LedgerCondition, World } from '../../world/ports.ts'
import { ledgerKeys, objectKeys } from '../keys.ts'
import { type LearnedParts, nothingLearned } from '../memories/publish-learned.ts'
import type { EpisodePlace } from '../runs/run-definition.ts'
import { countEpisodes, isFinal, type RunRow } from '../runs/run-row.ts'
import { type RunChange, type RunStore, toStatus } from '../runs/run-store.ts'
import type { EpisodeRow } from './episode-row.ts'

/** A worker's hold on an episode: void as soon as anybody takes it up again. */
export type Claim = Pick<EpisodeRow, 'starts' | 'generation'>

export interface EpisodeToEnd {
  run: string
  place: EpisodePlace
  claim: Claim
}

/**
 * Ends an episode, once: its item, the run's counters, the event and the marker change together or not at all, so that
 * an end reported twice counts once. The last end ends the run.
 *
 * @param parts - what it leaves for others, which they can read from this moment on
 * @returns whether it was this call that ended it
 */
export async function endEpisode(
  world: World,
  store: RunStore,
  { run, place, claim }: EpisodeToEnd,
  result: EpisodeResult,
  parts: LearnedParts = nothingLearned,
): Promise<boolean> {
  const episode = episodeId(place.index)
  const key = ledgerKeys.episode(run, episode)
  const row = (await world.ledger.get(key)) as EpisodeRow | null
  if (row?.starts !== claim.starts || row.generation !== claim.generation) return false
  const body = Buffer.from(JSON.stringify(result))
  await world.objects.put(objectKeys.result(run, episode), body, { content_type: 'application/json' })
  let decided = false
  const changed = await store.change(run, (before) => {
    decided = !isFinal(before.status) && before.generation === claim.generation
    if (!decided) return null
    const learned = before.learned + (place.purpose === 'learn' && result.status !== 'errored' ? 1 : 0)
    const ended = before[result.status] + 1
    const after = { ...before, [result.status]: ended, learned, done: before.done + 1 }
    const answers = countAnswers(before, row.result, result)
    const end = after.done === after.work_total ? endRun(after, world.clock.now()) : {}
    const { status, reward, steps, usage, error } = result
    return {
      set: {
        [status]: after[status],
        learned,
        done: after.done,
        ...(answers !== null && { answers }),
        ...end.set,
      },
      events: [
        {
          type: 'episode.ended',
          episode,
          task: place.task,
          result: { status, reward, steps, usage, error },
          episodes: countEpisodes({ ...after, ...end.set }),
        },
        ...(end.events ?? []),
      ],
      others: [
        {
          key,
          set: { status, result, learned: parts, worker: null, alone_with: null, idle_starts: 0 },
          if: holds(claim),
        },
        { key: ledgerKeys.active(run, episode), delete: true },
      ],
    }
  })
  return decided && changed !== null
}

/** The run's answers with those of the episode, in place of what an earlier end of it had counted. */
function countAnswers(
  { answers }: RunRow,
  earlier: EpisodeResult | null,
  { answers: counted }: EpisodeResult,
): RunRow['answers'] {
  const rest = answers && earlier?.answers ? subtractAnswers(answers, earlier.answers) : answers
  return rest && counted ? addAnswers(rest, counted) : (counted ?? rest)
}

/** The conditions under which a claim still holds. */
export function holds({ starts, generation }: Claim): LedgerCondition[] {
  return [
    { attribute: 'starts', is: 'equal', value: starts },
    { attribute: 'generation', is: 'equal', value: generation },
    { attribute: 'status', is: 'one_of', values: ['queued', 'running'] },
  ]
}

/**
 * A run has failed where none of its tasks was played to an end; what was learned for them is no result. Where it had paused
 * before its last episodes came in, the reason of the pause stands before.
 */
function endRun(row: RunRow, now: number): RunChange {
  const { failed, learned, limited, reason, status, succeeded } = row
  if (succeeded + failed + limited > learned) return toStatus(row, 'succeeded', null, now)
  const paused = status === 'paused' && reason !== null ? `It had paused: ${reason} ` : ''
  return toStatus(row, 'failed', `${paused}Every episode ended with an error.`, now)
}
