import { useState } from 'react'
import { formatNumber, noNumber } from '../../../shared/core/client/format-quantity.ts'
import { Button } from '../../components/button.tsx'
import { Column } from '../../components/column.tsx'
import { Table } from '../../components/table.tsx'
import { countOf } from '../../format/count-of.ts'
import { shortText } from '../../format/short-text.ts'
import { type MergedEdge, type MergedSource, solvedAmong } from '../../tree/merge-trees.ts'
import { ValueChip } from '../episode/value-chip.tsx'
import styles from './graph.module.css'

const some = 8
const range = { low: 0, high: 1 }

export function EdgeList({
  label,
  edges,
  side,
  sources,
  onChoose,
}: {
  label: string
  edges: readonly MergedEdge[]
  side: 'from' | 'to'
  sources: readonly MergedSource[]
  onChoose: (state: number) => void
}) {
  const [shown, setShown] = useState(some)
  return (
    <>
      <Table label={label}>
        <thead>
          <tr>
            <Column>Action</Column>
            <Column isNumber>State</Column>
            <Column isNumber>Episodes</Column>
            <Column isNumber>Solved</Column>
          </tr>
        </thead>
        <tbody>
          {edges.slice(0, shown).map((edge) => {
            const other = edge[side]
            const share = solvedAmong(sources, edge.sources)
            return (
              <tr key={`${edge.from} ${edge.to}`}>
                <td className={styles.action}>
                  <bdi>{shortText(edge.actions[0]?.[0] ?? noNumber, 120)}</bdi>
                  {edge.actions.length > 1 && (
                    <span className="soft"> and {countOf(edge.actions.length - 1, 'other action')}</span>
                  )}
                </td>
                <td className="number">
                  {edge.from === edge.to ? (
                    'stays'
                  ) : (
                    <Button
                      className={styles.state ?? ''}
                      aria-label={`State ${other}`}
                      onClick={() => onChoose(other)}
                    >
                      {other}
                    </Button>
                  )}
                </td>
                <td className="number">{edge.sources.length}</td>
                <td className="number">
                  <ValueChip value={share} range={range} />
                  <span className="visually-hidden">
                    {share === null ? 'no outcome' : `${formatNumber(100 * share, 0)} percent`}
                  </span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </Table>
      {edges.length > shown && (
        <Button onClick={() => setShown(shown + 5 * some)}>{edges.length - shown} more</Button>
      )}
    </>
  )
}
