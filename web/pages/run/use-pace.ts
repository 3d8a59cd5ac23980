import { useEffect, useState } from 'react'
import type { Run } from '../../../shared/contracts/run.ts'
import { addPacePoint, type Pace, type PacePoint, paceOf, pacePoint } from './run-pace.ts'

/** How fast a run goes, from what this page has seen of it. */
export function usePace(run: Run): Pace {
  const [points, setPoints] = useState<readonly PacePoint[]>(() => [pacePoint(run)])
  useEffect(() => setPoints((seen) => addPacePoint(seen, pacePoint(run))), [run])
  return paceOf(points, run)
}
