import { formatNumber } from '../../../shared/client/format-quantity.ts'
import type { LibraryScores } from '../../../shared/contracts/library.ts'
import { Stat, Stats } from '../../components/stat.tsx'

/** How a set of actions did on the training tasks when it was chosen among the candidates. */
export function SetScores({ scores }: { scores: LibraryScores }) {
  return (
    <Stats>
      <Stat name="Score" note="what the set was chosen by, on the training tasks">
        {formatNumber(scores.score)}
      </Stat>
      <Stat name="Success" note="training tasks that were solved">
        {formatNumber(scores.success)}
      </Stat>
      <Stat name="Step accuracy" note="calls that ended well, of all calls">
        {formatNumber(scores.step_accuracy)}
      </Stat>
      <Stat name="Call ratio" note="calls that ended well, of all steps">
        {formatNumber(scores.call_ratio)}
      </Stat>
    </Stats>
  )
}
