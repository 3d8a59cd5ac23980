import { useQuery } from '@tanstack/react-query'
import { Link as LinkIcon, X } from 'lucide-react'
import { type ReactNode, type RefObject, useState } from 'react'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { PrimitiveStep, TreeNode } from '../../../shared/core/contracts/tree.ts'
import { Button } from '../../components/button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import { Column } from '../../components/column.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Table } from '../../components/table.tsx'
import { shortText } from '../../format/short-text.ts'
import { api } from '../../service/api.ts'
import { actionOf, childrenOf, nodeAt, type TreeIndex } from '../../tree/index-tree.ts'
import type { MapScene } from '../../tree/map-scene.ts'
import { NodeDetails } from './node-details.tsx'
import styles from './node-panel.module.css'
import { PanelPart } from './panel-part.tsx'
import { ValueChip } from './value-chip.tsx'

const firstChildren = 8

export interface NodePlace {
  run: string
  episode: string
  node: number
}

export function NodePanel({
  panel,
  place,
  scene,
  isLive,
  onChoose,
}: {
  panel: RefObject<HTMLElement | null>
  place: NodePlace
  scene: MapScene
  isLive: boolean
  onChoose: (node: number | null) => void
}) {
  const { run, episode, node } = place
  const detail = useQuery({
    queryKey: ['node', run, episode, node],
    queryFn: () => api.node(run, episode, node),
    refetchInterval: isLive ? 4000 : false,
    staleTime: isLive ? 0 : 5 * 60_000,
  })
  const stored = nodeAt(scene.index, node)
  return (
    <aside ref={panel} tabIndex={-1} className={styles.nodePanel} aria-labelledby="node-title">
      <header className={styles.nodePanelHeader}>
        <h2 id="node-title">{node === 0 ? 'Root' : `Node ${node}`}</h2>
        <div className={styles.nodePanelTools}>
          <CopyButton what="the link to this node" text={() => location.href} icon={LinkIcon} />
          <IconButton label="Close the panel (Esc)" onClick={() => onChoose(null)}>
            <X size={18} aria-hidden />
          </IconButton>
        </div>
      </header>
      <NodeWays index={scene.index} node={node} onChoose={onChoose} />
      {stored.action !== null && (
        <PanelPart title="Action" isOpen>
          <LongText label="Action" text={stored.action} />
        </PanelPart>
      )}
      <NodeFacts stored={stored} node={node} scene={scene} />
      {stored.primitives !== undefined && stored.primitives.length > 0 && (
        <Primitives steps={stored.primitives} />
      )}
      <Loaded what="the node" query={detail}>
        {(found) => (
          <NodeDetails
            detail={found}
            place={place}
            range={scene.range}
            {...(scene.index.tree.tools && { tools: scene.index.tree.tools })}
          />
        )}
      </Loaded>
    </aside>
  )
}

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

function NodeWays({
  index,
  node,
  onChoose,
}: {
  index: TreeIndex
  node: number
  onChoose: (node: number) => void
}) {
  const [shown, setShown] = useState(firstChildren)
  const { parent } = nodeAt(index, node)
  const children = childrenOf(index, node)
  if (parent === null && children.length === 0) return null
  return (
    <nav aria-label="From this node" className={styles.nodeWays}>
      {parent !== null && <Way index={index} node={parent} label="parent" onChoose={onChoose} />}
      {children.slice(0, shown).map((child) => (
        <Way key={child} index={index} node={child} label="child" onChoose={onChoose} />
      ))}
      {children.length > shown && (
        <Button onClick={() => setShown(shown + firstChildren * 5)}>
          {children.length - shown} more children
        </Button>
      )}
    </nav>
  )
}

function Way({
  index,
  node,
  label,
  onChoose,
}: {
  index: TreeIndex
  node: number
  label: string
  onChoose: (node: number) => void
}) {
  return (
    <button type="button" className={styles.nodeWay} onClick={() => onChoose(node)}>
      <span className={styles.wayLabel}>
        {label} {node}
      </span>
      <bdi className={styles.wayAction}>{shortText(actionOf(nodeAt(index, node)), 120)}</bdi>
    </button>
  )
}

function NodeFacts({ stored, node, scene }: { stored: TreeNode; node: number; scene: MapScene }) {
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

const firstSteps = 50

function Primitives({ steps }: { steps: readonly PrimitiveStep[] }) {
  const [shown, setShown] = useState(firstSteps)
  return (
    <PanelPart title="Environment steps" note={steps.length} isOpen={steps.length <= 12}>
      <Table label="Environment steps of the action">
        <thead>
          <tr>
            <Column>Action</Column>
            <Column>Observation</Column>
            <Column isNumber>Reward</Column>
          </tr>
        </thead>
        <tbody>
          {numbered(steps.slice(0, shown)).map(({ id, action, observation, reward, valid }) => (
            <tr key={id}>
              <td>
                <bdi>{shortText(action, 200)}</bdi>
                {!valid && ' (invalid)'}
              </td>
              <td>
                <bdi>{shortText(observation, 300)}</bdi>
              </td>
              <td className="number">{formatNumber(reward)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {steps.length > shown && (
        <ButtonRow>
          <Button onClick={() => setShown(shown + firstSteps * 4)}>{steps.length - shown} more steps</Button>
        </ButtonRow>
      )}
    </PanelPart>
  )
}

function numbered(steps: readonly PrimitiveStep[]): (PrimitiveStep & { id: string })[] {
  return steps.map((step, position) => ({ ...step, id: String(position) }))
}
