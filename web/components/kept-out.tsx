import { formatCount } from '../../shared/core/client/format-quantity.ts'
import type { Dataset } from '../../shared/core/contracts/dataset.ts'
import { type GateId, gates as gateWords } from '../../shared/core/contracts/gates.ts'
import { showControls } from '../format/show-controls.ts'
import { Column } from './column.tsx'
import styles from './figures.module.css'
import { InlineCode } from './inline-code.tsx'
import { Table } from './table.tsx'

export function GateTable({ gates }: { gates: Dataset['gates'] }) {
  return (
    <Table label="Gates">
      <thead>
        <tr>
          <Column>Gate</Column>
          <Column>What it looks for</Column>
          <Column isNumber>Found</Column>
          <Column isNumber>Dropped</Column>
        </tr>
      </thead>
      <tbody>
        {Object.entries(gates).map(([id, { found, dropped }]) => (
          <tr key={id} className={found === 0 ? styles.keptOutNone : undefined}>
            <td>
              <code>{id}</code>
            </td>
            <td>
              <InlineCode text={gateWords[id as GateId] ?? ''} />
            </td>
            <td className="number">{formatCount(found)}</td>
            <td className="number">{formatCount(dropped)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

export function LeftOutTable({
  counts,
  words,
}: {
  counts: Readonly<Record<string, number>>
  words: Readonly<Record<string, string>>
}) {
  const reasons = Object.entries(counts).toSorted(([, left], [, right]) => right - left)
  return (
    <Table label="Episodes without a row">
      <thead>
        <tr>
          <Column>Reason</Column>
          <Column>What it means</Column>
          <Column isNumber>Episodes</Column>
        </tr>
      </thead>
      <tbody>
        {reasons.map(([id, count]) => (
          <tr key={id}>
            <td>
              <code>{showControls(id)}</code>
            </td>
            <td>
              <InlineCode text={words[id] ?? ''} />
            </td>
            <td className="number">{formatCount(count)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
