import { z } from 'zod'
import { taskEvaluationSchema } from '../browser/evaluation/task-evaluation.ts'
import { siteNameSchema } from './site-names.ts'

const listed = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .nullish()
  .transform((all) => (all ?? []).filter((each) => each !== ''))

export const webarenaTaskSchema = z.object({
  task_id: z.union([z.int().nonnegative(), z.string().min(1)]).transform(String),
  sites: z.array(siteNameSchema).min(1),
  start_url: z.string().min(1),
  storage_state: z.string().nullish(),
  geolocation: z.object({ latitude: z.number(), longitude: z.number() }).nullish().catch(null),
  intent: z.string().min(1),
  image: listed,
  require_reset: z.boolean().default(false),
  viewport_size: z.object({ width: z.int().positive(), height: z.int().positive() }).nullish().catch(null),
  overall_difficulty: z.string().nullish(),
  eval: taskEvaluationSchema,
})

export type WebarenaTask = z.infer<typeof webarenaTaskSchema>

export function rolesOfTask({ eval: evaluation }: WebarenaTask): ('judge' | 'captioner')[] {
  const { eval_types: types, reference_answers: answers, program_html, page_image_query } = evaluation
  const judged =
    (types.includes('string_match') && answers?.fuzzy_match !== undefined) ||
    (types.includes('program_html') && program_html.some((check) => check.required_contents.fuzzy_match))
  const seen =
    types.includes('page_image_query') && page_image_query.some(({ eval_vqa }) => eval_vqa.length > 0)
  return [...(judged ? (['judge'] as const) : []), ...(seen ? (['captioner'] as const) : [])]
}
