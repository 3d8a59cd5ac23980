import { z } from 'zod'
import { workerChoiceSchema } from '../../shared/core/contracts/workers.ts'

const hostsSchema = z.object({
  cluster: z.string().min(1),
  subnets: z.array(z.string().min(1)).min(1),
  security_group: z.string().min(1),
  images: z.record(z.string(), z.string()),
  public_addresses: z.boolean().optional(),
  port: z.int(),
})

const settingsSchema = z.object({
  ESPALIER_STAGE: z.string().min(1),
  ESPALIER_CODE: z.string().min(1).describe('Names the code that plays episodes.'),
  ESPALIER_TABLE: z.string().min(1),
  ESPALIER_BUCKET: z.string().min(1),
  ESPALIER_QUEUE_EPISODES: z.url(),
  ESPALIER_QUEUE_ALONE: z.url(),
  ESPALIER_QUEUE_DATASETS: z.url(),
  ESPALIER_QUEUE_JOBS: z.url(),
  ESPALIER_DEAD_EPISODES: z.url(),
  ESPALIER_DEAD_ALONE: z.url(),
  ESPALIER_DEAD_DATASETS: z.url(),
  ESPALIER_DEAD_JOBS: z.url(),
  ESPALIER_QUEUE_LASTING: z
    .url()
    .optional()
    .describe('Of episodes for long-lived workers, where the stage has any.'),
  ESPALIER_WORKERS: workerChoiceSchema.default('auto').describe('What plays runs that do not say.'),
  ESPALIER_HOSTS: z
    .string()
    .transform((text) => JSON.parse(text) as unknown)
    .pipe(hostsSchema)
    .optional(),
  ESPALIER_CALL_HOST: z.string().min(1).optional().describe('The function that reaches the hosts.'),
  ESPALIER_SCALE_HOSTS: z
    .string()
    .min(1)
    .optional()
    .describe('The function that scales the fleets of hosts.'),
  ESPALIER_HOST_CALLS: z.coerce
    .number()
    .int()
    .positive()
    .default(10)
    .describe('Calls of hosts that one worker makes at a time.'),
  ESPALIER_SWEEP_DEAD_LETTERS: z
    .stringbool()
    .default(false)
    .describe('Whether the sweeper deals with dead letters, where no function is fed with them.'),
  ESPALIER_ENDPOINTS: z.string().optional().describe('A file of endpoints, in place of the bundled one.'),
})

export type Settings = z.infer<typeof settingsSchema>

/**
 * Reads the environment that the stack sets for each function.
 * @throws an error that names every variable at fault
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const parsed = settingsSchema.safeParse(environment)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`The function's environment is not as the stack sets it. ${faults.join('; ')}`)
}
