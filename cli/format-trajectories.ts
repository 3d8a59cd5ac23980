import { formatCount, formatNumber } from '../shared/core/client/format-quantity.ts'
import type {
  ImportedFacts,
  Rejection,
  TrajectoryImport,
} from '../shared/core/contracts/trajectory-import.ts'
import { formatTable } from './format-table.ts'

export function formatImports(imports: readonly TrajectoryImport[], width: number): string[] {
  if (imports.length === 0) return ['None yet. Trajectories from elsewhere come in by: espalier import FILE']
  return formatTable(
    [
      { header: 'import' },
      { header: 'format' },
      { header: 'taken', align: 'right' },
      { header: 'rejected', align: 'right' },
      { header: 'status' },
      { header: 'name', flexible: true },
    ],
    imports.map(({ id, settings, trajectories, rejected, status, name }) => [
      id,
      settings.format,
      formatCount(trajectories),
      formatCount(rejected),
      status,
      name ?? '',
    ]),
    width,
  )
}

export function formatImport({ id, settings, status, ...counts }: TrajectoryImport): string {
  const going = status === 'complete' ? '' : ', and more is to come: run its command again'
  return `${id}: ${formatOutcome(counts, settings.format)}${going}`
}

export function formatOutcome(
  { trajectories, rejected }: Pick<TrajectoryImport, 'trajectories' | 'rejected'>,
  format: string,
): string {
  const taken = trajectories === 1 ? '1 trajectory' : `${trajectories} trajectories`
  return `${taken} from ${format}, ${rejected === 1 ? '1 row' : `${rejected} rows`} rejected`
}

export function formatImported(facts: readonly ImportedFacts[], width: number): string[] {
  return formatTable(
    [
      { header: 'row' },
      { header: 'environment' },
      { header: 'task', flexible: true },
      { header: 'method' },
      { header: 'reward', align: 'right' },
      { header: 'line', align: 'right' },
    ],
    facts.map(({ episode, environment, task, method, reward, line }) => [
      episode,
      environment,
      task,
      method,
      formatNumber(reward),
      String(line),
    ]),
    width,
  )
}

export function formatRejections(rejections: readonly Rejection[]): string[] {
  return rejections.map(describeRejection)
}

export function describeRejection({ file, line, field, reason }: Rejection): string {
  const place = [file, `line ${line}`, field].filter((part) => part !== null).join(', ')
  return `${place}: ${reason}`
}
