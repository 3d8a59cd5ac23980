import type { Dataset } from '../../../shared/core/contracts/dataset.ts'

export const rowsOnPage = 20

type SplitRows = [name: string, counts: Dataset['splits'][string]]

export function rowAddress(
  search: URLSearchParams,
  splits: readonly SplitRows[],
): { split: string; row: number; total: number } {
  const named = splits.find(([name]) => name === search.get('split'))
  const [split = 'train', counts] = named ?? splits.find(([name]) => name === 'train') ?? splits[0] ?? []
  const total = counts?.rows ?? 0
  const text = search.get('row') ?? ''
  const row = /^\d+$/.test(text) ? Math.min(Number(text), Math.max(0, total - 1)) : 0
  return { split, row, total }
}

export function withRow(search: URLSearchParams, next: { split?: string; row: number }): URLSearchParams {
  const changed = new URLSearchParams(search)
  if (next.split !== undefined) changed.set('split', next.split)
  changed.set('row', String(next.row))
  return changed
}

export function pageOfRow(row: number): number {
  return Math.floor(row / rowsOnPage) * rowsOnPage
}
