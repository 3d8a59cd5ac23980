import { workWord } from '../../../shared/core/client/status-words.ts'
import { describePassportDifference, passportHeading } from '../../../shared/core/contracts/passport.ts'
import type { Comparison } from '../../../shared/core/contracts/report.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Notice } from '../../components/notice.tsx'
import { showControls } from '../../format/show-controls.ts'
import { runNames } from './run-names.ts'

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
            {names.get(id)} has no episode with a reward{status === 'running' ? ' yet' : ''}: it is{' '}
            {workWord(status)}.
          </p>
        ))
      )}
    </EmptyState>
  )
}

export function OtherPassports({
  comparison: { passport_differences },
}: {
  comparison: Pick<Comparison, 'passport_differences'>
}) {
  if (passport_differences.length === 0) return null
  return (
    <Notice tone="warn" isSpaced>
      {passportHeading}:
      <ul>
        {passport_differences.map((each) => (
          <li key={each.field} dir="auto">
            {showControls(describePassportDifference(each))}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

export function UnequalTerms({ comparison: { warnings } }: { comparison: Pick<Comparison, 'warnings'> }) {
  if (warnings.length === 0) return null
  return (
    <Notice tone="warn" isSpaced>
      Unequal terms: a difference may come from these, and not from the method or the model.
      <ul>
        {warnings.map(({ field, message }) => (
          <li key={field} dir="auto">
            {showControls(message)}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
