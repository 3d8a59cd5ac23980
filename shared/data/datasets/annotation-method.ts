import { z } from 'zod'
import { type DatasetRequest, datasetKindSchema } from '../../core/contracts/dataset.ts'
import { jsonObjectSchema } from '../../core/contracts/json.ts'
import type { Annotator } from './annotator.ts'
import { askAgain } from './annotators/ask-again.ts'
import { judgeRubric } from './annotators/judge-rubric.ts'
import { findKind } from './dataset-kinds.ts'

const annotationMethodSchema = z.object({
  id: z.string(),
  dataset: z.string(),
  kind: datasetKindSchema,
  parameters: jsonObjectSchema,
})

export const rubricMethodSchema = z.object({
  id: z.literal('judge-rubric'),
  scored_run: z.string(),
  score: z.string(),
  rubric: z.string(),
})

export type AnnotationMethod = z.infer<typeof annotationMethodSchema>

const askAgainMethodSchema = z.object({ id: z.literal('ask-again'), call: z.string() })

export function readAnnotator(method: unknown): Annotator {
  const again = askAgainMethodSchema.safeParse(method)
  if (again.success) return askAgain(again.data.call)
  const byRubric = rubricMethodSchema.safeParse(method)
  return byRubric.success
    ? judgeRubric(byRubric.data.rubric)
    : annotatorOf(annotationMethodSchema.parse(method))
}

export function toAnnotationMethod(
  dataset: string,
  { kind, parameters }: Pick<DatasetRequest, 'kind' | 'parameters'>,
): AnnotationMethod {
  return { id: annotatorOf({ kind, parameters }).id, dataset, kind, parameters }
}

export function annotatorOf({ kind, parameters }: Pick<AnnotationMethod, 'kind' | 'parameters'>): Annotator {
  const { annotator, parameters: schema } = findKind(kind)
  const found = annotator?.(schema.parse(parameters)) ?? null
  if (found === null) throw new Error(`Nothing is asked for "${kind}" with these parameters.`)
  return found
}
