import type { LastProblem as Problem } from '../../shared/core/contracts/model-failure.ts'
import { showControls } from '../format/show-controls.ts'
import { Notice } from './notice.tsx'
import { TimeAgo } from './time-ago.tsx'

export function LastProblem({ problem }: { problem: Problem }) {
  return (
    <Notice isSpaced tone="warn">
      <p dir="auto">{showControls(problem.message)}</p>
      <p>
        Seen <TimeAgo at={problem.at} />. Calls to its models are retried automatically.
      </p>
    </Notice>
  )
}
