import {
  formatCount,
  formatDuration,
  formatMoney,
  formatNumber,
  noNumber,
} from '../../../shared/core/client/format-quantity.ts'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { Section } from '../../components/section.tsx'
import { Stat, Stats } from '../../components/stat.tsx'
import { TrainingProgress } from '../../components/training-progress.tsx'
import { countOf } from '../../format/count-of.ts'
import { isTraining } from '../../format/describe-training.ts'
import styles from './training-page.module.css'

export function ProgressSection({ training }: { training: Training }) {
  const { metrics, progress, request, usage } = training
  const { tokens, tokens_per_second } = progress
  const { cost, time } = request.limits
  return (
    <Section title="Progress">
      <div className={styles.progress} aria-live="off">
        <TrainingProgress training={training} />
        <Stats>
          <Stat name="Loss" note={metrics && `at step ${formatCount(metrics.step)}`}>
            {formatNumber(metrics?.loss ?? null, 4)}
          </Stat>
          <Stat name="Accuracy">{formatNumber(metrics?.accuracy ?? null, 3)}</Stat>
          <Stat name="Tokens" note={tokens > 0 ? 'seen so far' : null}>
            {formatCount(tokens)}
          </Stat>
          <Stat name="Tokens per second">
            {tokens_per_second === null ? noNumber : formatCount(tokens_per_second)}
          </Stat>
          <TimeStat training={training} />
          <Stat name="Time worked" note={time === undefined ? null : `of at most ${formatDuration(time)}`}>
            {formatDuration(usage.seconds)}
          </Stat>
          <Stat name="Cost" note={cost === undefined ? null : `of at most ${formatMoney(cost)}`}>
            {formatMoney(usage.cost)}
          </Stat>
          <Stat name="Starts" note="of the trainer">
            {countOf(usage.starts, 'start')}
          </Stat>
        </Stats>
      </div>
    </Section>
  )
}

function TimeStat({ training }: { training: Training }) {
  const { ended_at, progress, started_at } = training
  if (ended_at !== null && started_at !== null) {
    const seconds = (Date.parse(ended_at) - Date.parse(started_at)) / 1000
    return (
      <Stat name="Took" note="from start to end">
        {formatDuration(seconds)}
      </Stat>
    )
  }
  const left = isTraining(training) ? progress.seconds_left : null
  return <Stat name="Time left">{left === null ? noNumber : formatDuration(left)}</Stat>
}
