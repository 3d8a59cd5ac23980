import type { DatasetRequest } from '../contracts/dataset.ts'
import { canonicalJson } from './canonical-json.ts'

/**
 * The same request with what it names in an order that nobody's way of writing or storing it decides: files, their order and
 * the manifest follow it, and DynamoDB gives the members of a map back in any order. Parameters stand by their names; of the
 * splits first `train`, then the largest, since trainers are shown the first to train on.
 */
export function orderRequest({ parameters, splits, ...rest }: DatasetRequest): DatasetRequest {
  return {
    ...rest,
    parameters: JSON.parse(canonicalJson(parameters)) as DatasetRequest['parameters'],
    ...(splits === undefined ? {} : { splits: Object.fromEntries(Object.entries(splits).sort(compare)) }),
  }
}

type Share = readonly [name: string, share: number]

function compare([one, share]: Share, [other, rival]: Share): number {
  if (one === 'train' || other === 'train') return one === 'train' ? -1 : 1
  return rival - share || (one < other ? -1 : 1)
}
