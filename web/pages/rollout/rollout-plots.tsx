import type { GroupFigures } from '../../../shared/core/contracts/rollout-figures.ts'
import { MetricPlot } from '../../charts/metric-plot.tsx'
import { Section } from '../../components/section.tsx'
import { countOf } from '../../format/count-of.ts'
import styles from './rollout-page.module.css'

const plots = [
  { label: 'Reward by group', yAxis: 'reward', figure: 'reward' },
  { label: 'Group variance by group', yAxis: 'variance', figure: 'variance' },
  { label: 'Entropy by group', yAxis: 'nats a token', figure: 'entropy' },
  { label: 'Policy lag by group', yAxis: 'versions', figure: 'lag' },
] as const

/** @param all - finished groups, of which `groups` are the newest */
export function RolloutPlots({ groups, all }: { groups: readonly GroupFigures[]; all: number }) {
  const drawn = plots.flatMap(({ figure, ...plot }) => {
    const points = groups.flatMap(({ sequence, [figure]: value }) =>
      value === null ? [] : [{ step: sequence, value }],
    )
    return points.length === 0 ? [] : [{ ...plot, points }]
  })
  if (drawn.length === 0) return null
  const isPart = groups.length < all
  return (
    <Section title="By group" aside={isPart && <span>the newest {countOf(groups.length, 'group')}</span>}>
      <div className={styles.plots}>
        {drawn.map((plot, place) => (
          <MetricPlot key={plot.label} xAxis="group" place={place} {...plot} />
        ))}
      </div>
    </Section>
  )
}
