import { z } from 'zod'

const ofIteration = z.array(z.number().min(0).max(1)).min(1).max(100).optional()

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
    iteration: z
      .int()
      .min(1)
      .max(1000)
      .default(1)
      .describe('Which round of training the dataset is for: the place in the two lists below.'),
    alpha_by_iteration: ofIteration.describe(
      'In place of `alpha`, its value in each iteration, the last one from then on; the paper’s are [0.5, 0.7, 1], with alpha_inclusive.',
    ),
    beta_by_iteration: ofIteration.describe(
      'In place of `beta`, its value in each iteration, the last one from then on; the paper keeps 0.2.',
    ),
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
  .refine((given) => given.alpha_inclusive || thresholdsOf(given).alpha < 1, {
    error: 'No reward exceeds 1. Set alpha_inclusive, or take alpha below 1.',
    path: ['alpha'],
  })

export type RevisionParameters = z.infer<typeof revisionParameters>

/**
 * The thresholds between good and bad ends in the dataset's iteration.
 *
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425): alpha 0.5, 0.7 and 1 over three iterations, beta 0.2
 */
export function thresholdsOf({
  alpha,
  alpha_by_iteration: alphas = [alpha],
  beta,
  beta_by_iteration: betas = [beta],
  iteration,
}: {
  alpha: number
  alpha_by_iteration?: number[] | undefined
  beta: number
  beta_by_iteration?: number[] | undefined
  iteration: number
}): { alpha: number; beta: number } {
  const at = (values: readonly number[]) => values[Math.min(iteration, values.length) - 1] as number
  return { alpha: at(alphas), beta: at(betas) }
}
