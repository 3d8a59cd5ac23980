import { expect, test } from 'vitest'
import { EspalierError } from '../../../../shared/core/contracts/errors.ts'
import { isTransient } from '../../../../shared/core/engine/episodes/episode-error.ts'
import { awsCall } from '../../../../shared/core/world/aws/aws-error.ts'

const call = { doing: 'read "a"', resource: 'the bucket "b"', setting: 'ESPALIER_BUCKET' }
const failWith = (name: string, message: string, more: object = {}) =>
  awsCall(call, () => Promise.reject(Object.assign(new Error(message), { name, ...more })))

test.each([
  ['NoSuchBucket', 'No.', 'ESPALIER_BUCKET'],
  ['AWS.SimpleQueueService.NonExistentQueue', 'No.', 'ESPALIER_BUCKET'],
  ['AccessDenied', 'No.', 'lacks the right'],
  ['ExpiredToken', 'No.', 'credentials'],
  ['CredentialsProviderError', 'Could not load credentials from any providers', 'credentials'],
  ['Error', 'Region is missing', 'AWS_REGION'],
  ['SlowDown', 'Please reduce your request rate.', 'Try again later'],
  ['TimeoutError', 'Socket timed out', 'Try again later'],
  ['OverLimit', 'Too many messages are in flight.', 'Try again later'],
  ['RequestTimeTooSkewed', 'The difference between the times is too large.', 'clock of this machine'],
])('%s (%s) says what to do: %s', async (name, message, wayOut) => {
  const error: unknown = await failWith(name, message).catch((thrown: unknown) => thrown)
  expect(EspalierError.isInstance(error)).toBe(true)
  expect(String(error)).toContain('read "a" in the bucket "b"')
  expect(String(error)).toContain(wayOut)
})

test('lost connections and failures inside AWS are passing', async () => {
  const lost = failWith('Error', 'socket hang up', { code: 'ECONNRESET' })
  await expect(lost).rejects.toMatchObject({ code: 'storage_failed' })
  const failed = failWith('Odd', 'Oops.', { $metadata: { httpStatusCode: 502, attempts: 6 } })
  await expect(failed).rejects.toThrow('after 6 tries (Odd: Oops.)')
})

test('a throttled call is passing though it was answered with 403, and a refused one is not', async () => {
  const $metadata = { httpStatusCode: 403, attempts: 6 }
  await expect(failWith('RequestThrottled', 'Too fast.', { $metadata })).rejects.toThrow('Try again later')
  await expect(failWith('Forbidden', 'No.', { $metadata })).rejects.toThrow('lacks the right')
})

test('a transaction that met others until the end is passing, and one that is wrong is not', async () => {
  const cancelled = (...codes: string[]) =>
    failWith('TransactionCanceledException', 'Transaction cancelled.', {
      CancellationReasons: codes.map((Code) => ({ Code })),
      $metadata: { httpStatusCode: 400, attempts: 1 },
    })
  for (const code of ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']) {
    const error: unknown = await cancelled('None', code).catch((thrown: unknown) => thrown)
    expect(isTransient(error), code).toBe(true)
  }
  await expect(cancelled('TransactionConflict', 'ValidationError')).rejects.toMatchObject({
    name: 'TransactionCanceledException',
  })
})

test('what AWS refuses because the request is wrong is a bug, and comes as it is', async () => {
  await expect(
    failWith('ValidationException', 'One or more parameter values were invalid'),
  ).rejects.toMatchObject({
    name: 'ValidationException',
  })
})

test('long messages are cut to one line', async () => {
  const error: unknown = await failWith('SlowDown', `${'x'.repeat(1000)}\nsecond`).catch(
    (thrown: unknown) => thrown,
  )
  expect(String(error).length).toBeLessThan(500)
  expect(String(error)).not.toContain('second')
})
