import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Library } from '../../../shared/contracts/library.ts'
import type { Memory } from '../../../shared/contracts/memory.ts'
import { runAddress } from '../../format/addresses.ts'
import { runName } from '../../format/run-name.ts'
import { runQuery } from '../../service/run-query.ts'
import { TimeAgo } from '../time-ago.tsx'
import { IsComplete } from './is-complete.tsx'

/** Where a memory or a library comes from, in a line. */
export function LearnedFacts({
  item: { complete, created_at, id, method, run },
}: {
  item: Memory | Library
}) {
  const writer = useQuery(runQuery(run))
  return (
    <>
      {id} · written by {method} in{' '}
      <Link to={runAddress(run)}>{writer.data ? <bdi>{runName(writer.data)}</bdi> : run}</Link> ·{' '}
      <IsComplete complete={complete} /> · <TimeAgo at={created_at} />
    </>
  )
}
