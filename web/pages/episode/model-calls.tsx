import type { ModelCall as Call } from '../../../shared/contracts/node-detail.ts'
import { countOf } from '../../format/count-of.ts'
import { ModelCall } from './model-call.tsx'
import { PanelPart } from './panel-part.tsx'

/** Model calls below each other, each with its prompt, its answers and what it cost. */
export function ModelCalls({
  title,
  calls,
  taken = null,
  isOpen = false,
}: {
  title: string
  calls: readonly Call[]
  /** The answer that was acted on, where one was. */
  taken?: string | null
  isOpen?: boolean
}) {
  const answers = calls.reduce((sum, call) => sum + call.answers.length, 0)
  const note = `${calls.length > 1 ? `${countOf(calls.length, 'call')}, ` : ''}${countOf(answers, 'answer')}`
  return (
    <PanelPart title={title} note={note} isOpen={isOpen}>
      {calls.map((call) => (
        <ModelCall key={call.key} call={call} taken={taken} />
      ))}
    </PanelPart>
  )
}
