import type { FormatFacts } from '../format.ts'

/** The splits that have data files, in their order, with the names of these. */
export function filledSplits({ files }: Pick<FormatFacts, 'files'>): [split: string, names: string[]][] {
  return Object.entries(files).filter(([, names]) => names.length > 0)
}
