import type { Run } from '../../../shared/core/contracts/run.ts'
import { LastProblem } from '../../components/last-problem.tsx'
import { Notice } from '../../components/notice.tsx'
import { showControls } from '../../format/show-controls.ts'
import { countEnded } from '../../service/follow-run.ts'
import { reachedCap } from './run-caps.ts'

export function RunState({ run }: { run: Run }) {
  const reason = run.status_reason === null ? '' : showControls(run.status_reason)
  switch (run.status) {
    case 'queued':
      return (
        <Notice isSpaced>
          It has not begun yet: it does as soon as a worker takes up its first episode.
        </Notice>
      )
    case 'paused':
      return (
        <Notice isSpaced tone="warn">
          <p dir="auto">{reason}</p>
          <p>
            {reachedCap(run) === null
              ? 'Nothing is played or paid for until it is resumed, and nothing of what it has is lost.'
              : 'Resume offers a higher limit; nothing that was paid for is paid for again.'}
          </p>
        </Notice>
      )
    case 'failed':
      return (
        <Notice isSpaced tone="bad">
          <p dir="auto">{reason}</p>
          <p>The errors are below. Fix what they report, then retry.</p>
        </Notice>
      )
    case 'cancelled':
      return <Notice isSpaced>{reason} What had ended before is kept, and in the figures below.</Notice>
    case 'running':
      return run.last_problem ? <LastProblem problem={run.last_problem} /> : <Live run={run} />
    default:
      return <Live run={run} />
  }
}

function Live({ run }: { run: Run }) {
  return run.live && countEnded(run.episodes) > 0 ? (
    <Notice isSpaced>
      Its episodes read what others wrote meanwhile: played again, it would give other results.
    </Notice>
  ) : null
}
