import { z } from 'zod'
import { datasetFileSchema } from '../../contracts/dataset.ts'

/** A data file that is stored with its lineage: a build that was stopped goes on behind it. */
export const shardSchema = z.object({
  split: z.string(),
  /** Among the files of its split, from 1. */
  number: z.int().min(1),
  data: datasetFileSchema,
  lineage: datasetFileSchema,
  /** Rows of all parts up to the last one in this file: those of its split among them are in files. */
  seen: z.int(),
})

export type Shard = z.infer<typeof shardSchema>

/**
 * `data-00001.jsonl.gz` and `lineage-00001.jsonl.gz`; of a split `train-00001.jsonl.gz` and `lineage-train-00001.jsonl.gz`.
 *
 * @param split - undefined: the dataset has none
 */
export function shardFileNames(split: string | undefined, number: number, extension: string) {
  const place = String(number).padStart(5, '0')
  return {
    data: `${split ?? 'data'}-${place}${extension}`,
    lineage: `lineage-${split === undefined ? '' : `${split}-`}${place}.jsonl.gz`,
  }
}

/** Where a file of a dataset is stored. */
export function datasetKey(dataset: string, file: string): string {
  return `datasets/${dataset}/${file}`
}
