import { z } from 'zod'

export const spanKindSchema = z
  .enum(['queue', 'setup', 'model', 'environment', 'wait', 'program', 'commit'])
  .describe(
    'The use of the time. `queue`: no worker had the episode, or a worker lost its uncommitted work. `setup`: a worker opened the episode, replayed its journal or started a session. `wait`: a call of a model waited for its rate, a slot, a retry or the money of the run. `program`: the method ran, and an environment inside its process. `commit`: the journal was written.',
  )

export type SpanKind = z.infer<typeof spanKindSchema>

export const waterfallSpanSchema = z
  .object({
    lane: z.int().nonnegative().describe('A position in `lanes`.'),
    slot: z.int().nonnegative().describe('The row inside the lane. Spans of one row never overlap.'),
    kind: spanKindSchema,
    key: z.string().nullable().describe('The effect, such as `node/4/value/verdicts`.'),
    node: z.int().nonnegative().nullable().describe('The node that it is about; null if it is about none.'),
    from: z.number().nonnegative().describe('Seconds since `began_at`.'),
    to: z.number().nonnegative(),
    exact: z
      .boolean()
      .describe(
        'False if the journal has no times of this span: `from` and `to` are then the bounds of the commit that it belongs to.',
      ),
  })
  .meta({ id: 'WaterfallSpan' })

export type WaterfallSpan = z.infer<typeof waterfallSpanSchema>

export const waterfallLaneSchema = z
  .object({
    kind: spanKindSchema.nullable().describe('Null: the lane of a branch.'),
    branch: z
      .int()
      .nonnegative()
      .nullable()
      .describe(
        'The first node of the branch; 0 for the nodes before the first fork; null for a lane of a kind, and with a null `kind` for the branches with the fewest calls.',
      ),
    slots: z.int().positive(),
  })
  .meta({ id: 'WaterfallLane' })

export type WaterfallLane = z.infer<typeof waterfallLaneSchema>

export const waterfallSchema = z
  .object({
    object: z.literal('waterfall'),
    run: z.string(),
    episode: z.string(),
    began_at: z.iso
      .datetime()
      .nullable()
      .describe('The start of the time axis; null before the first commit.'),
    seconds: z.number().nonnegative().describe('The time of the last commit.'),
    working_seconds: z.number().nonnegative().describe('Seconds of working time by the journal.'),
    workers: z
      .int()
      .nonnegative()
      .describe('Number of times that a worker took the episode up and committed.'),
    commits: z.int().nonnegative(),
    untimed_commits: z
      .int()
      .nonnegative()
      .describe('Commits of older versions, which stored only the moment of a commit.'),
    lanes: z.array(waterfallLaneSchema),
    spans: z.array(waterfallSpanSchema).describe('Spans sorted by lane, slot and time.'),
    slowest: z
      .array(z.int().nonnegative())
      .describe('Positions in `spans` of the five longest calls and steps, the longest first.'),
    sums: z
      .record(spanKindSchema, z.number().nonnegative())
      .describe('Seconds of the exact spans of each kind. Parallel calls count separately.'),
  })
  .meta({ id: 'Waterfall' })

export type Waterfall = z.infer<typeof waterfallSchema>
