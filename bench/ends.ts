import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { openAwsWorld } from '../shared/core/world/aws/open-aws-world.ts'
import type { Ledger } from '../shared/core/world/ports.ts'
import { makeTestTable } from '../test/aws/aws-test-resources.ts'
import { startDynamodbLocal } from '../test/aws/emulators/dynamodb-local.ts'
import { MemoryLedger } from '../test/support/memory-ledger.ts'
import { type EndsToMeasure, measureContendedEnds, measureFoldedEnds } from './aws/measure-ends.ts'
import { report } from './figure.ts'

const loads: (EndsToMeasure & { title: string })[] = [
  { title: '50 processes of 5 episodes in flight', episodes: 1500, processes: 50, places: 5 },
  { title: 'one worker with 250 in flight', episodes: 1500, processes: 1, places: 250 },
]
const before = { episodes: 100, processes: 50, places: 1 }

const emulator = await startDynamodbLocal(
  join(mkdtempSync(join(tmpdir(), 'espalier-ends-')), 'dynamodb-local.log'),
)
Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_ENDPOINT_URL_DYNAMODB: emulator.address,
})
try {
  const ledger = await openLedger('espalier-ends')
  // Warms up both programs' just-in-time compilers.
  await measureFoldedEnds(ledger, { episodes: 200, processes: 5, places: 10 })
  const contended = await measureContendedEnds(ledger, before)
  for (const { title, ...load } of loads) {
    const there = await measureFoldedEnds(ledger, load)
    const here = await measureFoldedEnds(new MemoryLedger(), load)
    report({
      what: `Ends of one run's episodes, counted over DynamoDB Local: ${title}`,
      value: `${there.rate.toFixed(0)} a second, ${there.failed} made again after a failure`,
      ratio: `${(there.rate / contended.rate).toFixed(1)} times those of one compare-and-set on the run's item each (${contended.rate.toFixed(0)} a second, ${contended.failed} made again); over a ledger in memory ${here.rate.toFixed(0)} a second`,
      aim: '≥ 300 a second where nothing else runs',
    })
  }
} finally {
  await emulator.stop()
}

async function openLedger(table: string): Promise<Ledger> {
  const client = new DynamoDBClient()
  await makeTestTable(client, table)
  client.destroy()
  const queue = { url: 'none', dead_letters: 'none' }
  const queues = { episodes: queue, alone: queue, datasets: queue, jobs: queue }
  return openAwsWorld({ table, bucket: 'none', queues, hosts: null }).ledger
}
