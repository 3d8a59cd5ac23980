import { Fragment } from 'react'
import { Table } from './table.tsx'

export type KeyRow = readonly [keys: readonly string[], purpose: string]

export function KeysTable({ label, rows }: { label: string; rows: readonly KeyRow[] }) {
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Purpose</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([names, purpose]) => (
          <tr key={purpose}>
            <td>
              {names.map((name) => (
                <Fragment key={name}>
                  <kbd>{name}</kbd>{' '}
                </Fragment>
              ))}
            </td>
            <td>{purpose}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
