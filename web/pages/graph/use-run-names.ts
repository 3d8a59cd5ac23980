import { useQueries } from '@tanstack/react-query'
import { runName } from '../../format/run-name.ts'
import { runQuery } from '../../service/run-query.ts'

export function useRunNames(runs: readonly string[]): ReadonlyMap<string, string> {
  return useQueries({
    queries: runs.map((run) => runQuery(run)),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, runName(data)] as const]))),
  })
}
