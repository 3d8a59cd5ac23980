import type { WorkerInfo } from '../shared/core/contracts/machine.ts'
import { formatTable } from './format-table.ts'

export function formatWorkers(workers: readonly WorkerInfo[], width: number): string[] {
  if (workers.length === 0)
    return ['No worker runs. Start one: espalier serve, or espalier worker on another machine.']
  return formatTable(
    [
      { header: 'worker' },
      { header: 'state' },
      { header: 'machine', flexible: true },
      { header: 'kind' },
      { header: 'labels', flexible: 'wrap' },
      { header: 'episodes', align: 'right' },
      { header: 'runs', flexible: 'wrap' },
      { header: 'version' },
    ],
    workers.map(({ capacity, episodes, host, id, kind, labels, playing, status, version }) => [
      id,
      status,
      host,
      kind,
      labels.join(', '),
      `${playing} of ${capacity}${kind === 'host' ? ' hosts' : ''}`,
      [...new Set(episodes.map(({ run }) => run))].join(' '),
      version,
    ]),
    width,
  )
}
