import { z } from 'zod'

const queuesSchema = z.object({
  episodes: z.url(),
  alone: z.url(),
  datasets: z.url(),
  jobs: z.url(),
  lasting: z.url().optional(),
})

const factsSchema = z.object({
  stage: z.string(),
  region: z.string(),
  table: z.string(),
  bucket: z.string(),
  queues: queuesSchema,
  dead_letters: queuesSchema.omit({ lasting: true }),
})

export function environmentOfStage(settings: string, code: string): Record<string, string> {
  const { stage, region, table, bucket, queues, dead_letters } = factsSchema.parse(JSON.parse(settings))
  const { lasting, ...others } = queues
  return {
    AWS_REGION: region,
    ESPALIER_STAGE: stage,
    ESPALIER_CODE: code,
    ESPALIER_TABLE: table,
    ESPALIER_BUCKET: bucket,
    ...withPrefix('ESPALIER_QUEUE_', others),
    ...withPrefix('ESPALIER_DEAD_', dead_letters),
    ...(lasting !== undefined && { ESPALIER_QUEUE_LASTING: lasting }),
    ESPALIER_CALL_HOST: `espalier-${stage}-call-host`,
  }
}

function withPrefix(prefix: string, addresses: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(addresses).map(([name, address]) => [prefix + name.toUpperCase(), address]),
  )
}
