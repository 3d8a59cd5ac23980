import { Plus } from 'lucide-react'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { asksForKey } from '../../service/refusal.ts'
import { useKeptFocus } from '../../service/use-kept-focus.ts'
import { AddRunDialog } from './add-run-dialog.tsx'
import { mostRuns } from './compare-choice.ts'
import { ComparisonView } from './comparison-view.tsx'
import { useCompareChoice } from './use-compare-choice.ts'
import { useComparison } from './use-comparison.ts'

export function ComparePage() {
  const [choice, change] = useCompareChoice()
  const [isAdding, setAdding] = useState(false)
  const state = useComparison(choice)
  const root = useKeptRow(choice.runs)
  const refused = state.runs.find(({ query }) => query.data === undefined && asksForKey(query.error))
  const isFull = choice.runs.length >= mostRuns
  const addButton = (
    <Button
      kind="primary"
      onClick={() => setAdding(true)}
      disabled={isFull}
      title={isFull ? `No more than ${mostRuns} runs are compared at once.` : undefined}
    >
      <Plus size={16} aria-hidden /> Add a run
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Compare"
        tab="Compare"
        lead={
          <>
            Runs on the tasks they share, each with the first by paired differences. <GuideLink />
          </>
        }
        actions={choice.runs.length > 0 && addButton}
      />
      <div ref={root}>
        {choice.runs.length === 0 ? (
          <EmptyState title="No runs are chosen" action={addButton}>
            Choose two runs or more of one environment. The first is the baseline; what differs, on which
            tasks, at what cost, is shown for each of the others. The list of runs leads here too.
          </EmptyState>
        ) : refused ? (
          <ErrorState error={refused.query.error} />
        ) : (
          <ComparisonView choice={choice} state={state} onChange={change} onAdd={() => setAdding(true)} />
        )}
      </div>
      <AddRunDialog
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        chosen={choice.runs}
        environment={state.runs[0]?.query.data?.request.environment ?? null}
        onAdd={(run) => change(({ runs }) => ({ runs: [...runs, run] }))}
      />
    </>
  )
}

function GuideLink() {
  return <Link to="/guide/reports">What the figures mean</Link>
}

/**
 * Keeps the focus in the first table when the focused button disappears with its run. It moves to the run that takes
 * the removed one's position, to the new first run, or, if none is left, to the first button.
 */
function useKeptRow(runs: readonly string[]): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null)
  const before = useRef(runs)
  useKeptFocus(root, runs.join(), () => {
    const gone = before.current.findIndex((run) => !runs.includes(run))
    const rows = [...(root.current?.querySelector('tbody')?.rows ?? [])]
    if (gone === -1) return rows[0]?.querySelector('a')
    const button = (rows[gone] ?? rows.at(-1))?.querySelector<HTMLElement>('td:last-child button:last-child')
    return button ?? root.current?.querySelector('button')
  })
  useLayoutEffect(() => {
    before.current = runs
  }, [runs])
  return root
}
