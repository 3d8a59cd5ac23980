import type { UseQueryResult } from '@tanstack/react-query'
import type { BudgetKind, Curves } from '../../../shared/core/contracts/curve.ts'
import { LinePlot } from '../../charts/line-plot.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { api } from '../../service/api.ts'
import styles from './compare.module.css'
import type { CompareChoice } from './compare-choice.ts'
import { SaveButtons } from './download-buttons.tsx'
import { efforts } from './effort.ts'
import { readNote } from './format-figures.ts'
import { runNames } from './run-names.ts'

export function SpendingSection({
  choice: { runs, over },
  curves,
}: {
  choice: CompareChoice
  curves: UseQueryResult<Curves>
}) {
  return (
    <Section
      title="Success against spending"
      aside={
        <SaveButtons
          name="curves"
          isReady={curves.isSuccess}
          load={(format) => api.curvesAs(format, runs, over)}
        />
      }
    >
      <div className={styles.curves} aria-busy={curves.isFetching}>
        <Loaded what="the curves" query={curves}>
          {(data) => (
            <div className={curves.isPlaceholderData ? styles.outdated : undefined}>
              <Plot curves={data} />
            </div>
          )}
        </Loaded>
      </div>
    </Section>
  )
}

const spentOn: Record<BudgetKind, string> = { calls: 'model calls', tokens: 'tokens', cost: 'dollars' }

function Plot({ curves: answer }: { curves: Curves }) {
  const { curves, over, shared_tasks } = answer
  const names = runNames(curves.map(({ run, name }) => ({ id: run, name })))
  if (curves.every(({ points }) => points.length === 0)) {
    return (
      <EmptyState title="No curve">
        {shared_tasks === 0
          ? 'No task has an episode with a reward in every run.'
          : 'No episode spent anything.'}
      </EmptyState>
    )
  }
  return (
    <>
      <LinePlot
        label={`Success rate by ${spentOn[over]} that an episode may spend`}
        series={curves.map(({ run, points }) => ({
          id: run,
          name: names.get(run) ?? run,
          points: points.map(({ budget, success_rate, ended }) => ({ x: budget, y: success_rate, ended })),
        }))}
        xAxis={efforts[over].axis}
        yAxis="success rate"
        yDomain={[0, 1]}
        formatX={efforts[over].format}
      />
      <p className={styles.explained}>
        {readNote(answer)} At each budget: the answers that the episodes would have given had they stopped
        there, before the first answer 0. A method with a smaller budget may plan otherwise; play it to know.
        Searches that see the reward while they go on are drawn too well.
      </p>
    </>
  )
}
