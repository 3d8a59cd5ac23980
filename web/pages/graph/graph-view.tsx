import { useCallback, useMemo, useRef, useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { type KeyRow, KeysTable } from '../../components/keys-table.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useKeptFocus } from '../../service/use-kept-focus.ts'
import type { MapScene } from '../../tree/map-scene.ts'
import { type MergedPaths, type MergedSource, mergeTrees } from '../../tree/merge-trees.ts'
import { describeState, mergedMap } from '../../tree/merged-scene.ts'
import { shareColour } from '../../tree/value-colour.ts'
import { ExplorerBar } from '../episode/explorer-bar.tsx'
import { Outline } from '../episode/outline.tsx'
import styles from '../episode/tree-explorer.module.css'
import legendStyles from '../episode/tree-map.module.css'
import { type MapControls, TreeMap } from '../episode/tree-map.tsx'
import { type Explorer, useExplorer } from '../episode/use-explorer.ts'
import type { View } from '../episode/use-explorer-address.ts'
import { useExplorerKeys } from '../episode/use-explorer-keys.ts'
import { Forks } from './forks.tsx'
import { GraphPanel } from './graph-panel.tsx'

const keys: readonly KeyRow[] = [
  [['←', '→'], 'to the state before, to the next one of most episodes'],
  [['↑', '↓'], 'to the state above, below on its level'],
  [['Home'], 'to the beginning'],
  [['b'], 'to the state in which most solved episodes end'],
  [['Space'], 'collapse or open the state'],
  [['Enter'], 'go to the panel of the state'],
  [['Esc'], 'close the panel'],
  [['f'], 'fit the whole graph into the frame'],
  [['+', '−'], 'zoom in, out'],
  [['/'], 'find'],
  [['n', 'N'], 'the next match, the previous one'],
  [['?'], 'these keys'],
]

const tabs: { id: View; name: string }[] = [
  { id: 'map', name: 'Map' },
  { id: 'outline', name: 'Outline' },
]

export function GraphView({ sources, paths }: { sources: readonly MergedSource[]; paths: MergedPaths }) {
  const graph = useMemo(() => mergeTrees(sources, paths), [sources, paths])
  const map = useMemo(() => mergedMap(graph, sources), [graph, sources])
  // A merged graph opens with no state chosen, as a tree that still grows.
  const explored = useExplorer(map.tree, undefined, { credit: undefined, isLive: true })
  const scene: MapScene = useMemo(
    () => ({
      ...explored.scene,
      colouring: map.colouring,
      flow: map.flow,
      range: map.colouring.range,
      mostVisits: sources.length,
      happening: map.forks,
    }),
    [explored.scene, map, sources],
  )
  const explorer: Explorer = { ...explored, colourings: [], scene }
  const { change, choice, choose, missing, toggle } = explorer
  const { chosen } = scene
  const view = choice.view === 'outline' ? 'outline' : 'map'
  const [areKeysShown, setKeysShown] = useState(false)
  const showKeys = useCallback(() => setKeysShown(true), [])
  const root = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const controls = useRef<MapControls | null>(null)
  const findStage = () => stage.current?.querySelector<HTMLElement>('[role=application], [role=tree]')
  useKeptFocus(root, `${view} ${chosen}`, () => panel.current ?? findStage())
  const onMapKey = useExplorerKeys(
    explorer,
    { root, panel, field, controls },
    { lastStep: 0, onHelp: showKeys },
  )

  return (
    <div ref={root} className={styles.explorer} data-panel="true">
      <section className={styles.explorerMain} aria-labelledby="graph-title">
        <h2 id="graph-title" className="visually-hidden">
          Graph
        </h2>
        <Tabs
          label="Views of the graph"
          tabs={tabs}
          chosen={view}
          onChoose={(next) => change({ view: next })}
        >
          <div className={styles.explorerView} data-view={view}>
            {missing !== null && (
              <p role="status" className={styles.explorerNotice}>
                There is no state {missing}: the last one is {map.tree.nodes.length - 1}.
              </p>
            )}
            {graph.unhashed > 0 && (
              <p role="status" className={styles.explorerNotice}>
                {graph.unhashed} of {graph.states.length} states have no hash: they are equal if the same
                actions led to them.
              </p>
            )}
            <ExplorerBar
              explorer={{ ...explorer, choice: { ...choice, view } }}
              field={field}
              controls={controls}
              onShowAll={() => {
                explorer.showAll()
                findStage()?.focus()
              }}
              onKeys={showKeys}
            />
            <div ref={stage} className={styles.explorerStage}>
              {view === 'map' ? (
                <TreeMap
                  scene={scene}
                  label={`Map of the merged graph with ${map.tree.nodes.length} states. Arrow keys go from state to state, ? shows all keys; the outline has the same as text.`}
                  controls={controls}
                  onChoose={choose}
                  onToggle={toggle}
                  onKey={onMapKey}
                  describe={(state) => describeState(map, state)}
                />
              ) : (
                <Outline
                  scene={scene}
                  onChoose={choose}
                  onToggle={toggle}
                  onOpen={() => panel.current?.focus()}
                  heads={['Episodes', 'Solved']}
                />
              )}
            </div>
            <p className="visually-hidden" aria-live="polite">
              {view === 'map' && chosen !== null && describeState(map, chosen)}
            </p>
            {view === 'map' && <GraphLegend />}
          </div>
        </Tabs>
      </section>
      {chosen === null ? (
        <Forks graph={graph} map={map} sources={sources} onChoose={choose} />
      ) : (
        <GraphPanel
          key={chosen}
          panel={panel}
          graph={graph}
          map={map}
          sources={sources}
          state={chosen}
          onChoose={choose}
        />
      )}
      <Dialog title="Keys" isOpen={areKeysShown} onClose={() => setKeysShown(false)}>
        <KeysTable label="Keys of the merged graph" rows={keys} />
      </Dialog>
    </div>
  )
}

function GraphLegend() {
  const colours = [0, 0.25, 0.5, 0.75, 1].map(shareColour).join(', ')
  return (
    <ul className={legendStyles.mapLegend} aria-label="Legend of the map">
      <li>
        none solved
        <span
          className={legendStyles.legendScale}
          style={{ background: `linear-gradient(to right, ${colours})` }}
        />
        all solved
      </li>
      <li>number of episodes as width and area</li>
      <li>
        <svg viewBox="0 0 18 16" width="18" height="16" className={legendStyles.legendShape} aria-hidden>
          <circle cx="9" cy="8" r="4.5" className={legendStyles.legendHollow} />
        </svg>
        no outcome
      </li>
      <li>
        <svg viewBox="0 0 18 16" width="18" height="16" className={legendStyles.legendShape} aria-hidden>
          <circle cx="9" cy="8" r="3" />
          <circle cx="9" cy="8" r="6.5" className={legendStyles.legendNow} />
        </svg>
        episodes part
      </li>
      <li>
        <svg viewBox="0 0 18 16" width="18" height="16" className={legendStyles.legendShape} aria-hidden>
          <circle cx="9" cy="8" r="4" />
          <circle cx="9" cy="8" r="6.5" className={legendStyles.legendRing} />
        </svg>
        most solved episodes end
      </li>
      <li>
        <svg viewBox="0 0 18 16" width="18" height="16" className={legendStyles.legendShape} aria-hidden>
          <path d="M0 8h18" className={legendStyles.legendHollow} strokeDasharray="4 3" />
        </svg>
        to a state that is drawn elsewhere
      </li>
      <li>square: the task ended</li>
    </ul>
  )
}
