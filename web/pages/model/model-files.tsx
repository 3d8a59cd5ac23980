import { formatBytes } from '../../../shared/core/client/format-quantity.ts'
import type { ModelFile } from '../../../shared/core/contracts/registered-model.ts'
import { Column } from '../../components/column.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'

export function ModelFiles({ files }: { files: readonly ModelFile[] }) {
  return (
    <Section title="Files" isFlush>
      <Table label="Files">
        <thead>
          <tr>
            <Column>File</Column>
            <Column isNumber>Size</Column>
            <Column>SHA-256</Column>
          </tr>
        </thead>
        <tbody>
          {files.map(({ bytes, name, sha256 }) => (
            <tr key={name}>
              <td dir="auto">{name}</td>
              <td className="number">{formatBytes(bytes)}</td>
              <td>
                <code>{sha256}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}
