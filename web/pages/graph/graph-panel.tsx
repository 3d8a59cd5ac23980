import { X } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { Link } from 'react-router'
import { formatNumber, noNumber } from '../../../shared/core/client/format-quantity.ts'
import { Button } from '../../components/button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { LongText } from '../../components/long-text.tsx'
import { episodeAddress } from '../../format/addresses.ts'
import { countOf } from '../../format/count-of.ts'
import type { MergedGraph, MergedSource } from '../../tree/merge-trees.ts'
import type { MergedMap } from '../../tree/merged-scene.ts'
import styles from '../episode/node-panel.module.css'
import { PanelPart } from '../episode/panel-part.tsx'
import { EdgeList } from './edge-list.tsx'
import graphStyles from './graph.module.css'

const some = 12

export function GraphPanel({
  panel,
  graph,
  map,
  sources,
  state,
  onChoose,
}: {
  panel: RefObject<HTMLElement | null>
  graph: MergedGraph
  map: MergedMap
  sources: readonly MergedSource[]
  state: number
  onChoose: (state: number | null) => void
}) {
  const found = graph.states[state]
  if (found === undefined) return null
  const edgesAt = (positions: readonly number[]) => positions.flatMap((at) => graph.edges[at] ?? [])
  const share = map.colouring.figures.get(state)
  const text = (map.tree.nodes[state]?.observation ?? [])
    .flatMap((part) => (part.type === 'text' ? part.text : '(a picture)'))
    .join('\n')
  return (
    <aside ref={panel} tabIndex={-1} className={styles.nodePanel} aria-labelledby="state-title">
      <header className={styles.nodePanelHeader}>
        <h2 id="state-title">{state === 0 ? 'The beginning' : `State ${state}`}</h2>
        <IconButton label="Close the panel (Esc)" onClick={() => onChoose(null)}>
          <X size={18} aria-hidden />
        </IconButton>
      </header>
      <div className={styles.nodeFacts}>
        <dl className={styles.factList}>
          <div>
            <dt>Episodes</dt>
            <dd>{found.sources.length}</dd>
          </div>
          <div>
            <dt>Solved</dt>
            <dd>{share === undefined ? noNumber : `${formatNumber(100 * share, 0)} %`}</dd>
          </div>
          <div>
            <dt>End here</dt>
            <dd>{found.ends.length}</dd>
          </div>
          <div>
            <dt>Depth</dt>
            <dd>{found.depth}</dd>
          </div>
        </dl>
      </div>
      {found.out.length > 0 && (
        <PanelPart title="Next" isOpen>
          <EdgeList
            label="Edges from this state"
            edges={edgesAt(found.out)}
            side="to"
            sources={sources}
            onChoose={onChoose}
          />
        </PanelPart>
      )}
      {found.into.length > 0 && (
        <PanelPart title="Before" isOpen>
          <EdgeList
            label="Edges to this state"
            edges={edgesAt(found.into)}
            side="from"
            sources={sources}
            onChoose={onChoose}
          />
        </PanelPart>
      )}
      <PanelPart title="Observation" note="of its first episode" isOpen>
        <LongText label="Observation" text={text} />
      </PanelPart>
      <PanelPart title="Episodes" note={countOf(found.sources.length, 'episode')} isOpen>
        <Episodes graph={graph} sources={sources} state={state} />
      </PanelPart>
    </aside>
  )
}

function Episodes({
  graph,
  sources,
  state,
}: {
  graph: MergedGraph
  sources: readonly MergedSource[]
  state: number
}) {
  const [shown, setShown] = useState(some)
  const found = graph.states[state]
  const here = found?.sources ?? []
  return (
    <>
      <ul className={graphStyles.episodes}>
        {here.slice(0, shown).map((at) => {
          const source = sources[at]
          if (source === undefined) return null
          const { episode, run, solved } = source
          const node = found?.nodes.get(at) ?? 0
          return (
            <li key={`${run} ${episode}`}>
              <Link to={episodeAddress(run, episode, { node })}>
                {episode}, node {node}
              </Link>{' '}
              <span className="soft">
                {solved === null ? 'no outcome' : solved ? 'solved' : 'not solved'}
                {found?.ends.includes(at) && ', ends here'}
              </span>
            </li>
          )
        })}
      </ul>
      {here.length > shown && (
        <Button onClick={() => setShown(shown + 3 * some)}>{here.length - shown} more</Button>
      )}
    </>
  )
}
