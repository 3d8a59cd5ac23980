import { randomUUID } from 'node:crypto'
import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { metOthers } from './aws-error.ts'
import { jitteredPause } from './jittered-pause.ts'
import type { StoredItem } from './ledger-item.ts'

const maxTries = 24

export type TransactionResult = { ok: true } | { ok: false; failed: number; item: StoredItem | undefined }

/**
 * Applies several changes, all or none. All tries share one token, so that DynamoDB applies the changes once even if
 * an answer was lost.
 * @returns `failed`: the position of a condition that does not hold, with the item as it is
 */
export async function transactWrite(
  client: DynamoDBClient,
  items: TransactWriteItem[],
): Promise<TransactionResult> {
  const command = new TransactWriteItemsCommand({
    TransactItems: items,
    ClientRequestToken: randomUUID(),
  })
  for (let tries = 1; ; tries += 1) {
    try {
      await client.send(command)
      return { ok: true }
    } catch (error) {
      const failed = refusalIn(error)
      if (failed !== null) return failed
      if (!metOthers(error) || tries === maxTries) throw error
      await jitteredPause(tries)
    }
  }
}

function refusalIn(error: unknown): TransactionResult | null {
  if (!(error instanceof TransactionCanceledException)) return null
  const reasons = error.CancellationReasons ?? []
  const failed = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed')
  return failed < 0 ? null : { ok: false, failed, item: reasons[failed]?.Item }
}
