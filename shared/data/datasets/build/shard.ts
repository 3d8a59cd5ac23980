import { z } from 'zod'
import { datasetFileSchema } from '../../../core/contracts/dataset.ts'

/** A stored data file with its lineage. An interrupted build resumes after it. */
export const shardSchema = z.object({
  split: z.string(),
  number: z.int().min(1),
  data: datasetFileSchema,
  lineage: datasetFileSchema,
  /** Rows of all splits up to the last one in this file: files hold those of its own split among them. */
  seen: z.int(),
})

export type Shard = z.infer<typeof shardSchema>

export function shardFileNames(split: string | undefined, number: number, extension: string) {
  const place = String(number).padStart(5, '0')
  return {
    data: `${split ?? 'data'}-${place}${extension}`,
    lineage: `lineage-${split === undefined ? '' : `${split}-`}${place}.jsonl.gz`,
  }
}

export function datasetKey(dataset: string, file: string): string {
  return `datasets/${dataset}/${file}`
}
