import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { Ledger, LedgerItem } from '../ports.ts'
import { itemIn, own, type StoredItem, storedKey } from './ledger-item.ts'

const defaultLimit = 1000

export type LedgerQuery = NonNullable<Parameters<Ledger['query']>[1]>
export type LedgerPage = Awaited<ReturnType<Ledger['query']>>

/** Reads one item more than requested, page by page, so that `more` is exact. */
export async function queryLedger(
  client: DynamoDBClient,
  table: string,
  partition: string,
  { prefix = '', after, limit = defaultLimit, reverse = false }: LedgerQuery,
): Promise<LedgerPage> {
  const position = positionOf(prefix, after, reverse)
  if (position === 'past') return { items: [], more: false }
  let from: StoredItem | undefined =
    position === 'before' || after === undefined ? undefined : storedKey({ partition, sort: after })
  const items: { sort: string; item: LedgerItem }[] = []
  do {
    const request: QueryCommandInput = {
      TableName: table,
      ConsistentRead: true,
      ScanIndexForward: !reverse,
      Limit: limit + 1 - items.length,
      KeyConditionExpression: prefix === '' ? '#pk = :pk' : '#pk = :pk AND begins_with(#sk, :prefix)',
      ExpressionAttributeNames: { '#pk': own.partition, ...(prefix !== '' && { '#sk': own.sort }) },
      ExpressionAttributeValues: {
        ':pk': { S: partition },
        ...(prefix !== '' && { ':prefix': { S: prefix } }),
      },
      ExclusiveStartKey: from,
    }
    const { Items = [], LastEvaluatedKey } = await client.send(new QueryCommand(request))
    for (const stored of Items) items.push({ sort: stored[own.sort]?.S ?? '', item: itemIn(stored) ?? {} })
    from = LastEvaluatedKey
  } while (from !== undefined && items.length <= limit)
  return { items: items.slice(0, limit), more: items.length > limit }
}

/**
 * Locates `after`: DynamoDB refuses to start outside the queried range.
 * @returns `before`: all items with the prefix follow; `past`: none does
 */
function positionOf(
  prefix: string,
  after: string | undefined,
  reverse: boolean,
): 'before' | 'within' | 'past' {
  if (after === undefined) return 'before'
  if (after.startsWith(prefix)) return 'within'
  const isLess = Buffer.compare(Buffer.from(after), Buffer.from(prefix)) < 0
  return isLess === reverse ? 'past' : 'before'
}
