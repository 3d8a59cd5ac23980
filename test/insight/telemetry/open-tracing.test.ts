import { expect, test } from 'vitest'
import { openTracing } from '../../../shared/insight/telemetry/open-tracing.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
const open = (variables: Record<string, string>) => openTracing(variables, '0.1.0', () => 0)

test.each([
  ['nothing is said', {}],
  ['the endpoint is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  ['the SDK is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'true' }],
  ['no exporter is wanted', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
])('traces are off where %s', async (_, variables) => {
  expect(await open(variables)).toBeNull()
})

test('an endpoint of traces alone turns them on', async () => {
  const tracing = await open({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' })
  expect(tracing).not.toBeNull()
  await tracing?.close()
})

test('a protocol that is not spoken is refused with those that are', async () => {
  await expect(open({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).rejects.toThrow(
    /http\/protobuf or http\/json, not as "grpc"/,
  )
})
