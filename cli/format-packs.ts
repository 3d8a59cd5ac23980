import { formatBytes, formatCount } from '../shared/core/client/format-quantity.ts'
import type { DataPackRow } from '../shared/environments/data-packs/open-data-packs.ts'
import { formatTable } from './format-table.ts'

const columns = [
  { header: 'environment' },
  { header: 'name', flexible: true },
  { header: 'digest' },
  { header: 'files', align: 'right' as const },
  { header: 'size', align: 'right' as const },
  { header: 'added' },
]

export function formatPacks(packs: readonly DataPackRow[], width: number, environment?: string): string[] {
  if (packs.length === 0) {
    const of = environment === undefined ? '' : ` of ${environment}`
    return [`No data packs${of} yet. Add one: espalier data add ${environment ?? 'ENVIRONMENT'} FOLDER`]
  }
  const rows = packs.map(({ environment, name, digest, files, size, added_at }) => [
    environment,
    name,
    digest,
    formatCount(files),
    formatBytes(size),
    added_at.slice(0, 16).replace('T', ' '),
  ])
  return formatTable(columns, rows, width)
}
