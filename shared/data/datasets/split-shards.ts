import type { DatasetFile } from '../../core/contracts/dataset.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import { unknownName } from '../../core/contracts/validation/nearest-name.ts'
import { shardFileNames } from './build/shard.ts'

export interface SplitShard<File> {
  data: File
  lineage: File
}

/**
 * The data files of one split, in their order.
 *
 * @param wanted - default: `train`, else the first; rows of a dataset without splits are `train`
 * @throws EspalierError `invalid_request` for an unknown split
 */
export function splitShards<File extends Pick<DatasetFile, 'name' | 'rows'>>(
  files: readonly File[],
  wanted: string | undefined,
): SplitShard<File>[] {
  const names = new Set(
    files.flatMap(({ name, rows }) =>
      rows === null ? [] : (/^(?!lineage-)(.+)-\d{5}\./.exec(name)?.[1] ?? []),
    ),
  )
  // A dataset without splits names its files `data`, and all its rows are `train`.
  const splits = new Map([...names].map((name) => [name === 'data' ? 'train' : name, name]))
  const [first] = splits.keys()
  if (first === undefined) return []
  const split = splits.get(wanted ?? (splits.has('train') ? 'train' : first))
  if (split === undefined) {
    throw new EspalierError(
      'invalid_request',
      unknownName('The dataset has no split', wanted, [...splits.keys()]),
      { param: 'split' },
    )
  }
  const byName = new Map(files.map((file) => [file.name, file]))
  return files.flatMap((data) => {
    const [, name, number = ''] = /^(.+)-(\d{5})\./.exec(data.name) ?? []
    if (name !== split) return []
    const names = shardFileNames(split === 'data' ? undefined : split, Number(number), '')
    const lineage = byName.get(names.lineage)
    return lineage === undefined ? [] : [{ data, lineage }]
  })
}
