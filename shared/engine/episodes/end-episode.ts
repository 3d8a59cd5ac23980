import { addAnswers, subtractAnswers } from '../../contracts/answers.ts'
import { type EpisodeResult, episodeId } from '../../contracts/episode.ts'
import type { LedgerCondition, World } from '../../world/ports.ts'
import { ledgerKeys, objectKeys } from '../keys.ts'
import { type LearnedParts, nothingLearned } from '../memories/publish-learned.ts'
import { countLearned, withoutEnd } from '../runs/earlier-ends.ts'
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
 * an end reported twice counts once. The last end ends the run. Until then an earlier end of the episode, its objects included,
 * stands as it was.
 *
 * @param made - what it leaves for others, which they can read from this moment on, and of how many segments of the journal
 * the result was made (null: of none, or of all that there are)
 * @returns whether it was this call that ended it
 */
export async function endEpisode(
  world: World,
  store: RunStore,
  { run, place, claim }: EpisodeToEnd,
  result: EpisodeResult,
  { parts = nothingLearned, segments = null }: { parts?: LearnedParts; segments?: number | null } = {},
): Promise<boolean> {
  const episode = episodeId(place.index)
  const key = ledgerKeys.episode(run, episode)
  const row = (await world.ledger.get(key)) as EpisodeRow | null
  if (row?.starts !== claim.starts || row.generation !== claim.generation) return false
  const { generation } = claim
  const body = Buffer.from(JSON.stringify(result))
  const publish = (at?: number) =>
    world.objects.put(objectKeys.result(run, episode, at), body, { content_type: 'application/json' })
  await publish(generation)
  let decided = false
  const changed = await store.change(run, (before) => {
    decided = !isFinal(before.status) && before.generation === generation
    if (!decided) return null
    const learned = before.learned + countLearned(place.purpose, result)
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
        ...(before.earlier &&
          row.result && { earlier: withoutEnd(before.earlier, place.purpose, row.result) }),
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
          set: { ...cleared, status, result, learned: parts, ended: { generation, segments } },
          if: holds(claim),
        },
        { key: ledgerKeys.active(run, episode), delete: true },
      ],
    }
  })
  if (!decided || changed === null) return false
  if (generation > 1) await publish()
  return true
}

/** What no longer says anything of an episode that has ended. */
const cleared = { worker: null, alone_with: null, deaths: [], idle_starts: 0 }

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
