import { randomBytes } from 'node:crypto'
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  type TransactWriteItem,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { EspalierError } from '../../contracts/errors.ts'
import { changesItem, checkChange, conditionsHold } from '../apply-change.ts'
import { checkKey } from '../check-key.ts'
import type { Ledger, LedgerChange, LedgerItem, LedgerKey } from '../ports.ts'
import type { AwsConnections } from './aws-connections.ts'
import { type AwsCall, awsCall, cancellationsIn, metOthers } from './aws-error.ts'
import { jitteredPause } from './jittered-pause.ts'
import { expressionsOf } from './ledger-expressions.ts'
import { itemIn, own, type StoredItem, storedKey } from './ledger-item.ts'
import { type LedgerPage, type LedgerQuery, queryLedger } from './query-ledger.ts'
import { queryParts } from './query-parts.ts'
import { partsOf, spreadRun, storedPartition } from './spread-partitions.ts'
import { transactWrite } from './transact-write.ts'

const mostRuns = 1000

/**
 * Locates items. Partitions of runs of earlier versions are not spread: one look-up per run finds out, by checking
 * for episodes under the plain key.
 */
export class PartitionLayout {
  readonly #hasItems: (partition: string) => Promise<boolean>
  readonly #earlier = new Map<string, Promise<boolean>>()

  constructor(hasItems: (partition: string) => Promise<boolean>) {
    this.#hasItems = hasItems
  }

