import type { BudgetKind } from '../../../shared/core/contracts/curve.ts'
import { markFront } from '../../../shared/core/contracts/mark-front.ts'
import type { Comparison } from '../../../shared/core/contracts/report.ts'
import { ScatterPlot } from '../../charts/scatter-plot.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Section } from '../../components/section.tsx'
import { efforts } from './effort.ts'
import { namesOf } from './run-names.ts'

export function CostSection({ comparison, over }: { comparison: Comparison; over: BudgetKind }) {
  const names = namesOf(comparison)
  const effort = efforts[over]
  const front = markFront(
    comparison.runs.map((run) => ({ cost: effort.of(run).mean, quality: run.success_rate.mean })),
  )
  const points = comparison.runs.map((run, index) => ({
    id: run.run,
    name: names.get(run.run) ?? run.run,
    x: effort.of(run),
    y: run.success_rate,
    isOnFront: front[index] === true,
  }))
  return (
    <Section title="Quality against cost" aside="the means of the table">
      {points.every(({ x }) => x.mean === null) ? (
        <EmptyState title="No prices">
          What the runs cost is not known, because an endpoint of each states no prices. Count effort in model
          calls or tokens.
        </EmptyState>
      ) : (
        <ScatterPlot
          label={`Success rate against ${effort.axis}`}
          points={points}
          xAxis={effort.axis}
          yAxis="success rate"
          yDomain={[0, 1]}
          formatX={effort.format}
        />
      )}
    </Section>
  )
}
