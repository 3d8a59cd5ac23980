import { z } from 'zod'
import { readStageSettings } from '../cli/open-stage-ledger.ts'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import type { AwsWorldOptions } from '../shared/core/world/aws/open-aws-world.ts'

const addressesSchema = z.object({
  episodes: z.url(),
  alone: z.url(),
  datasets: z.url(),
  jobs: z.url().optional(),
})

const stageSchema = z.object({
  api: z.url(),
  table: z.string().min(1),
  bucket: z.string().min(1),
  queues: addressesSchema,
  dead_letters: addressesSchema,
})

export interface CanaryStage extends z.infer<typeof stageSchema> {
  name: string
  key: string
}

/**
 * Finds a stage and its key.
 * @throws EspalierError `invalid_request` if the stage or the key does not exist, `storage_failed` without AWS
 * credentials
 */
export async function findStage(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<CanaryStage> {
  const key = environment.ESPALIER_API_KEY
  if (key === undefined || key === '') {
    throw new EspalierError(
      'invalid_request',
      `Put a key of the stage into ESPALIER_API_KEY: npm run -s espalier -- keys create --stage ${name} --name canary --scopes runs:write,runs:read`,
      { param: 'ESPALIER_API_KEY' },
    )
  }
  return { ...stageSchema.parse(JSON.parse(await readStageSettings(name))), name, key }
}

export function worldOf({ table, bucket, queues, dead_letters }: CanaryStage): AwsWorldOptions {
  const queue = (name: keyof typeof queues) => ({
    url: queues[name] ?? queues.alone,
    dead_letters: dead_letters[name] ?? dead_letters.alone,
  })
  return {
    table,
    bucket,
    queues: {
      episodes: queue('episodes'),
      alone: queue('alone'),
      datasets: queue('datasets'),
      jobs: queue('jobs'),
    },
    hosts: null,
  }
}
