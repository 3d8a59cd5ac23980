import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { ComparedRun, Comparison, Estimate } from '../../../shared/core/contracts/report.ts'
import { IntervalPlot, type IntervalRow } from '../../charts/interval-plot.tsx'
import { Section } from '../../components/section.tsx'
import styles from './compare.module.css'
import { efforts } from './effort.ts'
import { namesOf } from './run-names.ts'

type Difference = NonNullable<ComparedRun['difference']>

export function DifferenceSection({ comparison }: { comparison: Comparison }) {
  const names = namesOf(comparison)
  const baseline = names.get(comparison.runs[0]?.run ?? '')
  const counted = Object.values(efforts).filter(({ of }) =>
    comparison.runs.some((run) => (of(run).mean ?? 0) > 0),
  )
  const rows = (of: (difference: Difference) => Estimate): IntervalRow[] =>
    comparison.runs.flatMap(({ run, difference }, index) =>
      difference === null
        ? []
        : [
            {
              id: run,
              name: names.get(run) ?? run,
              series: index,
              estimate: of(difference),
            },
          ],
    )
  return (
    <Section
      title={
        <>
          Minus{' '}
          <span dir="auto" className={styles.settingHeading}>
            {baseline}
          </span>
        </>
      }
      aside="paired by task, with 95 % intervals"
    >
      <div className={styles.plots}>
        <IntervalPlot
          label="Success rate"
          rows={rows(({ success_rate }) => success_rate)}
          axis="difference of success rates"
          zero
          format={formatNumber}
        />
        <IntervalPlot
          label="Reward"
          rows={rows(({ reward }) => reward)}
          axis="difference of mean rewards"
          zero
          format={formatNumber}
        />
        {counted.map((effort) => (
          <IntervalPlot
            key={effort.name}
            label={effort.name}
            rows={rows(effort.of)}
            axis={`difference in ${effort.axis}`}
            zero
            format={effort.format}
          />
        ))}
      </div>
      <p className={styles.explained}>
        What makes a task hard for both runs cancels out, so these intervals are narrower than the runs’ own.
        One that holds 0 leaves open which run is better. There is none where no task differs, or only one is
        shared.
      </p>
    </Section>
  )
}
