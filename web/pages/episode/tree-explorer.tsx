import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Growth } from '../../../shared/core/contracts/growth.ts'
import type { EpisodeCredit } from '../../../shared/core/contracts/rollout-figures.ts'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import { Dialog } from '../../components/dialog.tsx'
import { type KeyRow, KeysTable } from '../../components/keys-table.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { api } from '../../service/api.ts'
import { runQuery } from '../../service/run-query.ts'
import { useKeptFocus } from '../../service/use-kept-focus.ts'
import { type Colouring, modelColouring } from '../../tree/colouring.ts'
import { describeNode } from '../../tree/describe-node.ts'
import { EpisodeWaterfall } from './episode-waterfall.tsx'
import { ExplorerBar } from './explorer-bar.tsx'
import { MapLegend } from './map-legend.tsx'
import { NodePanel, NoNode } from './node-panel.tsx'
import { Outline } from './outline.tsx'
import { PathConversation } from './path-conversation.tsx'
import { Scrubber } from './scrubber.tsx'
import styles from './tree-explorer.module.css'
import { type MapControls, TreeMap } from './tree-map.tsx'
import { useExplorer } from './use-explorer.ts'
import type { View } from './use-explorer-address.ts'
import { useExplorerKeys } from './use-explorer-keys.ts'

const keys: readonly KeyRow[] = [
  [['←', '→'], 'to the parent, to the most visited child'],
  [['↑', '↓'], 'to the node above, below on its level'],
  [['Home'], 'to the root'],
  [['b'], 'to the answer'],
  [['Space'], 'collapse or open the node; on the map a double click does the same'],
  [['Enter'], 'go to the panel of the node'],
  [['Esc'], 'close the panel'],
  [['f'], 'fit the whole tree into the frame'],
  [['+', '−'], 'zoom in, out'],
  [['/'], 'find'],
  [['n', 'N'], 'the next match, the previous one'],
  [[',', '.'], 'one step of the search back, on'],
  [['?'], 'these keys'],
]

const tabs: { id: View; name: string }[] = [
  { id: 'map', name: 'Map' },
  { id: 'outline', name: 'Outline' },
  { id: 'conversation', name: 'Conversation' },
  { id: 'waterfall', name: 'Waterfall' },
]

