import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { asksForKey } from '../../service/refusal.ts'
import { ComparisonView } from '../compare/comparison-view.tsx'
import { useCompareChoice } from '../compare/use-compare-choice.ts'
import { useComparison } from '../compare/use-comparison.ts'
import { EmbedHead } from './embed-head.tsx'

export function EmbeddedComparison() {
  const [choice, change] = useCompareChoice()
  const state = useComparison(choice)
  const refused = state.runs.find(({ query }) => query.data === undefined && asksForKey(query.error))
  return (
    <>
      <EmbedHead title="Comparison" />
      {choice.runs.length === 0 ? (
        <EmptyState title="No runs are chosen">The address names none after runs=.</EmptyState>
      ) : refused ? (
        <ErrorState error={refused.query.error} />
      ) : (
        <ComparisonView choice={choice} state={state} onChange={change} />
      )}
    </>
  )
}
