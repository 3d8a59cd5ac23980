import { formatMoney } from '../../../shared/core/client/format-quantity.ts'
import type { NodeDetail } from '../../../shared/core/contracts/node-detail.ts'
import type { ValueRange } from '../../tree/value-colour.ts'
import { Judgement } from './judgement.tsx'
import { ModelCalls } from './model-call.tsx'
import type { NodePlace } from './node-panel.tsx'
import { NodeState } from './node-state.tsx'
import { ObservationParts } from './observation-parts.tsx'
import { PanelPart } from './panel-part.tsx'
import { UsageLine } from './usage-line.tsx'
import { UsedNotes } from './used-notes.tsx'

export function NodeDetails({
  detail,
  place,
  range,
}: {
  detail: NodeDetail
  place: NodePlace
  range: ValueRange
}) {
  const { observation, proposal, expansions, judgement, notes, others, usage, node } = detail
  return (
    <>
      {observation.length > 0 && (
        <PanelPart title="Observation" isOpen>
          <ObservationParts parts={observation} place={place} />
        </PanelPart>
      )}
      {proposal !== null && (
        <ModelCalls title="The call that led here" calls={[proposal]} taken={node.message} isOpen />
      )}
      {expansions.length > 0 && <ModelCalls title="What was proposed from here" calls={expansions} />}
      {judgement !== null && <Judgement judgement={judgement} range={range} />}
      {notes.length > 0 && <UsedNotes notes={notes} />}
      {others.length > 0 && <ModelCalls title="Other calls" calls={others} />}
      <NodeState detail={detail} />
      {usage.model_calls > 0 && (
        <PanelPart title="Cost of this node" note={formatMoney(usage.cost)} isOpen>
          <UsageLine usage={usage} />
        </PanelPart>
      )}
    </>
  )
}
