import { useQuery } from '@tanstack/react-query'
import { Link as LinkIcon, X } from 'lucide-react'
import type { RefObject } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { LongText } from '../../components/long-text.tsx'
import { api } from '../../service/api.ts'
import { nodeAt } from '../../tree/index-tree.ts'
import type { MapScene } from '../../tree/map-scene.ts'
import { NodeDetails } from './node-details.tsx'
import { NodeFacts } from './node-facts.tsx'
import styles from './node-panel.module.css'
import { NodeWays } from './node-ways.tsx'
import { PanelPart } from './panel-part.tsx'
import { Primitives } from './primitives.tsx'

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
        {(found) => <NodeDetails detail={found} place={place} range={scene.range} />}
      </Loaded>
    </aside>
  )
}
