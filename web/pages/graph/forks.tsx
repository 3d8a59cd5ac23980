import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { countOf } from '../../format/count-of.ts'
import { shortText } from '../../format/short-text.ts'
import type { MergedGraph, MergedSource } from '../../tree/merge-trees.ts'
import { type MergedMap, tellingForks } from '../../tree/merged-scene.ts'
import styles from '../episode/node-panel.module.css'
import { EdgeList } from './edge-list.tsx'

const most = 5

// Lists the states whose next steps differ most in success.
export function Forks({
  graph,
  map,
  sources,
  onChoose,
}: {
  graph: MergedGraph
  map: MergedMap
  sources: readonly MergedSource[]
  onChoose: (state: number) => void
}) {
  const forks = tellingForks(graph, sources, most)
  if (forks.length === 0) {
    return (
      <aside className={styles.nodePanel} aria-label="Forks">
        <EmptyState title="The episodes never part">
          <p>Choose a state to see what its episodes did.</p>
        </EmptyState>
      </aside>
    )
  }
  return (
    <aside className={styles.nodePanel} aria-labelledby="forks-title">
      <header className={styles.nodePanelHeader}>
        <h2 id="forks-title">Forks</h2>
      </header>
      <p className={styles.nodeFacts}>
        Episodes part at {countOf(map.forks.length, 'state')}. At these, success differs most by the next
        state.
      </p>
      {forks.map(({ spread, state }) => (
        <section key={state} className={styles.nodeFacts} aria-labelledby={`fork-${state}`}>
          <h3 id={`fork-${state}`}>
            <button type="button" className={styles.nodeWay} onClick={() => onChoose(state)}>
              <span className={styles.wayLabel}>State {state}</span>
              <bdi className={styles.wayAction}>
                {shortText(map.tree.nodes[state]?.action ?? 'the beginning', 80)}
              </bdi>
            </button>
          </h3>
          <p className="soft">
            {spread === 0 ? 'no difference' : `differs by ${formatNumber(100 * spread, 0)} points`}
          </p>
          <EdgeList
            label={`Edges from state ${state}`}
            edges={(graph.states[state]?.out ?? []).flatMap((at) => graph.edges[at] ?? [])}
            side="to"
            sources={sources}
            onChoose={onChoose}
          />
        </section>
      ))}
    </aside>
  )
}
