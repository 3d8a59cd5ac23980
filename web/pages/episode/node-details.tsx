import { Link } from 'react-router'
import { formatMoney, formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { NodeDetail, UsedNote } from '../../../shared/core/contracts/node-detail.ts'
import type { TreeTool } from '../../../shared/core/contracts/tree.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { episodeAddress } from '../../format/addresses.ts'
import { shortText } from '../../format/short-text.ts'
import type { ValueRange } from '../../tree/value-colour.ts'
import { Judgement } from './judgement.tsx'
import { ModelCalls } from './model-call.tsx'
import { NodeObservation } from './node-observation.tsx'
import styles from './node-panel.module.css'
import type { NodePlace } from './node-panel.tsx'
import { NodeState } from './node-state.tsx'
import { NodeTokens } from './node-tokens.tsx'
import { PanelPart } from './panel-part.tsx'
import { UsageLine } from './usage-line.tsx'

const sides: Record<UsedNote['side'], string> = {
  policy: 'to who acts',
  value: 'to who judges',
  task: 'to everybody',
}

export function NodeDetails({
  detail,
  place,
  range,
  tools = [],
}: {
  detail: NodeDetail
  place: NodePlace
  range: ValueRange
  tools?: readonly TreeTool[]
}) {
  const { observation, proposal, expansions, judgement, notes, others, usage, node } = detail
  return (
    <>
      {observation.length > 0 && (
        <PanelPart title="Observation" isOpen>
          <NodeObservation detail={detail} place={place} />
        </PanelPart>
      )}
      {proposal !== null && (
        <ModelCalls
          title="The call that led here"
          calls={[proposal]}
          tools={tools}
          place={place}
          taken={node.message}
          isOpen
        />
      )}
      {expansions.length > 0 && (
        <ModelCalls title="What was proposed from here" calls={expansions} tools={tools} place={place} />
      )}
      {judgement !== null && <Judgement judgement={judgement} range={range} />}
      {notes.length > 0 && <UsedNotes notes={notes} />}
      {others.length > 0 && <ModelCalls title="Other calls" calls={others} tools={tools} place={place} />}
      <NodeTokens place={place} />
      <NodeState detail={detail} />
      {usage.model_calls > 0 && (
        <PanelPart title="Cost of this node" note={formatMoney(usage.cost)} isOpen>
          <UsageLine usage={usage} />
        </PanelPart>
      )}
    </>
  )
}

function UsedNotes({ notes }: { notes: readonly UsedNote[] }) {
  return (
    <PanelPart title="Notes from earlier episodes" note={notes.length} isOpen>
      <ul className={styles.usedNotes}>
        {notes.map(({ id, side, run, episode, task, note, similarity }) => (
          <li key={`${run} ${side} ${id}`} className={styles.usedNote}>
            <p className={styles.usedNoteHead}>
              shown {sides[side]} · from{' '}
              <Link to={episodeAddress(run, episode)}>
                <bdi>{shortText(task, 80)}</bdi>
              </Link>
              {similarity !== null && ` · similarity ${formatNumber(similarity)}`}
            </p>
            <ForeignText text={note} />
          </li>
        ))}
      </ul>
    </PanelPart>
  )
}
