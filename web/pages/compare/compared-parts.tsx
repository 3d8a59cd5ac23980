import { ApiError } from '../../../shared/core/client/api-error.ts'
import type { Comparison } from '../../../shared/core/contracts/report.ts'
import { AnswerWarnings } from '../../components/answer-warnings.tsx'
import { Button } from '../../components/button.tsx'
import { Column } from '../../components/column.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import styles from './compare.module.css'
import type { CompareChoice } from './compare-choice.ts'
import { NoSharedTasks, OtherPassports, UnequalTerms } from './comparison-notes.tsx'
import { CostSection } from './cost-section.tsx'
import { DifferenceSection } from './difference-section.tsx'
import { OutcomeRow } from './outcome-row.tsx'
import { namesOf } from './run-names.ts'
import type { ComparisonState } from './use-comparison.ts'

export function ComparedParts({
  choice,
  state: { runs, comparison },
  onAdd,
}: {
  choice: CompareChoice
  state: ComparisonState
  onAdd?: () => void
}) {
  if (choice.runs.length === 1) {
    return (
      <EmptyState title="One run is chosen" action={onAdd && <Button onClick={onAdd}>Add a run</Button>}>
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
            <>
              <OtherPassports comparison={data} />
              <NoSharedTasks runs={found} />
            </>
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
      <OtherPassports comparison={comparison} />
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

function OutcomeSection({ comparison }: { comparison: Comparison }) {
  const names = namesOf(comparison)
  const named = (run: string) => ({ run, name: names.get(run) ?? run })
  const baseline = named(comparison.runs[0]?.run ?? '')
  return (
    <Section title="Tasks won and lost" aside="by success, then by reward" isFlush>
      <Table label="Tasks won and lost against the baseline">
        <thead>
          <tr>
            <Column>Run</Column>
            <Column isNumber>Won</Column>
            <Column isNumber>Tied</Column>
            <Column isNumber>Lost</Column>
            <td aria-hidden="true" className={styles.outcomeWide}>
              <span className={styles.outcomeKey} data-outcome="won" /> won
              <span className={styles.outcomeKey} data-outcome="tied" /> tied
              <span className={styles.outcomeKey} data-outcome="lost" /> lost
            </td>
            <Column isNumber hint="Tasks with a higher share of successes than the baseline’s">
              Success higher
            </Column>
            <Column isNumber hint="Tasks with a lower share of successes than the baseline’s">
              Lower
            </Column>
            <Column
              isNumber
              hint="Exact two-sided sign test over the tasks whose success differs; with one episode a task, McNemar’s test. A small p says that the split is unlikely to be chance, not that the difference is large."
            >
              p (sign test)
            </Column>
            <Column isUnseen>Tasks</Column>
          </tr>
        </thead>
        <tbody>
          {comparison.runs.map(({ run, difference }, index) =>
            difference === null ? null : (
              <OutcomeRow
                key={run}
                run={named(run)}
                index={index}
                baseline={baseline}
                difference={difference}
              />
            ),
          )}
        </tbody>
      </Table>
    </Section>
  )
}
