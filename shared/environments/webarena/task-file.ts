import { z } from 'zod'
import { type TaskEvaluation, taskEvaluationSchema } from '../browser/evaluation/task-evaluation.ts'
import { siteNameSchema } from './site-names.ts'
import { isVerified, type VerifiedTask, verifiedTaskSchema } from './verified/verified-task.ts'

const listed = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .nullish()
  .transform((all) => (all ?? []).filter((each) => each !== ''))

const originalSchema = z.object({
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

// Of WebArena-Verified: the task's own checks, in place of `eval`.
export type WebarenaTask = z.infer<typeof originalSchema> & { verified: VerifiedTask | null }

const unevaluated: TaskEvaluation = { eval_types: [], program_html: [], page_image_query: [] }
const loggedIn: readonly string[] = ['gitlab', 'reddit', 'shopping', 'shopping_admin']

function fromVerified(task: VerifiedTask): WebarenaTask {
  const { task_id, sites, start_urls, intent } = task
  const owners = sites.filter((site) => loggedIn.includes(site)).toSorted()
  return {
    ...{ task_id, sites, intent, start_url: start_urls.join(' |AND| '), image: [], require_reset: false },
    storage_state: owners.length === 0 ? null : `${owners.join('.')}_state.json`,
    eval: unevaluated,
    verified: task,
  }
}

const ofVerified = verifiedTaskSchema.transform(fromVerified)
const ofOriginal = originalSchema.transform((task): WebarenaTask => ({ ...task, verified: null }))

export const webarenaTaskSchema = z.unknown().transform((written, context): WebarenaTask => {
  const parsed = (isVerified(written) ? ofVerified : ofOriginal).safeParse(written)
  if (parsed.success) return parsed.data
  for (const { message, path } of parsed.error.issues)
    context.addIssue({ code: 'custom', message, path: [...path] })
  return z.NEVER
})

export function rolesOfTask({ eval: evaluation }: WebarenaTask): ('judge' | 'captioner')[] {
  const { eval_types: types, reference_answers: answers, program_html, page_image_query } = evaluation
  const judged =
    (types.includes('string_match') && answers?.fuzzy_match !== undefined) ||
    (types.includes('program_html') && program_html.some((check) => check.required_contents.fuzzy_match))
  const seen =
    types.includes('page_image_query') && page_image_query.some(({ eval_vqa }) => eval_vqa.length > 0)
  return [...(judged ? (['judge'] as const) : []), ...(seen ? (['captioner'] as const) : [])]
}
