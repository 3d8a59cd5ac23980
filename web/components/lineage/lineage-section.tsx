import { Link } from 'react-router'
import type { LoopLineage } from '../../../shared/core/contracts/loop-report.ts'
import { datasetAddress, modelAddress, runAddress, trainingAddress } from '../../format/addresses.ts'
import { isRegistered } from '../../format/name-base.ts'
import { showControls } from '../../format/show-controls.ts'
import { Section } from '../section.tsx'
import styles from './lineage.module.css'

const columns: Record<LineageNode['kind'], number> = {
  model: 0,
  training: 1,
  dataset: 2,
  run: 3,
  trajectories: 3,
  nodes: 4,
}

export const nodeSize = { width: 212, height: 44 }
const gap = { x: 50, y: 14 }

export function LineageSection({ lineage }: { lineage: LoopLineage }) {
  const { height, nodes, width } = placeLineage(lineage)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return (
    <Section title="Lineage" isFlush>
      <div className={`sideways ${styles.frame}`}>
        <svg width={width + 2} height={height + 2} viewBox={`-1 -1 ${width + 2} ${height + 2}`}>
          <title>Models, the trainings that made them, their datasets, runs and nodes</title>
          {lineage.edges.map(({ from, label, to }) => {
            const [one, other] = [byId.get(from), byId.get(to)]
            if (one === undefined || other === undefined) return null
            return (
              <path key={`${from} ${to}`} d={pathBetween(one, other)} className={styles.edge}>
                <title>{label}</title>
              </path>
            )
          })}
          {nodes.map((node) => (
            <LineageBox key={node.id} node={node} />
          ))}
        </svg>
      </div>
    </Section>
  )
}

function LineageBox({ node }: { node: PlacedNode }) {
  const { height, width } = nodeSize
  const address = addressOf(node)
  const box = (
    <g transform={`translate(${node.x} ${node.y})`}>
      <title>{`${node.id}: ${JSON.stringify(node.facts)}`}</title>
      <rect width={width} height={height} rx={6} className={styles.box} />
      <text x={10} y={18} className={styles.label}>
        {showControls(node.label).slice(0, 24)}
      </text>
      <text x={10} y={34} className={styles.identifier}>
        {node.kind === 'nodes' ? 'of trees' : showControls(node.id).slice(-28)}
      </text>
    </g>
  )
  return address === null ? box : <Link to={address}>{box}</Link>
}

function addressOf({ id, kind }: PlacedNode): string | null {
  switch (kind) {
    case 'run':
      return runAddress(id)
    case 'dataset':
      return datasetAddress(id)
    case 'training':
      return trainingAddress(id)
    case 'model':
      return isRegistered(id) ? modelAddress(id) : null
    default:
      return null
  }
}

function pathBetween(one: PlacedNode, other: PlacedNode): string {
  const { height, width } = nodeSize
  const [y1, y2] = [one.y + height / 2, other.y + height / 2]
  const [left, right] = one.x <= other.x ? [one, other] : [other, one]
  if (one.x === other.x) {
    const x = one.x + width
    return `M ${x} ${y1} C ${x + 30} ${y1}, ${x + 30} ${y2}, ${x} ${y2}`
  }
  const [from, to] = [left.x + width, right.x]
  const middle = (from + to) / 2
  const [start, end] = left === one ? [y1, y2] : [y2, y1]
  return `M ${from} ${start} C ${middle} ${start}, ${middle} ${end}, ${to} ${end}`
}

type LineageNode = LoopLineage['nodes'][number]

interface PlacedNode extends LineageNode {
  x: number
  y: number
}

export function placeLineage({ nodes }: Pick<LoopLineage, 'nodes'>): {
  nodes: PlacedNode[]
  width: number
  height: number
} {
  const counts = new Map<number, number>()
  const placed = nodes.map((node): PlacedNode => {
    const column = columns[node.kind]
    const row = counts.get(column) ?? 0
    counts.set(column, row + 1)
    return { ...node, x: column * (nodeSize.width + gap.x), y: row * (nodeSize.height + gap.y) }
  })
  const rows = Math.max(0, ...counts.values())
  return {
    nodes: placed,
    width: 5 * nodeSize.width + 4 * gap.x,
    height: Math.max(0, rows * (nodeSize.height + gap.y) - gap.y),
  }
}
