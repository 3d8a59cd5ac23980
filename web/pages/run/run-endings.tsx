import { Link } from 'react-router'
import { endWords } from '../../../shared/core/client/end-words.ts'
import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import { groupErrors } from '../../../shared/core/client/group-errors.ts'
import { episodeStatusWord } from '../../../shared/core/client/status-words.ts'
import { asksAModel } from '../../../shared/core/contracts/annotated-dataset.ts'
import type { EndReason } from '../../../shared/core/contracts/end-reason.ts'
import type { EpisodeEnd } from '../../../shared/core/contracts/episode.ts'
import type { Report } from '../../../shared/core/contracts/report.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import type { RunShape } from '../../../shared/core/contracts/run-shape.ts'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { episodeAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import barStyles from './end-bars.module.css'
import styles from './run-page.module.css'

const otherEnds: { status: EpisodeEnd; why: string }[] = [
  { status: 'failed', why: 'the task was not solved' },
  { status: 'limited', why: 'a limit of the episode stopped it' },
  { status: 'errored', why: 'a fault of the service, a model or a host: no reward, and in no mean' },
  { status: 'cancelled', why: 'the run was cancelled before' },
]

type Reasons = Pick<Report, 'errors' | 'limits' | 'shape'>

export function RunEndings({ run, report }: { run: Run; report: Reasons | undefined }) {
  const ends = [{ status: 'succeeded' as const, why: whyItSucceeded(run) }, ...otherEnds]
  const shown = ends.filter(({ status }) => run.episodes[status] > 0)
  if (shown.length === 0) {
    return (
      <Section title="Why episodes ended">
        <p className={styles.endingNone}>None has ended yet.</p>
      </Section>
    )
  }
  return (
    <Section title="Why episodes ended" isFlush>
      {report?.shape ? (
        <>
          <EndBars ends={report.shape.ends} />
          {run.episodes.errored > 0 && (
            <div className={styles.endingErrors}>
              <Errors run={run} report={report} />
            </div>
          )}
        </>
      ) : (
        <Table label="Ways to end, with reasons">
          <thead>
            <tr>
              <th scope="col" className={styles.endingNarrow}>
                Ended as
              </th>
              <th scope="col" className={`${styles.endingNarrow} number`}>
                Episodes
              </th>
              <th scope="col">Because</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ status, why }) => (
              <tr key={status}>
                <th scope="row" className={styles.endingNarrow}>
                  <StatusLink status={status} />
                </th>
                <td className={`${styles.endingNarrow} number`}>{formatCount(run.episodes[status])}</td>
                <td>
                  {why}
                  {status === 'limited' && report !== undefined && <Limits limits={report.limits} />}
                  {status === 'errored' && report !== undefined && <Errors run={run} report={report} />}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}

function whyItSucceeded(run: Run): string {
  if (asksAModel(run)) return 'the model answered all that it was asked'
  return run.learning_episodes > 0
    ? 'the task was solved, or what was to be learned is learned'
    : 'the task was solved'
}

function StatusLink({ status }: { status: EpisodeEnd }) {
  return (
    <Link
      to={{ search: `?status=${status}`, hash: '#episodes' }}
      title={`Show the ${episodeStatusWord(status)} episodes`}
    >
      {episodeStatusWord(status)}
    </Link>
  )
}

function Limits({ limits }: { limits: Report['limits'] }) {
  const all = Object.entries(limits).toSorted(([, left], [, right]) => right - left)
  return (
    <ul className={styles.endingReasons}>
      {all.map(([limit, count]) => (
        <li key={limit}>
          <b>{formatCount(count)}</b> by <code>episode_limits.{limit}</code>
        </li>
      ))}
    </ul>
  )
}

function Errors({ run, report }: { run: Run; report: Reasons }) {
  const isPart = report.errors.length < run.episodes.errored
  return (
    <ul className={styles.endingReasons}>
      {isPart && <li>Of the {formatCount(report.errors.length)} that the report lists:</li>}
      {groupErrors(report.errors).map(({ count, episodes, message, name }) => (
        <li key={`${name}: ${message}`}>
          <b>{formatCount(count)}</b>{' '}
          <span dir="auto" className={styles.endingMessage}>
            {showControls(`${name}: ${message}`)}
          </span>{' '}
          <span className={styles.endingExamples}>
            such as{' '}
            {episodes.map((episode, at) => (
              <span key={episode}>
                {at > 0 && ', '}
                <Link to={episodeAddress(run.id, episode)}>{episode}</Link>
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}

const tones: Partial<Record<EndReason, string>> = {
  solved: 'good',
  error: 'bad',
  cancelled: 'quiet',
}

function EndBars({ ends }: { ends: RunShape['ends'] }) {
  const most = ends.reduce((high, { episodes }) => Math.max(high, episodes), 1)
  const all = ends.toSorted((left, right) => right.episodes - left.episodes)
  return (
    <ul className={barStyles.ends}>
      {all.map(({ episodes, reason }) => (
        <li key={reason}>
          <Link to={{ search: `?reason=${reason}`, hash: '#episodes' }} className={barStyles.end}>
            <span className={barStyles.word}>{endWords[reason]}</span>
            <span className={barStyles.lane} aria-hidden>
              <span
                className={barStyles.bar}
                data-tone={tones[reason] ?? 'other'}
                style={{ width: `${(100 * episodes) / most}%` }}
              />
            </span>
            <span className="number">{formatCount(episodes)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
