import { z } from 'zod'

const nats = 'in nats a token'

export const groupFiguresSchema = z
  .object({
    sequence: z.int().describe('Its place in the event stream.'),
    index: z.int().describe('Position of its task among the tasks of the rollout.'),
    task: z.string(),
    ended_at: z.iso.datetime().describe('The end of its last member that ended.'),
    reward: z.number().nullable().describe('Mean over the members with a reward; null if none has.'),
    variance: z.number().nullable().describe('Population variance of these rewards.'),
    flat: z.boolean().describe('True if all rewards are equal, so that chains give no signal.'),
    entropy: z
      .number()
      .nullable()
      .describe(
        `Entropy of the policy, ${nats}: the mean of −log p over the sampled tokens; null without tokens.`,
      ),
    lag: z
      .int()
      .nullable()
      .describe(
        'Policy versions that were announced between the oldest version of its members and its end; null if a version is unknown.',
      ),
  })
  .meta({ id: 'GroupFigures' })

export type GroupFigures = z.infer<typeof groupFiguresSchema>

export const rolloutFiguresSchema = z
  .object({
    object: z.literal('rollout_figures'),
    rollout: z.string(),
    groups: z.array(groupFiguresSchema).describe('The newest finished groups, in the order of the stream.'),
    means: z
      .object({
        reward: z.number().nullable(),
        variance: z.number().nullable(),
        entropy: z.number().nullable(),
        lag: z.number().nullable(),
      })
      .describe('Means over these groups; groups without the figure are left out.'),
    flat_share: z
      .number()
      .nullable()
      .describe('Share of the groups with a reward whose rewards are all equal; null if there are none.'),
    tokens_per_second: z
      .number()
      .nullable()
      .describe('Answer tokens of the whole rollout per second of its running time; null before its start.'),
  })
  .meta({ id: 'RolloutFigures' })

export type RolloutFigures = z.infer<typeof rolloutFiguresSchema>

export const episodeCreditSchema = z
  .object({
    object: z.literal('episode_credit'),
    run: z.string(),
    episode: z.string(),
    advantage: z
      .string()
      .nullable()
      .describe(
        'The equation of the advantages, such as `grpo`; null: the run is no rollout, or asks for none.',
      ),
    nodes: z
      .array(
        z.object({
          node: z.int(),
          advantage: z
            .number()
            .nullable()
            .describe(
              'Advantage of the answer that led to the node: the mean over its branches; null if it is on no branch.',
            ),
          entropy: z
            .number()
            .nullable()
            .describe(`Entropy of this answer, ${nats}; null without its log-probabilities.`),
        }),
      )
      .describe('Nodes with one of the two figures.'),
  })
  .meta({ id: 'EpisodeCredit' })

export type EpisodeCredit = z.infer<typeof episodeCreditSchema>