  async locate<Key extends LedgerKey>(key: Key): Promise<LedgerKey> {
    return (await this.#isSpread(key.partition)) ? { ...key, partition: storedPartition(key) } : key
  }

  async parts(partition: string): Promise<string[]> {
    return (await this.#isSpread(partition)) ? partsOf(partition) : [partition]
  }

  async #isSpread(partition: string): Promise<boolean> {
    const run = spreadRun(partition)
    return run !== null && !(await this.#isEarlier(run))
  }

  #isEarlier(run: string): Promise<boolean> {
    const known = this.#earlier.get(run)
    if (known !== undefined) return known
    const looked = this.#hasItems(`${run}/episodes`)
    looked.catch(() => this.#earlier.delete(run))
    this.#earlier.set(run, looked)
    const oldest = this.#earlier.keys().next().value
    if (this.#earlier.size > mostRuns && oldest !== undefined) this.#earlier.delete(oldest)
    return looked
  }
}

const maxChanges = 100

const maxTries = 24

type UpdateResult = { ok: true; item: LedgerItem | null } | { ok: false; item: LedgerItem | null }
type TransactResult = { ok: true } | { ok: false; failed: number }

/**
 * Items of a DynamoDB table. The SDK retries a call if its answer was lost, so each kind of change is safe to repeat.
 * A plain `set` is applied once more. A `set` with conditions carries a stamp, by which a refused second try sees
 * that the first succeeded. An `add`, and a `delete` with conditions, are transactions with a token, which DynamoDB
 * applies once. All reads are strongly consistent.
 */
export class AwsLedger implements Ledger {
  readonly #client: () => DynamoDBClient
  readonly #table: string
  readonly #layout: PartitionLayout

  constructor(connections: AwsConnections, table: string) {
    this.#client = connections.lazily((settings) => new DynamoDBClient(settings))
    this.#table = table
    this.#layout = new PartitionLayout(async (partition) => {
      const { items } = await this.#queryPart(partition, { limit: 1 })
      return items.length > 0
    })
  }

  async get(key: LedgerKey): Promise<LedgerItem | null> {
    return itemIn(await this.#read(await this.#layout.locate(key)))
  }

  /** The returned item of an `add` is read after the change: it may include later changes too. */
  async update(change: LedgerChange): Promise<UpdateResult> {
    check(change)
    const located = await this.#locate(change)
    return awsCall(this.#call('change', change.key), async () => {
      if (change.delete || change.add !== undefined) return this.#transactOne(located)
      if (changesItem(change)) return this.#set(located)
      const item = await this.get(change.key)
      return { ok: conditionsHold(item, change.if), item }
    })
  }

  async transact(changes: LedgerChange[]): Promise<TransactResult> {
    for (const change of changes) check(change)
    const keys = new Set(changes.map(({ key }) => JSON.stringify([key.partition, key.sort])))
    if (changes.length > maxChanges || keys.size < changes.length) {
      throw new TypeError(`A transaction changes at most ${maxChanges} items, each once.`)
    }
    const [first] = changes
    if (first === undefined) return { ok: true }
    if (changes.length === 1) return (await this.update(first)).ok ? { ok: true } : { ok: false, failed: 0 }
    const call = this.#call(`change ${changes.length} items, first`, first.key)
    const located = await Promise.all(changes.map((change) => this.#locate(change)))
    const result = await awsCall(call, () => this.#transact(located))
    return result.ok ? { ok: true } : { ok: false, failed: result.failed }
  }

  async query(partition: string, options: LedgerQuery = {}): Promise<LedgerPage> {
    const parts = await this.#layout.parts(partition)
    if (parts.length === 1) return this.#queryPart(partition, options)
    return queryParts((part, query) => this.#queryPart(part, query), parts, options)
  }

  #queryPart(partition: string, options: LedgerQuery): Promise<LedgerPage> {
    return awsCall(this.#call('read', { partition, sort: `${options.prefix ?? ''}…` }), () =>
      queryLedger(this.#client(), this.#table, partition, options),
    )
  }

  async #locate(change: LedgerChange): Promise<LedgerChange> {
    return { ...change, key: await this.#layout.locate(change.key) }
  }

  async #read(key: LedgerKey): Promise<StoredItem | undefined> {
    checkLedgerKey(key)
    const command = new GetItemCommand({
      TableName: this.#table,
      Key: storedKey(key),
      ConsistentRead: true,
    })
    const { Item } = await awsCall(this.#call('read', key), () => this.#client().send(command))
    return Item
  }

  async #set(change: LedgerChange): Promise<UpdateResult> {
    const stamp = change.if?.length ? randomBytes(9).toString('base64url') : undefined
    const command = new UpdateItemCommand({
      TableName: this.#table,
      Key: storedKey(change.key),
      ...expressionsOf(change, stamp),
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
    for (let tries = 1; ; tries += 1) {
      try {
        const { Attributes } = await this.#client().send(command)
        return { ok: true, item: itemIn(Attributes) }
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) {
          // The stamp is of this call alone: an earlier try of it, here or in the SDK, succeeded and its answer was
          // lost.
          const wasOurs = stamp !== undefined && error.Item?.[own.stamp]?.S === stamp
          return { ok: wasOurs, item: itemIn(error.Item) }
        }
        if (!metOthers(error) || tries === maxTries) throw tooLarge(error, change.key)
        await jitteredPause(tries)
      }
    }
  }

  async #transactOne(change: LedgerChange): Promise<UpdateResult> {
    const result = await this.#transact([change])
    if (!result.ok) return { ok: false, item: itemIn(result.item) }
    return { ok: true, item: change.delete ? null : itemIn(await this.#read(change.key)) }
  }

  async #transact(changes: LedgerChange[]) {
    const [first] = changes
    try {
      return await transactWrite(
        this.#client(),
        changes.map((change) => this.#transactItem(change)),
      )
    } catch (error) {
      throw first === undefined ? error : tooLarge(error, first.key)
    }
  }

  #transactItem(change: LedgerChange): TransactWriteItem {
    const { UpdateExpression, ConditionExpression, ...placeholders } = expressionsOf(change)
    const common = {
      TableName: this.#table,
      Key: storedKey(change.key),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ...placeholders,
    } as const
    const condition = ConditionExpression !== undefined && { ConditionExpression }
    if (change.delete) return { Delete: { ...common, ...condition } }
    if (UpdateExpression !== undefined) return { Update: { ...common, ...condition, UpdateExpression } }
    // Without conditions, use one that always holds.
    if (ConditionExpression !== undefined) return { ConditionCheck: { ...common, ConditionExpression } }
    return {
      ConditionCheck: {
        ...common,
        ConditionExpression: 'attribute_exists(#pk) OR attribute_not_exists(#pk)',
        ExpressionAttributeNames: { '#pk': own.partition },
      },
    }
  }

  #call(doing: string, { partition, sort }: LedgerKey): AwsCall {
    return {
      doing: `${doing} the item ${partition} ${sort}`,
      resource: `the table "${this.#table}"`,
      setting: 'ESPALIER_TABLE',
    }
  }
}

function check(change: LedgerChange): void {
  checkLedgerKey(change.key)
  checkChange(change)
}

function checkLedgerKey({ partition, sort }: LedgerKey): void {
  checkKey('the partition of an item', partition, 2048)
  checkKey('the sort key of an item', sort, 1024)
}

function tooLarge(error: unknown, { partition, sort }: LedgerKey): unknown {
  if (!(error instanceof Error)) return error
  const messages = [error.message, ...cancellationsIn(error).map(({ Message = '' }) => Message)]
  const what = messages.some((message) => /item size .*exceeded/i.test(message))
    ? `The item ${partition} ${sort} would have more than 400 KiB`
    : messages.some((message) => /\b4 ?MB\b/.test(message))
      ? `The changes of one transaction, first the item ${partition} ${sort}, have more than 4 MiB`
      : null
  if (what === null) return error
  return new EspalierError('body_too_large', `${what}: keep what is large in objects.`, { cause: error })
}
