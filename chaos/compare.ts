import { type CallTotals, missed } from './call-book.ts'
import type { EpisodeOutcome, RunOutcome } from './outcome.ts'

export interface Finding {
  what: string
  plan: string | null
  run: string | null
  episode: string | null
  detail: string
}

const nanoPerDollar = 1e9

/**
 * Compares a disturbed run with the same run undisturbed and with the endpoint's books: every episode once, none
 * errored, the same ends, rewards and trees, and the same money to the last digit.
 */
export function compareRun(
  plan: string,
  disturbed: RunOutcome,
  undisturbed: Pick<RunOutcome, 'episodes' | 'ended'> & { status: string },
  booked: CallTotals,
): Finding[] {
  const { run } = disturbed
  const found = (what: string, detail: string, episode: string | null = null): Finding => ({
    what,
    plan,
    run: run.id,
    episode,
    detail,
  })
  if (run.ended_at === null) {
    const { waiting, active } = run.episodes
    const reason = `${run.status}, ${waiting} waiting, ${active} active; ${run.status_reason ?? run.last_problem?.message ?? ''}`
    return [found('run did not end', reason)]
  }
  const findings: Finding[] = []
  if (run.status !== undisturbed.status) {
    findings.push(found('run ended otherwise', `${run.status}, undisturbed ${undisturbed.status}`))
  }
  findings.push(...compareCounts(disturbed, found))
  const expected = new Map(undisturbed.episodes.map((episode) => [episode.id, episode]))
  const came = Map.groupBy(disturbed.episodes, ({ id }) => id)
  for (const { id, task } of undisturbed.episodes) {
    if (!came.has(id)) findings.push(found('episode lost', `${task} is not in the list`, id))
  }
  for (const [id, episodes] of came) {
    if (episodes.length > 1)
      findings.push(found('episode doubled', `${episodes.length} times in the list`, id))
    const [played] = episodes
    const same = expected.get(id)
    if (same === undefined) findings.push(found('episode doubled', 'there is none undisturbed', id))
    else if (played) findings.push(...compareEpisode(played, same, found))
  }
  findings.push(...compareEnds(disturbed, undisturbed.ended, found))
  findings.push(...compareMoney(disturbed, booked, found))
  return findings
}

type Found = (what: string, detail: string, episode?: string | null) => Finding

function compareCounts({ run, episodes }: RunOutcome, found: Found): Finding[] {
  const { total, waiting, active, ...ended } = run.episodes
  const findings: Finding[] = []
  if (waiting !== 0 || active !== 0 || episodes.length !== total) {
    findings.push(found('counters off', `${JSON.stringify(run.episodes)}, ${episodes.length} episodes`))
  }
  for (const [status, count] of Object.entries(ended)) {
    const there = episodes.filter((episode) => episode.status === status).length
    if (there !== count) findings.push(found('counters off', `${count} ${status}, ${there} in the list`))
  }
  if (run.running_seconds < 0) findings.push(found('negative duration', `running ${run.running_seconds} s`))
  return findings
}

function compareEpisode(played: EpisodeOutcome, same: EpisodeOutcome, found: Found): Finding[] {
  const { id, task, status, error } = played
  if (task !== same.task || played.epoch !== same.epoch)
    return [found('episode differs', `${task}/${played.epoch}, undisturbed ${same.task}/${same.epoch}`, id)]
  if (status === 'errored' && same.status !== 'errored') {
    return [found('episode errored', error ?? 'without an error', id)]
  }
  if (status !== same.status || played.reward !== same.reward) {
    const detail = `${status} ${played.reward}, undisturbed ${same.status} ${same.reward}`
    return [found('episode ended otherwise', detail, id)]
  }
  const findings: Finding[] = []
  if (played.tree !== same.tree) {
    findings.push(
      found('tree differs', `${played.tree?.slice(0, 12)}, undisturbed ${same.tree?.slice(0, 12)}`, id),
    )
  }
  if (played.workingSeconds !== null && played.workingSeconds < 0) {
    findings.push(found('negative duration', `working ${played.workingSeconds} s`, id))
  }
  return findings
}

function compareEnds({ ended, episodes }: RunOutcome, expected: readonly string[], found: Found): Finding[] {
  const [times, undisturbed] = [ended, expected].map((ids) => Map.groupBy(ids, (id) => id))
  return episodes.flatMap(({ id }) => {
    const count = times?.get(id)?.length ?? 0
    const ends = undisturbed?.get(id)?.length ?? 0
    const detail = `${count} events episode.ended, undisturbed ${ends}`
    return count === ends ? [] : [found('end not reported once', detail, id)]
  })
}

function compareMoney({ run }: RunOutcome, booked: CallTotals, found: Found): Finding[] {
  const { model_calls, input_tokens, output_tokens, cost } = run.usage
  const findings: Finding[] = []
  if (missed({ calls: model_calls, lost: run.lost_calls }, booked) && booked.repeated === 0) return []
  if (model_calls !== booked.calls || booked.repeated > 0) {
    const repeated = booked.repeated > 0 ? `, ${booked.repeated} under an id that was used before` : ''
    findings.push(found('calls differ', `${model_calls} counted, ${booked.calls} at the endpoint${repeated}`))
  }
  if (input_tokens + output_tokens !== booked.tokens) {
    findings.push(
      found('tokens differ', `${input_tokens + output_tokens} counted, ${booked.tokens} at the endpoint`),
    )
  }
  if (cost !== booked.cost / nanoPerDollar) {
    findings.push(found('money differs', `$${cost} counted, $${booked.cost / nanoPerDollar} at the endpoint`))
  }
  if (run.lost_calls < booked.cut) {
    findings.push(
      found('lost calls differ', `${run.lost_calls} counted, ${booked.cut} answers cut at the endpoint`),
    )
  }
  return findings
}
