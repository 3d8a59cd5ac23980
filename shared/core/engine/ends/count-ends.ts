import { addAnswers, subtractAnswers } from '../../contracts/answers.ts'
import { countLearned, withoutEnd } from '../runs/earlier-ends.ts'
import type { Moment } from '../runs/run-clock.ts'
import { countEpisodes, isFinal, type RunRow } from '../runs/run-row.ts'
import { type RunChange, toStatus } from '../runs/run-store.ts'
import type { EndRow } from './end-row.ts'

type CountedRow = Pick<RunChange, 'events'> & { set: Partial<RunRow> }

/**
 * Computes a run item's changes from ends of its episodes, in order, each with its event. The last outstanding end
 * ends the run. An end of another generation, or of a completed run, changes nothing.
 */
export function countEnds(row: RunRow, ends: readonly EndRow[], at: Moment | number): CountedRow {
  const counted: Required<CountedRow> = { set: {}, events: [] }
  for (const end of ends) {
    const { set, events = [] } = countEnd({ ...row, ...counted.set }, end, at)
    counted.set = { ...counted.set, ...set }
    counted.events.push(...events)
  }
  return counted
}

function countEnd(before: RunRow, end: EndRow, at: Moment | number): CountedRow {
  const isComplete = before.status === 'succeeded' || before.status === 'failed'
  if (isComplete || before.generation !== end.generation) return { set: {} }
  const { episode, purpose, result, task } = end
  const learned = before.learned + countLearned(purpose, result)
  const counters = { [result.status]: before[result.status] + 1, learned, done: before.done + 1 }
  const answers = countAnswers(before.answers, end)
  const set: Partial<RunRow> = {
    ...(isFinal(before.status) ? countAfterCancelling(before, end) : counters),
    ...(before.earlier &&
      end.earlier &&
      !isFinal(before.status) && { earlier: withoutEnd(before.earlier, purpose, end.earlier) }),
    ...(answers !== null && { answers }),
  }
  const after = { ...before, ...set }
  const isLast = !isFinal(before.status) && after.done === after.work_total
  const last = isLast ? endRun(after, at) : { set: {}, events: [] }
  return {
    set: { ...set, ...last.set },
    events: [
      { type: 'episode.ended', episode, task, result, episodes: countEpisodes({ ...after, ...last.set }) },
      ...(last.events ?? []),
    ],
  }
}

/**
 * An earlier version cancelled a run before its episodes. An episode that ended in between was counted as cancelled,
 * or as it had ended before.
 */
function countAfterCancelling(before: RunRow, { earlier, purpose, result }: EndRow): Partial<RunRow> {
  const stood = earlier?.status ?? 'cancelled'
  const counters = { ...before, [stood]: before[stood] - 1 }
  const learned =
    before.learned + countLearned(purpose, result) - (earlier ? countLearned(purpose, earlier) : 0)
  return { [stood]: counters[stood], [result.status]: counters[result.status] + 1, learned }
}

function countAnswers(answers: RunRow['answers'], { answers: counted, earlier }: EndRow): RunRow['answers'] {
  const rest = answers && earlier?.answers ? subtractAnswers(answers, earlier.answers) : answers
  return rest && counted ? addAnswers(rest, counted) : (counted ?? rest)
}

/**
 * A run fails if no task of it was played to an end; lessons learned for them are no result. If it had paused before
 * its last episodes ended, the pause's reason comes first.
 */
function endRun(row: RunRow, at: Moment | number): CountedRow {
  const { failed, learned, limited, reason, status, succeeded } = row
  if (succeeded + failed + limited > learned) return toStatus(row, 'succeeded', null, at)
  const paused = status === 'paused' && reason !== null ? `It had paused: ${reason} ` : ''
  return toStatus(row, 'failed', `${paused}Every episode ended with an error.`, at)
}
