import { Link } from 'react-router'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { LineageRow, Origin } from '../../../shared/core/contracts/dataset.ts'
import { episodeAddress, runAddress } from '../../format/addresses.ts'
import { isImport } from '../../format/is-import.ts'
import { showControls } from '../../format/show-controls.ts'
import styles from './dataset-row.module.css'

const otherNames: Partial<Record<LineageRow['kind'], string>> = { revision: 'Bad beginning' }

export function RowOrigin({ lineage }: { lineage: LineageRow }) {
  const { environment, kind, origin, other, sha256, task, task_split, tokens } = lineage
  return (
    <dl className={styles.rowOrigin}>
      <dt>Task</dt>
      <dd>
        <span dir="auto">{showControls(task)}</span> of {environment}
        {task_split === null ? '' : `, split ${task_split}`}
      </dd>
      <dt>{other === null ? 'From' : kind === 'revision' ? 'Good path' : 'Chosen'}</dt>
      <dd>
        <OriginPath origin={origin} />
      </dd>
      {other !== null && (
        <>
          <dt>{otherNames[kind] ?? 'Rejected'}</dt>
          <dd>
            <OriginPath origin={other} />
          </dd>
        </>
      )}
      <dt>Row</dt>
      <dd>
        {tokens.toLocaleString('en')} tokens, digest <code title={sha256}>{sha256.slice(0, 12)}</code>
      </dd>
    </dl>
  )
}

function OriginPath({ origin }: { origin: Origin }) {
  const { attempt, episode, method, model, node_ids, reward, source } = origin
  const isImported = isImport(source)
  const said = (text: string) => <span dir="auto">{showControls(text)}</span>
  return (
    <>
      {isImported ? (
        <>
          line {said(episode)} of the import <code>{source}</code>, which has no page
        </>
      ) : (
        <>
          <Link to={episodeAddress(source, episode)}>{episode}</Link> of{' '}
          <Link to={runAddress(source)}>{source}</Link>
          {attempt > 1 && `, try ${attempt}`}
        </>
      )}
      , {said(method)}, {said(model)}, {reward === null ? 'no reward' : `reward ${formatNumber(reward)}`}
      <span className={styles.rowOriginNodes}>
        {describeNodes(node_ids.length)}
        {lastOf(node_ids).map(({ node, place }, index) => (
          <span key={place}>
            {index > 0 && ' → '}
            {isImported ? node : <Link to={episodeAddress(source, episode, { node })}>{node}</Link>}
          </span>
        ))}
      </span>
    </>
  )
}

const nodesShown = 5

function describeNodes(count: number): string {
  if (count === 0) return ''
  if (count > nodesShown) return `${count} nodes, at last … → `
  return count === 1 ? 'node ' : 'nodes '
}

/** A linearized search visits a node more than once, so the position identifies the link. */
function lastOf(nodes: readonly number[]): { node: number; place: number }[] {
  return nodes.map((node, place) => ({ node, place })).slice(-nodesShown)
}
