import { z } from 'zod'
import { AwsConnections } from '../shared/core/world/aws/aws-connections.ts'
import { AwsLedger } from '../shared/core/world/aws/aws-ledger.ts'
import { AwsObjects } from '../shared/core/world/aws/aws-objects.ts'
import type { World } from '../shared/core/world/ports.ts'
import { systemClock } from '../shared/core/world/system-clock.ts'
import { readStageSettings } from './open-stage-ledger.ts'

const deploymentSchema = z.object({ table: z.string().min(1), bucket: z.string().min(1) })

/**
 * Opens a deployment's storage: its table and its bucket, with the caller's AWS credentials.
 * @throws EspalierError `invalid_request` when there is no such deployment, `storage_failed` when AWS cannot be
 * reached
 */
export async function openStageStorage(stage: string): Promise<Pick<World, 'objects' | 'ledger' | 'clock'>> {
  const { table, bucket } = deploymentSchema.parse(JSON.parse(await readStageSettings(stage)))
  const connections = new AwsConnections()
  return {
    objects: new AwsObjects(connections, bucket),
    ledger: new AwsLedger(connections, table),
    clock: systemClock,
  }
}
