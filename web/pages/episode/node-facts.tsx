import type { ReactNode } from 'react'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { TreeNode } from '../../../shared/core/contracts/tree.ts'
import type { MapScene } from '../../tree/map-scene.ts'
import styles from './node-panel.module.css'
import { ValueChip } from './value-chip.tsx'

export function NodeFacts({ stored, node, scene }: { stored: TreeNode; node: number; scene: MapScene }) {
  const { moment, range } = scene
  const visits = moment.visits[node] ?? 0
  const words = [
    node === moment.best && node !== 0 && 'the answer ends here',
    node >= moment.count && 'not there yet at this step',
    stored.done && 'the environment ended the task here',
    moment.terminal[node] === 1 && !stored.done && 'nothing is left to explore below',
    stored.disaster && 'punished with a negative reward',
    stored.valid === false && 'the action was invalid',
  ].filter((word) => word !== false)
  return (
    <div className={styles.nodeFacts}>
      <dl className={styles.factList}>
        <Fact name="Value">
          <ValueChip value={visits === 0 ? null : (moment.values[node] ?? 0)} range={range} />
        </Fact>
        <Fact name="Visits">{visits}</Fact>
        <Fact name="Reward">{formatNumber(stored.reward)}</Fact>
        <Fact name="Depth">{stored.depth}</Fact>
        <Fact name="Prior">{formatNumber(stored.prior)}</Fact>
        {stored.progress !== undefined && <Fact name="Progress">{formatNumber(stored.progress)}</Fact>}
      </dl>
      {words.length > 0 && (
        <ul className={styles.factWords}>
          {words.map((word) => (
            <li key={word}>{word}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
