import type { Task } from '@aws-sdk/client-ecs'
import type { Host } from '../ports.ts'
import { isCapacity } from './run-task.ts'

const starting = new Set(['PROVISIONING', 'PENDING', 'ACTIVATING'])

export function hostOfTask(task: Task, image: string, port: number): Host {
  const id = taskId(task.taskArn ?? '')
  const status = statusOf(task)
  const ip = privateAddress(task)
  return {
    id,
    image,
    ...(task.startedBy !== undefined && { token: task.startedBy }),
    // Without an address it cannot be reached yet: it is about to have one.
    status: status === 'running' && ip === null ? 'starting' : status,
    address: status === 'running' && ip !== null ? `http://${ip}:${port}` : null,
    reason: status === 'stopped' ? reasonOf(task) : null,
    ...(status === 'stopped' && isCapacity(task.stoppedReason ?? '') && { lacked_capacity: true as const }),
  }
}

export function taskId(arn: string): string {
  return arn.split('/').at(-1) ?? arn
}

function statusOf({ lastStatus, desiredStatus }: Task): Host['status'] {
  if (lastStatus === undefined || starting.has(lastStatus)) {
    return desiredStatus === 'STOPPED' ? 'stopped' : 'starting'
  }
  return lastStatus === 'RUNNING' && desiredStatus !== 'STOPPED' ? 'running' : 'stopped'
}

function privateAddress({ attachments = [] }: Task): string | null {
  const network = attachments.find(({ type }) => type === 'ElasticNetworkInterface')
  const detail = network?.details?.find(({ name }) => name === 'privateIPv4Address')
  return detail?.value ?? null
}

function reasonOf({ stoppedReason, containers = [] }: Task): string {
  const ends = containers.flatMap(({ reason, exitCode }) => [
    ...(reason ? [reason] : []),
    ...(exitCode === undefined ? [] : [`It ended with code ${exitCode}.`]),
  ])
  const reasons = [...(stoppedReason ? [stoppedReason] : []), ...ends]
  return reasons.length > 0 ? reasons.join(' ') : 'ECS ended it.'
}
