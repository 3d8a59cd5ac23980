import { openWireProxy, type WireProxy } from '../wire-proxy.ts'

/** How a service says that it is asked too much. */
const throttles = {
  s3: {
    status: 503,
    headers: { 'Content-Type': 'application/xml' },
    answer:
      '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>',
  },
  sqs: {
    status: 400,
    headers: { 'Content-Type': 'application/x-amz-json-1.0' },
    answer: '{"__type":"com.amazonaws.sqs#RequestThrottled","message":"Request was throttled."}',
  },
  dynamodb: {
    status: 400,
    headers: { 'Content-Type': 'application/x-amz-json-1.0' },
    answer: '{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"Rate exceeded"}',
  },
}

export interface FaultProxy extends Pick<WireProxy, 'address' | 'close'> {
  service: keyof typeof throttles
  /** How many requests were refused, how many were carried out while their answer was lost, how many passed. */
  faults: { throttled: number; lost: number; passed: number }
}

/**
 * Stands in front of a service and spoils a share of its requests: three in four of those are throttled, the others are
 * carried out and their answer is lost.
 *
 * @param spoils - asked for each request
 */
export async function startFaultProxy(
  service: keyof typeof throttles,
  target: string,
  spoils: () => boolean,
): Promise<FaultProxy> {
  const faults = { throttled: 0, lost: 0, passed: 0 }
  const proxy = await openWireProxy(target, () => {
    if (!spoils()) {
      faults.passed += 1
      return 'pass'
    }
    if ((faults.throttled + faults.lost) % 4 === 3) {
      faults.lost += 1
      return 'lose answer'
    }
    faults.throttled += 1
    return throttles[service]
  })
  return { service, faults, address: proxy.address, close: () => proxy.close() }
}
