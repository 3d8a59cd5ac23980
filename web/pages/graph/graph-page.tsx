import { useQueries } from '@tanstack/react-query'
import { LinkButton } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { InlineField } from '../../components/inline-field.tsx'
import { LoadingState } from '../../components/loading-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { runAddress } from '../../format/addresses.ts'
import { countOf } from '../../format/count-of.ts'
import { runName } from '../../format/run-name.ts'
import { shortText } from '../../format/short-text.ts'
import { runQuery } from '../../service/run-query.ts'
import { useAddress } from '../../service/use-address.ts'
import { mostNodes, mostTrees, readGraphChoice, withPaths } from './graph-choice.ts'
import { GraphView } from './graph-view.tsx'
import { useTaskTrees } from './use-task-trees.ts'

export function GraphPage() {
  const [address, change] = useAddress()
  const choice = readGraphChoice(address)
  const { runs, task } = choice
  const trees = useTaskTrees(choice)
  const names = useRunNames(runs)
  const { all, awaited, chosen, error, refetch, sources } = trees
  const title = task === '' ? 'Merged graph' : shortText(task, 200)
  return (
    <>
      <PageHeader
        title={<bdi>{title}</bdi>}
        tab={`${shortText(title, 60)} · merged`}
        way={[
          { to: '/runs', name: 'Runs' },
          ...runs.map((run) => ({ to: runAddress(run), name: shortText(names.get(run) ?? run, 80) })),
        ]}
        actions={
          <InlineField label="Paths">
            {(field) => (
              <select
                {...field}
                value={choice.paths}
                onChange={({ target }) =>
                  change((now) => withPaths(now, target.value === 'all' ? 'all' : 'answers'))
                }
              >
                <option value="answers">to the answers</option>
                <option value="all">of whole trees</option>
              </select>
            )}
          </InlineField>
        }
        lead={
          <>
            {countOf(chosen, 'episode')} of this task as one graph: equal states are one node.
            {chosen < all &&
              ` These are the first of ${countOf(all, 'episode')}: a graph holds at most ${mostTrees}, with ${mostNodes.toLocaleString('en')} nodes.`}
          </>
        }
      />
      {error !== null ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : runs.length === 0 || task === '' ? (
        <EmptyState title="No task is chosen" action={<LinkButton to="/runs">To the runs</LinkButton>}>
          <p>Open a run that plays its tasks several times, and choose a task in the table of its rewards.</p>
        </EmptyState>
      ) : awaited > 0 ? (
        <LoadingState what={`${countOf(awaited, 'tree')} of the task`} />
      ) : sources.length === 0 ? (
        <EmptyState
          title="No episode of this task has ended"
          action={<LinkButton to={runAddress(runs[0] ?? '')}>To the run</LinkButton>}
        >
          <p>The graph merges the trees of ended episodes.</p>
        </EmptyState>
      ) : (
        <GraphView key={`${runs} ${task} ${choice.paths}`} sources={sources} paths={choice.paths} />
      )}
    </>
  )
}

function useRunNames(runs: readonly string[]): ReadonlyMap<string, string> {
  return useQueries({
    queries: runs.map((run) => runQuery(run)),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, runName(data)] as const]))),
  })
}
