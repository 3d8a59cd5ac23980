import { formatCount, formatDuration, formatMoney } from '../shared/core/client/format-quantity.ts'
import { episodeStatusWord, workWord } from '../shared/core/client/status-words.ts'
import type { EpisodeCounts, Run } from '../shared/core/contracts/run.ts'
import { pad, toLine, truncate, widthOf } from './fit-text.ts'

export function countEnded(counts: EpisodeCounts): number {
  return counts.succeeded + counts.failed + counts.limited + counts.errored + counts.cancelled
}

export interface Pace {
  ended: number
  seconds: number
}

export function progressText(run: Run, pace: Pace): string {
  const { episodes, usage, request } = run
  const ended = countEnded(episodes)
  const scored = episodes.succeeded + episodes.failed + episodes.limited
  const rate = pace.seconds > 0 ? (ended - pace.ended) / pace.seconds : 0
  const cap = request.limits.cost
  const tokens = usage.input_tokens + usage.output_tokens
  const parts = [
    `${ended}/${episodes.total}`,
    scored > 0 ? `${Math.round((100 * episodes.succeeded) / scored)} % solved` : null,
    episodes.errored > 0 ? `${episodes.errored} ${episodeStatusWord('errored')}` : null,
    run.last_problem ? toLine(run.last_problem.message) : null,
    `${formatCount(usage.model_calls)} calls`,
    `${formatCount(tokens)}${request.limits.tokens ? ` of ${formatCount(request.limits.tokens)}` : ''} tokens`,
    formatMoney(usage.cost) + (cap === undefined ? '' : ` of ${formatMoney(cap)}`),
    rate > 0 ? (rate >= 1 ? `${rate.toFixed(1)}/s` : `${(rate * 60).toFixed(1)}/min`) : null,
    run.status === 'running' || run.status === 'queued'
      ? rate > 0 && ended < episodes.total
        ? `${formatDuration((episodes.total - ended) / rate)} left`
        : null
      : workWord(run.status),
  ]
  return parts.filter((part) => part !== null).join(' · ')
}

export function progressBar(name: string, run: Run, pace: Pace, width: number): string {
  const text = progressText(run, pace)
  const room = Math.min(24, width - widthOf(name) - widthOf(text) - 4)
  const { total } = run.episodes
  const share = total === 0 ? 1 : countEnded(run.episodes) / total
  const full = Math.round(share * Math.max(0, room))
  const bar = room < 6 ? '' : `${'█'.repeat(full)}${'░'.repeat(room - full)}  `
  return pad(truncate(`${name}  ${bar}${text}`, width), width)
}
