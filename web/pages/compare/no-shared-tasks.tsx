import type { Run } from '../../../shared/contracts/run.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { runNames } from './run-names.ts'

/** Why there is nothing to compare: a run has no reward yet, or their tasks differ. */
export function NoSharedTasks({ runs }: { runs: readonly Run[] }) {
  const names = runNames(runs.map(({ id, request }) => ({ id, name: request.name ?? null })))
  const unscored = runs.filter(
    ({ episodes }) => episodes.succeeded + episodes.failed + episodes.limited === 0,
  )
  return (
    <EmptyState title="No shared tasks">
      <p>No task has an episode with a reward in every run.</p>
      {unscored.length === 0 ? (
        <p>
          The runs played different tasks. What differs in their settings is below; compare runs of the same
          split, range or ids.
        </p>
      ) : (
        unscored.map(({ id, status }) => (
          <p key={id} dir="auto">
            {names.get(id)} has no episode with a reward{status === 'running' ? ' yet' : ''}: it is {status}.
          </p>
        ))
      )}
    </EmptyState>
  )
}
