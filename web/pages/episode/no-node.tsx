import { Button } from '../../components/button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import type { TreeIndex } from '../../tree/index-tree.ts'
import styles from './node-panel.module.css'

export function NoNode({
  index,
  best,
  onChoose,
}: {
  index: TreeIndex
  best: number
  onChoose: (node: number) => void
}) {
  return (
    <aside className={styles.nodePanel} aria-label="Node">
      <EmptyState
        title="No node is chosen"
        action={
          <ButtonRow>
            <Button onClick={() => onChoose(best)} disabled={index.tree.nodes.length === 1}>
              Go to the answer
            </Button>
            <Button onClick={() => onChoose(0)}>Go to the root</Button>
          </ButtonRow>
        }
      >
        <p>
          Choose one to see its prompt, the answers, what the environment showed, and its value and votes.
        </p>
      </EmptyState>
    </aside>
  )
}
