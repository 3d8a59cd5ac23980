import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Library } from '../../../shared/core/contracts/library.ts'
import type { Memory } from '../../../shared/core/contracts/memory.ts'
import { runAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { Table } from '../table.tsx'
import { TimeAgo } from '../time-ago.tsx'
import styles from './learned.module.css'

export function LearnedTable({
  what,
  items,
  addressOf,
}: {
  what: 'memories' | 'libraries'
  items: readonly (Memory | Library)[]
  addressOf: (id: string) => string
}) {
  const names = useRunNames()
  return (
    <Table isFramed label={what === 'memories' ? 'Memories' : 'Libraries'}>
      <thead>
        <tr>
          <th scope="col">{what === 'memories' ? 'Memory' : 'Library'}</th>
          <th scope="col">Environment</th>
          <th scope="col">Method</th>
          <th scope="col">Written by</th>
          <th scope="col">State</th>
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ complete, created_at, environment, id, method, run }) => (
          <tr key={id}>
            <td>
              <Link to={addressOf(id)} className="identifier">
                {id}
              </Link>
            </td>
            <td dir="auto">{showControls(environment)}</td>
            <td>{method}</td>
            <td className={styles.tableRun}>
              <Link to={runAddress(run)} dir="auto">
                {showControls(names.get(run) ?? run)}
              </Link>
              {names.has(run) && <div className="identifier">{run}</div>}
            </td>
            <td>
              <IsComplete complete={complete} />
            </td>
            <td className={styles.tableCreated}>
              <TimeAgo at={created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

const most = 200

function useRunNames(): ReadonlyMap<string, string> {
  const runs = useQuery({
    queryKey: ['runs', {}, 'newest'],
    queryFn: () => api.runs({ limit: most }),
    staleTime: 30_000,
  })
  return new Map(
    (runs.data?.data ?? []).flatMap(({ id, request }) => (request.name ? [[id, request.name]] : [])),
  )
}

export function IsComplete({ complete }: { complete: boolean }) {
  return complete ? (
    <span>complete</span>
  ) : (
    <span
      className={styles.incomplete}
      title="Its run has not ended. Other runs can use it once that has ended."
    >
      still being written
    </span>
  )
}
