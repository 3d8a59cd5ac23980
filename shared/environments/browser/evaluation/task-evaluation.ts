import { z } from 'zod'

const texts = z.array(z.string())
const listed = z.union([texts, z.string().transform((text) => [text])])

export const referenceAnswersSchema = z.strictObject({
  exact_match: z.union([z.string(), z.number().transform(String)]).optional(),
  must_include: listed.optional(),
  must_exclude: listed.optional(),
  one_of: listed.optional(),
  required_values: listed.optional(),
  fuzzy_match: z.union([z.literal('N/A'), listed]).optional(),
})

export type ReferenceAnswers = z.infer<typeof referenceAnswersSchema>

const requiredContentsSchema = z
  .strictObject({
    exact_match: z.union([z.string(), z.number().transform(String)]).optional(),
    must_include: listed.optional(),
    must_exclude: listed.optional(),
    required_values: listed.optional(),
    fuzzy_match: listed.optional(),
  })
  .refine((contents) => Object.values(contents).some((each) => each !== undefined), {
    message: 'must name what is required, such as "must_include"',
  })

export type RequiredContents = z.infer<typeof requiredContentsSchema>

const contentCheckSchema = z.object({
  url: z.string(),
  locator: z.string().default(''),
  prep_actions: texts.default([]),
  required_contents: requiredContentsSchema,
})

export type ContentCheck = z.infer<typeof contentCheckSchema>

const pictureCheckSchema = z
  .object({
    eval_image_url: z.string(),
    eval_image_class: z.string().default(''),
    eval_vqa: z.array(z.object({ question: z.string(), answer: z.string() })).default([]),
    eval_fuzzy_image_match: z.string().optional(),
    ssim_threshold: z.number().min(-1).max(1).default(0.8),
  })
  .refine(({ eval_vqa, eval_fuzzy_image_match }) => eval_vqa.length > 0 || eval_fuzzy_image_match, {
    message: 'must have "eval_vqa" or "eval_fuzzy_image_match"',
  })

export type PictureCheck = z.infer<typeof pictureCheckSchema>

const orNone = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .array(schema)
    .nullish()
    .transform((all) => all ?? [])

export const taskEvaluationSchema = z
  .object({
    eval_types: z.array(z.enum(['string_match', 'url_match', 'program_html', 'page_image_query'])).min(1),
    reference_answers: referenceAnswersSchema.nullish(),
    reference_url: z.string().nullish(),
    url_note: z.enum(['EXACT', 'GOLD in PRED']).nullish(),
    string_note: z.string().nullish(),
    program_html: orNone(contentCheckSchema),
    page_image_query: orNone(pictureCheckSchema),
  })
  .superRefine((evaluation, context) => {
    const needs = {
      string_match: ['reference_answers', evaluation.reference_answers],
      url_match: ['reference_url', evaluation.reference_url],
      program_html: ['program_html', evaluation.program_html.length],
      page_image_query: ['page_image_query', evaluation.page_image_query.length],
    } as const
    for (const type of evaluation.eval_types) {
      const [field, value] = needs[type]
      if (!value) context.addIssue({ code: 'custom', path: [field], message: `must be given for ${type}` })
    }
  })

export type TaskEvaluation = z.infer<typeof taskEvaluationSchema>