export function TreeExplorer({
  run,
  episode,
  tree,
  growth,
  isLive,
}: {
  run: string
  episode: string
  tree: Tree
  growth: UseQueryResult<Growth>
  isLive: boolean
}) {
  const credit = useCredit(run, episode, isLive)
  const models = useModels(run, episode, tree, isLive)
  const explorer = useExplorer(tree, growth.data, { credit, models, isLive })
  const { choice, change, scene, missing, choose, toggle } = explorer
  const { index, moment, chosen } = scene
  const isReplay = choice.step !== null && growth.data !== undefined
  const [areKeysShown, setKeysShown] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const controls = useRef<MapControls | null>(null)

  const findStage = () => stage.current?.querySelector<HTMLElement>('[role=application], [role=tree]')
  // When the panel closes or changes its node, the pressed button in it disappears.
  useKeptFocus(root, `${choice.view} ${chosen}`, () => panel.current ?? findStage())

  /** The button disappears when all is shown, so the focus moves to the stage. */
  function showAll() {
    explorer.showAll()
    findStage()?.focus()
  }

  const goToStep = useCallback((step: number | null) => change({ step }), [change])
  const onMapKey = useExplorerKeys(
    explorer,
    { root, panel, field, controls },
    { lastStep: growth.data?.steps.length ?? 0, onHelp: useCallback(() => setKeysShown(true), []) },
  )

  return (
    <div ref={root} className={styles.explorer} data-panel={choice.view !== 'conversation'}>
      <section className={styles.explorerMain} aria-labelledby="tree-title">
        <h2 id="tree-title" className="visually-hidden">
          Tree
        </h2>
        <Tabs
          label="Views of the tree"
          tabs={tabs}
          chosen={choice.view}
          onChoose={(view) => change({ view })}
        >
          <div className={styles.explorerView} data-view={choice.view}>
            {missing !== null && (
              <p role="status" className={styles.explorerNotice}>
                There is no node {missing}: the last one{isLive ? ' so far' : ''} is {tree.nodes.length - 1}.
              </p>
            )}
            {choice.view === 'waterfall' ? (
              <EpisodeWaterfall
                place={{ run, episode }}
                tree={tree}
                isLive={isLive}
                onNode={(node) => {
                  choose(node)
                  panel.current?.focus()
                }}
              />
            ) : choice.view === 'conversation' ? (
              <PathConversation
                place={{ run, episode }}
                index={index}
                best={tree.best}
                chosen={chosen}
                onChoose={(node) => {
                  choose(node)
                  change({ view: 'map' })
                }}
              />
            ) : (
              <>
                <ExplorerBar
                  explorer={explorer}
                  field={field}
                  controls={controls}
                  onShowAll={showAll}
                  onKeys={() => setKeysShown(true)}
                />
                <div ref={stage} className={styles.explorerStage}>
                  {choice.view === 'map' ? (
                    <TreeMap
                      scene={scene}
                      label={`Map of the tree with ${tree.nodes.length} nodes. Arrow keys go from node to node, ? shows all keys; the outline has the same as text.`}
                      controls={controls}
                      onChoose={choose}
                      onToggle={toggle}
                      onKey={onMapKey}
                    />
                  ) : (
                    <Outline
                      scene={scene}
                      onChoose={choose}
                      onToggle={toggle}
                      onOpen={() => panel.current?.focus()}
                    />
                  )}
                  {chosen !== null && chosen >= moment.count && (
                    <p role="status" className={styles.absentNode}>
                      Node {chosen} is not there yet at this step.
                    </p>
                  )}
                </div>
                <p className="visually-hidden" aria-live="polite">
                  {choice.view === 'map' && chosen !== null && describeNode(scene, chosen)}
                </p>
                {choice.view === 'map' && (
                  <MapLegend
                    colour={scene.colouring?.colour ?? 'value'}
                    range={scene.colouring?.range ?? scene.range}
                    names={scene.colouring?.names}
                    isReplay={isReplay}
                  />
                )}
                {(growth.data?.steps.length ?? tree.nodes.length - 1) > 0 && (
                  <Scrubber tree={tree} growth={growth} step={choice.step} onStep={goToStep} />
                )}
              </>
            )}
          </div>
        </Tabs>
      </section>
      {choice.view !== 'conversation' &&
        (chosen === null ? (
          <NoNode index={index} best={moment.best} onChoose={choose} />
        ) : (
          <NodePanel
            key={chosen}
            panel={panel}
            place={{ run, episode, node: chosen }}
            scene={scene}
            isLive={isLive}
            onChoose={choose}
          />
        ))}
      <KeysDialog isOpen={areKeysShown} onClose={() => setKeysShown(false)} />
    </div>
  )
}

function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
      <KeysTable label="Keys of the tree explorer" rows={keys} />
      <p>In the outline the arrow keys go up and down through what is shown, open and collapse.</p>
    </Dialog>
  )
}

/** The advantages and entropies that may colour a tree; undefined: the episode has none, or not yet. */
function useCredit(run: string, episode: string, isLive: boolean): EpisodeCredit | undefined {
  const { data } = useQuery(runQuery(run))
  const mayHave = data?.rollout !== undefined || data?.request.record === 'tokens'
  const credit = useQuery({
    queryKey: ['credit', run, episode],
    queryFn: () => api.credit(run, episode),
    enabled: mayHave && !isLive,
    retry: false,
  })
  return credit.data
}

// The colours of models; null until they are chosen and the calls of the episode are read.
function useModels(run: string, episode: string, tree: Tree, isLive: boolean): Colouring | null {
  const [params] = useSearchParams()
  const calls = useQuery({
    queryKey: ['calls', run, episode],
    queryFn: () => api.calls(run, episode),
    enabled: params.get('colour') === 'model',
    refetchInterval: isLive ? 10_000 : false,
    staleTime: isLive ? 0 : Number.POSITIVE_INFINITY,
  })
  return useMemo(
    () => (calls.data === undefined ? null : modelColouring(tree, calls.data.calls)),
    [calls.data, tree],
  )
}
