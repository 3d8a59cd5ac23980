import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAwsLedger } from '../../shared/world/aws/open-aws-ledger.ts'
import { atOnce, uniqueName } from '../contracts/world/contract-world.ts'
import { type AwsTestWorld, openAwsTestWorld } from './aws-test-world.ts'
import { sayNotShown } from './not-shown.ts'

sayNotShown('time_to_live')

describe('items in DynamoDB', () => {
  let opened: AwsTestWorld
  const client = new DynamoDBClient()
  beforeAll(async () => {
    opened = await openAwsTestWorld()
  })
  afterAll(async () => {
    client.destroy()
    await opened.dispose()
  })

  test('a time to live is kept in whole seconds, never too early, and stays when others change the item', async () => {
    const key = { partition: uniqueName(), sort: 'a' }
    const expires_at = 2_000_000_000_001
    await opened.world.ledger.update({ key, set: { a: 1 }, expires_at })
    await opened.world.ledger.update({ key, add: { a: 1 } })
    await opened.world.ledger.transact([
      { key, set: { b: 1 } },
      { key: { ...key, sort: 'b' }, set: { c: 1 }, expires_at },
    ])
    for (const sort of ['a', 'b']) {
      const { Item } = await client.send(
        new GetItemCommand({
          TableName: opened.options.table,
          Key: { pk: { S: key.partition }, sk: { S: sort } },
        }),
      )
      expect(Item?.ttl).toEqual({ N: '2000000001' })
    }
  })

  test('a query reads past pages of a megabyte', async () => {
    const partition = uniqueName()
    const text = 'x'.repeat(300_000)
    await atOnce(8, (index) =>
      opened.world.ledger.update({ key: { partition, sort: String(index) }, set: { text } }),
    )
    const { items, more } = await opened.world.ledger.query(partition, { limit: 7 })
    expect(items.map(({ sort }) => sort)).toEqual(['0', '1', '2', '3', '4', '5', '6'])
    expect(more).toBe(true)
    expect(await opened.world.ledger.query(partition, { after: '6' })).toMatchObject({ more: false })
  })

  test('an item above 400 KiB and changes above 4 MiB are refused by their names, however they are made', async () => {
    const partition = uniqueName()
    const key = { partition, sort: 'large' }
    const large = { text: 'x'.repeat(420_000) }
    const refused = { code: 'body_too_large', message: expect.stringContaining(`${partition} large`) }
    const { ledger } = opened.world
    await expect(ledger.update({ key, set: large })).rejects.toMatchObject(refused)
    await expect(ledger.update({ key, set: large, add: { n: 1 } })).rejects.toMatchObject(refused)
    const other = { key: { partition, sort: 'other' }, set: { a: 1 } }
    await expect(ledger.transact([{ key, set: large }, other])).rejects.toMatchObject(refused)
    const changes = Array.from({ length: 12 }, (_, index) => ({
      key: { partition, sort: `${index}` },
      set: { text: 'x'.repeat(390_000) },
    }))
    await expect(ledger.transact(changes)).rejects.toMatchObject({
      code: 'body_too_large',
      message: expect.stringContaining('4 MiB'),
    })
    expect(await ledger.query(partition)).toEqual({ items: [], more: false })
  })

  test('the ledger alone reads what the world wrote', async () => {
    const key = { partition: uniqueName(), sort: 'a' }
    await opened.world.ledger.update({ key, set: { a: 1 } })
    expect(await openAwsLedger(opened.options.table).get(key)).toEqual({ a: 1 })
  })
})
