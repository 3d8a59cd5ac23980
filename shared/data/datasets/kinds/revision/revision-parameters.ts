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
      .describe('True if a reward equal to `alpha` is enough; required if `alpha` is 1.'),
    beta: z
      .number()
      .min(0)
      .max(1)
      .default(0.2)
      .describe('The good path’s reward must exceed that of the bad path by more than this.'),
    iteration: z
      .int()
      .min(1)
      .max(1000)
      .default(1)
      .describe(
        'Training round of the dataset: the position in `alpha_by_iteration` and `beta_by_iteration`.',
      ),
    alpha_by_iteration: ofIteration.describe(
      'Values of `alpha` by iteration, which replace `alpha`; the last one holds for later iterations. The paper uses [0.5, 0.7, 1] with alpha_inclusive.',
    ),
    beta_by_iteration: ofIteration.describe(
      'Values of `beta` by iteration, which replace `beta`; the last one holds for later iterations. The paper keeps 0.2.',
    ),
    first_error: z
      .enum(['verifier', 'end'])
      .default('verifier')
      .describe(
        'Point at which a row leaves the bad path: after the first step that a model judges bad (one call for each step of the bad paths), or at its end.',
      ),
    max_per_tree: z
      .int()
      .min(1)
      .nullable()
      .default(32)
      .describe(
        'Maximum number of pairs from one tree, drawn by the seed; null: all, up to the square of its number of paths.',
      ),
    include_good: z
      .boolean()
      .default(false)
      .describe('True to add each good path as a separate row, as the paper does.'),
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
