import { useEffect, useState } from 'react'
import { formatCount, formatDuration, formatNumber } from '../../../shared/core/client/format-quantity.ts'
import { episodeStatusWord } from '../../../shared/core/client/status-words.ts'
import type { EpisodeCounts, Run } from '../../../shared/core/contracts/run.ts'
import { Section } from '../../components/section.tsx'
import { Stat, Stats } from '../../components/stat.tsx'
import { formatSeconds } from '../../format/format-seconds.ts'
import { countEnded, hasEnded } from '../../service/follow-run.ts'
import styles from './run-page.module.css'
import barStyles from './status-bar.module.css'

/** Seconds in which the recent rate is measured, and the minimum for a meaningful rate. */
const span = 60
const leastSpan = 5

const barParts: { name: keyof EpisodeCounts; word: string; means: string }[] = [
  { name: 'succeeded', word: episodeStatusWord('succeeded'), means: 'solved their task' },
  { name: 'failed', word: episodeStatusWord('failed'), means: 'did not solve their task' },
  { name: 'limited', word: episodeStatusWord('limited'), means: 'were stopped by one of their limits' },
  {
    name: 'errored',
    word: episodeStatusWord('errored'),
    means: 'were stopped by a fault, and have no reward',
  },
  { name: 'cancelled', word: episodeStatusWord('cancelled'), means: 'were ended with the run' },
  { name: 'active', word: 'queued/running', means: 'are queued for a worker or being played' },
  { name: 'waiting', word: 'waiting', means: 'have not begun' },
]

const heldPart: (typeof barParts)[number] = {
  name: 'active',
  word: 'held',
  means: 'stopped where they were, and continue from there',
}

export function RunProgress({ run }: { run: Run }) {
  const { episodes, learning_episodes, running_seconds } = run
  const pace = usePace(run)
  const ended = countEnded(episodes)
  const isOver = hasEnded(run)
  return (
    <Section
      title="Progress"
      aside={
        <span>
          {formatCount(ended)} of {formatCount(episodes.total)} episodes ended
          {learning_episodes > 0 && `; ${formatCount(learning_episodes)} of them to learn for the others`}
        </span>
      }
    >
      <StatusBar episodes={episodes} isPaused={run.status === 'paused'} />
      <div className={styles.runPace}>
        <Stats>
          <Stat name="Episodes a minute" note={isOver ? 'while it ran' : 'over all its running time'}>
            {formatRate(pace.overall)}
          </Stat>
          {!isOver && (
            <Stat name="Recent rate" note="over the last minute, while this page watches">
              {formatRate(run.status === 'running' ? pace.recent : null)}
            </Stat>
          )}
          {!isOver && (
            <Stat name="Time left" note={run.status === 'paused' ? 'not while it is paused' : 'at this rate'}>
              {pace.left === null ? '–' : `about ${formatLeft(pace.left)}`}
            </Stat>
          )}
          <Stat name="Time running" note="pauses left out">
            {formatSeconds(running_seconds)}
          </Stat>
        </Stats>
      </div>
    </Section>
  )
}

export function StatusBar({ episodes, isPaused }: { episodes: EpisodeCounts; isPaused: boolean }) {
  const shown = barParts
    .filter(({ name }) => episodes[name] > 0)
    .map((part) => (isPaused && part.name === heldPart.name ? heldPart : part))
  return (
    <>
      <div className={barStyles.bar} aria-hidden>
        {shown.map(({ name }) => (
          <div key={name} className={barStyles[name]} style={{ flexGrow: episodes[name] }} />
        ))}
      </div>
      <ul className={barStyles.legend}>
        {shown.map(({ name, word, means }) => (
          <li key={name} title={`Episodes that ${means}`}>
            <span className={`${barStyles.swatch} ${barStyles[name]}`} aria-hidden />
            {word} <b>{formatCount(episodes[name])}</b>{' '}
            <span className={barStyles.share}>{share(episodes[name], episodes.total)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function share(count: number, total: number): string {
  const percent = (count / total) * 100
  if (percent > 0 && percent < 1) return '<1 %'
  return percent > 99 && percent < 100 ? '>99 %' : `${Math.round(percent)} %`
}

function formatRate(rate: number | null): string {
  if (rate === null) return '–'
  return rate < 10 ? formatNumber(rate, 1) : formatCount(rate)
}

function usePace(run: Run): Pace {
  const [points, setPoints] = useState<readonly PacePoint[]>(() => [pacePoint(run)])
  useEffect(() => setPoints((seen) => addPacePoint(seen, pacePoint(run))), [run])
  return paceOf(points, run)
}

export interface PacePoint {
  seconds: number
  ended: number
}

export function pacePoint(run: Pick<Run, 'running_seconds' | 'episodes'>): PacePoint {
  return { seconds: run.running_seconds, ended: countEnded(run.episodes) - run.episodes.cancelled }
}

export function addPacePoint(points: readonly PacePoint[], point: PacePoint): readonly PacePoint[] {
  const last = points.at(-1)
  if (last !== undefined && point.seconds === last.seconds && point.ended === last.ended) return points
  if (last !== undefined && (point.seconds < last.seconds || point.ended < last.ended)) return [point]
  return [...points.filter(({ seconds }) => seconds >= point.seconds - span), point]
}

interface Pace {
  /** Episodes per minute while the page watched, over at most one minute; null if that was too short. */
  recent: number | null
  /** Episodes per minute over the run's whole running time; null before the first episode ends. */
  overall: number | null
  /** Estimated seconds until all episodes end; null if unknown. */
  left: number | null
}

export function paceOf(
  points: readonly PacePoint[],
  run: Pick<Run, 'status' | 'running_seconds' | 'episodes'>,
): Pace {
  const { seconds, ended } = pacePoint(run)
  const first = points[0]
  const watched = first === undefined ? 0 : seconds - first.seconds
  const recent = first === undefined || watched < leastSpan ? null : ((ended - first.ended) / watched) * 60
  const overall = ended === 0 || seconds === 0 ? null : (ended / seconds) * 60
  // A recent rate of 0 predicts nothing, so use the overall rate.
  const rate = recent === null || recent === 0 ? overall : recent
  const open = run.episodes.total - ended
  const isSaid = run.status === 'running' && rate !== null && open > 0
  return { recent, overall, left: isSaid ? (open / rate) * 60 : null }
}

export function formatLeft(seconds: number): string {
  if (seconds < 120) return formatDuration(seconds)
  return formatDuration(Math.round(seconds / 60) * 60).replace(/ 0 s$/, '')
}
