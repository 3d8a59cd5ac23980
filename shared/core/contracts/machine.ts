import { z } from 'zod'

export const machineLabelSchema = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9._-]{0,30}[a-z0-9])?$/, 'use 1 to 32 of a-z, 0-9, ".", "_" and "-"')

export const machineLabelsSchema = z.array(machineLabelSchema).max(32)

const names = z.array(z.string().min(1).max(128)).max(1000)

/**
 * A worker's description of itself. `service`: it runs beside the API and has all that the API has. `shared`: it has
 * the database's address. `joined`: it reaches the service alone.
 * `host`: it plays nothing, and runs hosts of environments.
 */
export const machineSchema = z.strictObject({
  kind: z.enum(['service', 'shared', 'joined', 'host']),
  host: z.string().min(1).max(255),
  version: z.string().min(1).max(64),
  labels: machineLabelsSchema,
  capacity: z.int().min(1).max(100_000),
  started_at: z.iso.datetime(),
  /** The endpoints, and the added environments and methods, of its own folder. */
  endpoints: names,
  environments: names,
  methods: names,
})

export type WorkerMachine = z.infer<typeof machineSchema>

const playedEpisodeSchema = z.strictObject({
  run: z.string().min(1).max(64),
  episode: z.string().min(1).max(64),
})

export const mostNamedEpisodes = 20

export const machineLoadSchema = z.strictObject({
  playing: z.int().min(0).max(200_000),
  leaving: z.boolean(),
  episodes: z.array(playedEpisodeSchema).max(mostNamedEpisodes),
})

export type MachineLoad = z.infer<typeof machineLoadSchema>

export const workerInfoSchema = z
  .object({
    id: z.string(),
    object: z.literal('worker'),
    status: z
      .enum(['idle', 'playing', 'leaving', 'silent'])
      .describe('`silent`: no heartbeat for 30 seconds; its episodes resume elsewhere.'),
    kind: machineSchema.shape.kind,
    host: z.string().describe('The name of its machine.'),
    version: z.string(),
    labels: z.array(z.string()),
    capacity: z.int().describe('Maximum number of episodes that it plays, or hosts that it runs, at once.'),
    playing: z.int().describe('Number of episodes of all tenants that it plays, or of hosts that it runs.'),
    episodes: z
      .array(playedEpisodeSchema)
      .describe(`Episodes of your tenant among the first ${mostNamedEpisodes} that it plays.`),
    started_at: z.iso.datetime(),
    heard_at: z.iso.datetime().describe('The time of its last heartbeat.'),
  })
  .meta({ id: 'Worker' })

export type WorkerInfo = z.infer<typeof workerInfoSchema>
