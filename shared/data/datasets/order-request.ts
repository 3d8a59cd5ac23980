import type { DatasetRequest } from '../../core/contracts/dataset.ts'
import { canonicalJson } from './canonical-json.ts'

/**
 * Puts a request's members into a canonical order: files, their order and the manifest follow it, and DynamoDB
 * returns the members of a map in any order. Sorts parameters by name. `train` is the first split, then the largest,
 * because trainers train on the first.
 */
export function orderRequest({ parameters, scores, splits, ...rest }: DatasetRequest): DatasetRequest {
  return {
    ...rest,
    parameters: JSON.parse(canonicalJson(parameters)) as DatasetRequest['parameters'],
    ...(scores === undefined ? {} : { scores: JSON.parse(canonicalJson(scores)) as typeof scores }),
    ...(splits === undefined ? {} : { splits: Object.fromEntries(Object.entries(splits).sort(compare)) }),
  }
}

type Share = readonly [name: string, share: number]

function compare([one, share]: Share, [other, rival]: Share): number {
  if (one === 'train' || other === 'train') return one === 'train' ? -1 : 1
  return rival - share || (one < other ? -1 : 1)
}
