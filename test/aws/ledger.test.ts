import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAwsLedger } from '../../shared/core/world/aws/open-aws-ledger.ts'
import { atOnce, uniqueName } from '../core/contracts/world/contract-world.ts'
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

  test('what all episodes of a run write to is spread over partition keys, and read as one partition', async () => {
    const { ledger } = opened.world
    const partition = `run/${uniqueName()}/episodes`
    const sorts = Array.from({ length: 60 }, (_, index) => `e${String(index).padStart(6, '0')}`)
    for (const sort of sorts.slice(1)) await ledger.update({ key: { partition, sort }, set: { sort } })
    const first = { partition, sort: sorts[0] as string }
    await ledger.transact([{ key: first, set: { sort: first.sort }, if: [{ is: 'absent' }] }])
    expect(await ledger.transact([{ key: first, delete: true, if: [{ is: 'absent' }] }])).toMatchObject({
      ok: false,
    })
    const page = await ledger.query(partition, { after: sorts[9] as string, limit: 25 })
    expect(page).toMatchObject({ more: true })
    expect(page.items.map(({ sort }) => sort)).toEqual(sorts.slice(10, 35))
    expect(await ledger.get(first)).toEqual({ sort: first.sort })
    const plain = await client.send(
      new GetItemCommand({
        TableName: opened.options.table,
        Key: { pk: { S: partition }, sk: { S: first.sort } },
      }),
    )
    expect(plain.Item).toBeUndefined()
  })

  test('a run whose episodes an earlier version wrote stays where it lies', async () => {
    const partition = `run/${uniqueName()}/episodes`
    const item = { pk: { S: partition }, sk: { S: 'e000000' }, _status: { S: 'queued' } }
    await client.send(new PutItemCommand({ TableName: opened.options.table, Item: item }))
    const { ledger } = opened.world
    await ledger.update({ key: { partition, sort: 'e000001' }, set: { status: 'queued' } })
    const { items } = await ledger.query(partition)
    expect(items.map(({ sort }) => sort)).toEqual(['e000000', 'e000001'])
    expect(await ledger.get({ partition, sort: 'e000000' })).toEqual({ status: 'queued' })
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
