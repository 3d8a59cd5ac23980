import type { FormatFacts } from '../format.ts'
import { filledSplits } from './filled-splits.ts'

/** What `dataset_info.json` calls each data file: LLaMA-Factory knows a dataset as one file. */
export function llamaFactoryEntries({
  title,
  files,
}: Pick<FormatFacts, 'title' | 'files'>): { name: string; split: string; file: string }[] {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  const base = slug === '' ? 'espalier' : slug
  const splits = filledSplits({ files })
  return splits.flatMap(([split, names]) =>
    names.map((file, index) => {
      const number = names.length === 1 ? '' : `_${String(index + 1).padStart(5, '0')}`
      const part = splits.length === 1 ? '' : `_${split}`
      return { name: `${base}${part}${number}`, split, file }
    }),
  )
}
