import type { Comparison } from '../../../shared/contracts/report.ts'
import { Notice } from '../../components/notice.tsx'
import { showControls } from '../../format/show-controls.ts'

/** Terms on which the runs did not meet, before any difference is shown. Nothing where all are equal. */
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
