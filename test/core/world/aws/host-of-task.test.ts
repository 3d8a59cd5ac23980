import { expect, test } from 'vitest'
import { hostOfTask } from '../../../../shared/core/world/aws/aws-hosts.ts'

const attachments = [
  { type: 'ElasticNetworkInterface', details: [{ name: 'privateIPv4Address', value: '10.0.0.7' }] },
]

test.each([
  ['PROVISIONING', 'RUNNING', 'starting'],
  ['PENDING', 'RUNNING', 'starting'],
  ['ACTIVATING', 'RUNNING', 'starting'],
  ['RUNNING', 'RUNNING', 'running'],
  ['RUNNING', 'STOPPED', 'stopped'],
  ['PENDING', 'STOPPED', 'stopped'],
  ['DEACTIVATING', 'STOPPED', 'stopped'],
  ['STOPPING', 'STOPPED', 'stopped'],
  ['DEPROVISIONING', 'STOPPED', 'stopped'],
  ['STOPPED', 'STOPPED', 'stopped'],
])('a task that is %s and shall be %s is a %s host', (lastStatus, desiredStatus, status) => {
  const task = { taskArn: 'arn:aws:ecs:r:1:task/cluster/abc', lastStatus, desiredStatus, attachments }
  expect(hostOfTask(task, 'env-host', 8080)).toEqual({
    id: 'abc',
    image: 'env-host',
    status,
    address: status === 'running' ? 'http://10.0.0.7:8080' : null,
    reason: status === 'stopped' ? 'ECS ended it.' : null,
  })
})

test('a running task without an address is still starting', () => {
  expect(hostOfTask({ lastStatus: 'RUNNING' }, 'env-host', 8080)).toMatchObject({
    status: 'starting',
    address: null,
  })
})

test('a stopped host says what ECS and its container say', () => {
  const task = {
    lastStatus: 'STOPPED',
    stoppedReason: 'Essential container in task exited',
    containers: [{ exitCode: 3, reason: 'OutOfMemoryError: killed.' }],
  }
  expect(hostOfTask(task, 'env-host', 8080).reason).toBe(
    'Essential container in task exited OutOfMemoryError: killed. It ended with code 3.',
  )
})

test('a task that ECS had no machine for says that it lacked capacity', () => {
  const stopped = { lastStatus: 'STOPPED', desiredStatus: 'STOPPED' }
  const unavailable = { ...stopped, stoppedReason: 'Capacity is unavailable at this time.' }
  expect(hostOfTask(unavailable, 'env-host', 8080)).toMatchObject({ lacked_capacity: true })
  const ended = { ...stopped, stoppedReason: 'Essential container in task exited' }
  expect(hostOfTask(ended, 'env-host', 8080)).not.toHaveProperty('lacked_capacity')
})
