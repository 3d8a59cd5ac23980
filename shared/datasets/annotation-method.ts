import { z } from 'zod'
import { type DatasetRequest, datasetKindSchema } from '../contracts/dataset.ts'
import { jsonObjectSchema } from '../contracts/json.ts'
import type { Annotator } from './annotator.ts'
import { findKind } from './dataset-kinds.ts'

/** The `method` of an annotation run: which annotator asks, for which dataset. */
const annotationMethodSchema = z.object({
  id: z.string(),
  dataset: z.string(),
  kind: datasetKindSchema,
  /** Of the kind. */
  parameters: jsonObjectSchema,
})

export type AnnotationMethod = z.infer<typeof annotationMethodSchema>

export function readAnnotationMethod(method: unknown): AnnotationMethod {
  return annotationMethodSchema.parse(method)
}

export function toAnnotationMethod(
  dataset: string,
  { kind, parameters }: Pick<DatasetRequest, 'kind' | 'parameters'>,
): AnnotationMethod {
  return { id: annotatorOf({ kind, parameters }).id, dataset, kind, parameters }
}

/** The annotator of a kind with these parameters. A kind without one is an error of the caller. */
export function annotatorOf({ kind, parameters }: Pick<AnnotationMethod, 'kind' | 'parameters'>): Annotator {
  const { annotator, parameters: schema } = findKind(kind)
  const found = annotator?.(schema.parse(parameters)) ?? null
  if (found === null) throw new Error(`Nothing is asked for "${kind}" with these parameters.`)
  return found
}
