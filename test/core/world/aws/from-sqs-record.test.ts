import { expect, test } from 'vitest'
import { fromSqsRecord } from '../../../../shared/core/world/aws/from-sqs-record.ts'

const record = {
  messageId: 'm-1',
  receiptHandle: 'r-1',
  body: '{"run":"run_1"}',
  attributes: { ApproximateReceiveCount: '3' },
  messageAttributes: { group: { stringValue: 'run_1' } },
}

test('a record that SQS pushes is the message that the queue would give', () => {
  expect(fromSqsRecord(record)).toEqual({
    id: 'm-1',
    body: { run: 'run_1' },
    group: 'run_1',
    receipt: 'r-1',
    receives: 3,
  })
})

test('a group that somebody else gave is known too', () => {
  const attributes = { ...record.attributes, MessageGroupId: 'run_2' }
  expect(fromSqsRecord({ ...record, attributes, messageAttributes: {} })).toMatchObject({ group: 'run_2' })
})

test('a body that is not JSON is a text', () => {
  expect(fromSqsRecord({ ...record, body: '{half' })).toMatchObject({ body: '{half' })
})
