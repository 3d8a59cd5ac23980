import { awsError } from '../../shared/core/world/aws/aws-error.ts'
import { AwsObjects } from '../../shared/core/world/aws/aws-objects.ts'
import { PostgresConnections } from '../../shared/core/world/postgres/postgres-connections.ts'
import { postgresError } from '../../shared/core/world/postgres/postgres-error.ts'
import { PostgresQueue } from '../../shared/core/world/postgres/postgres-queue.ts'
import { commitCounter } from './fail-writes.ts'
import { type Faults, upsetQueues } from './inject.ts'

const failures = {
  storage: { code: '58030', message: 'could not write to file: Input/output error' },
  'disk-full': { code: '53100', message: 'could not extend file: No space left on device' },
}
const reading = /^(read|look|list|count) /

/** Does to the PostgreSQL world and its bucket what `failWrites` and `upsetQueues` do to the local one. */
export function upsetPostgres(faults: Faults): void {
  upsetQueues(faults, PostgresQueue)
  const countCommit = commitCounter(faults)
  const run = PostgresConnections.prototype.run
  PostgresConnections.prototype.run = async function (this: PostgresConnections, doing, work) {
    if (reading.test(doing)) return run.call(this, doing, work) as never
    const { control } = faults
    const fault = control.full ? 'disk-full' : faults.chance() < control.storage ? 'storage' : null
    if (fault !== null) {
      faults.note(fault)
      const { code, message } = failures[fault]
      throw postgresError(Object.assign(new Error(message), { code }), doing, this.name)
    }
    const result = await run.call(this, doing, work)
    countCommit()
    return result as never
  }
  const put = AwsObjects.prototype.put
  AwsObjects.prototype.put = async function (this: AwsObjects, key, body, options) {
    if (faults.chance() < faults.control.storage) {
      faults.note('storage')
      throw slowDown(key)
    }
    const result = await put.call(this, key, body, options)
    countCommit()
    return result
  }
}

function slowDown(key: string): unknown {
  const error = Object.assign(new Error('Please reduce your request rate.'), {
    name: 'SlowDown',
    $metadata: { httpStatusCode: 503, attempts: 3 },
  })
  return awsError(error, { doing: `write "${key}"`, resource: 'the bucket', setting: '--objects' })
}
