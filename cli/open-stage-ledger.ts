import { z } from 'zod'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { openAwsLedger } from '../shared/core/world/aws/open-aws-ledger.ts'
import { openAwsSecrets } from '../shared/core/world/aws/secrets.ts'
import type { Ledger } from '../shared/core/world/ports.ts'

const deploymentSchema = z.object({ table: z.string().min(1) })

/**
 * Opens a deployment's ledger: its table, with the caller's AWS credentials.
 * @throws EspalierError `invalid_request` when there is no such deployment, `storage_failed` when AWS cannot be
 * reached
 */
export async function openStageLedger(stage: string): Promise<Ledger> {
  const { table } = deploymentSchema.parse(JSON.parse(await readStageSettings(stage)))
  return openAwsLedger(table)
}

export async function readStageSettings(stage: string): Promise<string> {
  try {
    return await openAwsSecrets().parameter(`/espalier/${stage}/settings`)
  } catch (error) {
    if (!EspalierError.isInstance(error) || error.code !== 'invalid_request') throw error
    throw new EspalierError(
      'invalid_request',
      `There is no stage "${stage}" in this AWS account and region: look at AWS_PROFILE and AWS_REGION, or deploy it first.`,
      { param: 'stage', cause: error },
    )
  }
}
