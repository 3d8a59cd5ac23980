import { formatFaults } from '../../../shared/core/client/format-faults.ts'
import {
  formatCount,
  formatMoney,
  formatNumber,
  noNumber,
} from '../../../shared/core/client/format-quantity.ts'
import type { Report } from '../../../shared/core/contracts/report.ts'
import { Estimate } from '../../components/estimate.tsx'
import { Stat, Stats } from '../../components/stat.tsx'
import { formatSeconds } from '../../format/format-seconds.ts'
import styles from './run-page.module.css'

export function EffortStats({ report }: { report: Report }) {
  const {
    answers,
    invalid_actions: { count: invalid, share },
    mean_cached_tokens,
    mean_cost,
    mean_model_calls,
    mean_nodes,
    mean_path_length,
    mean_primitive_steps,
    mean_reasoning_tokens,
    mean_steps,
    mean_tokens,
    mean_working_seconds,
    unparsable,
  } = report
  return (
    <div className={styles.resultPart}>
      <h3>An episode on average</h3>
      <Stats>
        <Stat name="Steps" note={mean_nodes !== null && `${formatMean(mean_nodes)} nodes`}>
          {formatMean(mean_steps)}
        </Stat>
        <Stat
          name="Path length"
          note={
            mean_primitive_steps !== mean_path_length &&
            `${formatMean(mean_primitive_steps)} steps of the environment`
          }
        >
          {formatMean(mean_path_length)}
        </Stat>
        <Stat name="Model calls" note={answers !== null && faultNote(answers)}>
          {formatMean(mean_model_calls)}
        </Stat>
        <Stat name="Tokens" note={tokenNote(mean_cached_tokens, mean_reasoning_tokens)}>
          {formatMean(mean_tokens)}
        </Stat>
        <Stat name="Cost">{mean_cost === null ? 'no price' : formatMoney(mean_cost)}</Stat>
        <Stat name="Working time" note="without queueing">
          {mean_working_seconds === null ? noNumber : formatSeconds(mean_working_seconds)}
        </Stat>
        <Stat name="Invalid actions" note={`${formatCount(invalid)} in all`}>
          <Estimate of={share} />
        </Stat>
        {unparsable > 0 && (
          <Stat name="Unreadable answers" note="of judges, asked for again">
            {formatCount(unparsable)}
          </Stat>
        )}
      </Stats>
    </div>
  )
}

function faultNote(answers: NonNullable<Report['answers']>): string | false {
  const faults = formatFaults(answers)
  return faults !== '' && `of ${formatCount(answers.total)} answers ${faults}`
}

function tokenNote(cached: number | null, reasoning: number | null): string | false {
  const parts = [
    ...(cached ? [`${formatMean(cached)} cached`] : []),
    ...(reasoning ? [`${formatMean(reasoning)} reasoning`] : []),
  ]
  return parts.length > 0 && parts.join(', ')
}

function formatMean(value: number | null): string {
  if (value === null) return noNumber
  return value < 100 ? formatNumber(value, 1) : formatCount(value)
}
