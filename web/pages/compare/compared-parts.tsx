import { ApiError } from '../../../shared/core/client/api-error.ts'
import type { Comparison } from '../../../shared/core/contracts/report.ts'
import { AnswerWarnings } from '../../components/answer-warnings.tsx'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import styles from './compare.module.css'
import type { CompareChoice } from './compare-choice.ts'
import { NoSharedTasks, UnequalTerms } from './comparison-notes.tsx'
import { CostSection } from './cost-section.tsx'
import { DifferenceSection } from './difference-section.tsx'
import { OutcomeSection } from './outcome-section.tsx'
import type { ComparisonState } from './use-comparison.ts'

export function ComparedParts({
  choice,
  state: { runs, comparison },
  onAdd,
}: {
  choice: CompareChoice
  state: ComparisonState
  onAdd: () => void
}) {
  if (choice.runs.length === 1) {
    return (
      <EmptyState title="One run is chosen" action={<Button onClick={onAdd}>Add a run</Button>}>
        Add a second one to compare it with.
      </EmptyState>
    )
  }
  // The rows of the runs show their errors.
  if (!comparison.isEnabled) return null
  if (isUnlike(comparison.error) && comparison.data === undefined) {
    return <EmptyState title="These runs cannot be compared">{comparison.error.message}</EmptyState>
  }
  if (comparison.error !== null && comparison.data === undefined) {
    return <ErrorState error={comparison.error} onRetry={() => void comparison.refetch()} />
  }
  const found = runs.flatMap(({ query }) => query.data ?? [])
  return (
    <div
      className={`${styles.comparePart} ${comparison.isPlaceholderData ? styles.outdated : ''}`}
      aria-busy={comparison.isFetching}
    >
      <Loaded what="the comparison" query={comparison}>
        {(data) =>
          data.shared_tasks === 0 ? (
            <NoSharedTasks runs={found} />
          ) : (
            <Parts choice={choice} comparison={data} />
          )
        }
      </Loaded>
    </div>
  )
}

function Parts({ choice, comparison }: { choice: CompareChoice; comparison: Comparison }) {
  return (
    <>
      <UnequalTerms comparison={comparison} />
      {comparison.runs.map(({ answer_warnings, name, run }) => (
        <AnswerWarnings key={run} warnings={answer_warnings} of={name ?? run} />
      ))}
      <DifferenceSection comparison={comparison} />
      <OutcomeSection comparison={comparison} />
      <CostSection comparison={comparison} over={choice.over} />
    </>
  )
}

function isUnlike(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 400
}
