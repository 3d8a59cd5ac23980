import type { LineageRow } from '../../../shared/core/contracts/dataset.ts'
import type { ShownPart } from '../../../shared/core/contracts/shown-row.ts'
import styles from './dataset-row.module.css'
import { FoldedTurns } from './folded-turns.tsx'
import { nodesOfTurns, type TurnNode } from './nodes-of-turns.ts'
import { toTurn } from './to-turn.tsx'

const names: Record<ShownPart['name'], string> = {
  messages: 'Conversation',
  prompt: 'Prompt',
  chosen: 'Chosen',
  rejected: 'Rejected',
  completion: 'Completion',
  steps: 'Steps',
}

export function RowParts({ parts, lineage }: { parts: readonly ShownPart[]; lineage: LineageRow }) {
  const nodes = nodesOfTurns(parts, lineage)
  const numbered = parts.map((part, index) => ({ part, nodes: nodes[index] ?? [] }))
  const isSide = ({ name }: ShownPart) => name === 'chosen' || name === 'rejected'
  const sides = numbered.filter(({ part }) => isSide(part))
  return (
    <div className={styles.rowParts}>
      {numbered
        .filter(({ part }) => !isSide(part))
        .map((each) => (
          <Part key={each.part.name} {...each} isFolded={each.part.name === 'prompt' && parts.length > 1} />
        ))}
      {sides.length > 0 && (
        <div className={styles.rowSides}>
          {sides.map((each) => {
            const { reward } = (each.part.name === 'chosen' ? lineage.origin : lineage.other) ?? {}
            return <Part key={each.part.name} {...each} reward={reward ?? null} />
          })}
        </div>
      )}
    </div>
  )
}

function Part({
  part,
  nodes,
  reward,
  isFolded = false,
}: {
  part: ShownPart
  nodes: readonly (TurnNode | null)[]
  reward?: number | null
  isFolded?: boolean
}) {
  const { label, name, turns } = part
  return (
    <section className={styles.rowPart} aria-label={names[name]}>
      <h3 className={styles.partName}>
        {names[name]}
        {label !== undefined && (
          <span className={label ? styles.partGood : styles.partBad}>
            {label ? 'desirable' : 'undesirable'}
          </span>
        )}
        {reward !== undefined && reward !== null && (
          <span className={styles.partReward}>reward {reward.toFixed(2)}</span>
        )}
      </h3>
      <FoldedTurns
        turns={turns.map((turn, index) => ({
          ...toTurn(turn, index, nodes[index] ?? null),
          isUndesired: name === 'rejected' || label === false,
        }))}
        isContext={isFolded}
      />
    </section>
  )
}
