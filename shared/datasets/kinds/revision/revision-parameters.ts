import { z } from 'zod'

/** The parameters of `revision`; the defaults are the paper's for its first iteration. */
export const revisionParameters = z
  .strictObject({
    alpha: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe(
        'The reward that a good path must exceed: 0.5, 0.7 and 1 in the three iterations of the paper.',
      ),
    alpha_inclusive: z
      .boolean()
      .default(false)
      .describe('Whether a reward that equals `alpha` is enough; `alpha` 1 needs it.'),
    beta: z
      .number()
      .min(0)
      .max(1)
      .default(0.2)
      .describe('By how much the reward of the good path must exceed that of the bad one.'),
    first_error: z
      .enum(['verifier', 'end'])
      .default('verifier')
      .describe(
        'Where the bad path is left: after the first step that a model judges to be bad, which costs a call for each step of the bad paths, or at its end.',
      ),
    max_per_tree: z
      .int()
      .min(1)
      .nullable()
      .default(32)
      .describe(
        'Pairs of one tree at most, drawn by the seed; null: all, which may be the square of its paths.',
      ),
    include_good: z
      .boolean()
      .default(false)
      .describe('Whether every good path is a row of its own too, as the paper mixes them in.'),
    pause_action: z
      .string()
      .min(1)
      .max(200)
      .default('wait')
      .describe('The action of the turn that revises. It is never executed.'),
  })
  .refine(({ alpha, alpha_inclusive }) => alpha < 1 || alpha_inclusive, {
    path: ['alpha'],
    message: 'No reward exceeds 1. Set alpha_inclusive, or take alpha below 1.',
  })

export type RevisionParameters = z.infer<typeof revisionParameters>
