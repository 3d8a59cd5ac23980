import { z } from 'zod'
import { datasetFileSchema } from '../contracts/dataset.ts'

/**
 * A shard that is written, and how far the build had come with it: a build that was stopped goes on from its last
 * shard. `run` is a position in the request's runs and `after` the last episode of that run that has been dealt with, null
 * where none has been.
 */
export const shardSchema = z.object({
  number: z.int().min(1),
  data: datasetFileSchema,
  lineage: datasetFileSchema,
  run: z.int().nonnegative(),
  after: z.string().nullable(),
  rows: z.int().describe('Rows of the dataset so far.'),
  left_out: z.record(z.string(), z.int()),
})

export type Shard = z.infer<typeof shardSchema>

/** `data-00001.jsonl.gz` and the like. */
export function shardFileName(kind: 'data' | 'lineage', number: number): string {
  return `${kind}-${String(number).padStart(5, '0')}.jsonl.gz`
}

/** Where a file of a dataset is stored. */
export function datasetKey(dataset: string, file: string): string {
  return `datasets/${dataset}/${file}`
}
