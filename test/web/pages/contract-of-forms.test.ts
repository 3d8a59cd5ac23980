import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { loopLimitsSchema, loopRequestSchema } from '../../../shared/core/contracts/loop.ts'
import { loopSettingsSchema } from '../../../shared/core/contracts/loop-settings.ts'
import { serveRequestSchema } from '../../../shared/core/contracts/model-server.ts'
import {
  loraSchema,
  trainingLimitsSchema,
  trainingRequestSchema,
} from '../../../shared/core/contracts/training.ts'
import { workLimitsSchema } from '../../../web/components/form/limits-schemas.ts'
import * as training from '../../../web/components/form/training-schemas.ts'
import * as endpoints from '../../../web/pages/endpoint/endpoint-schema.ts'
import { serveSchema } from '../../../web/pages/model/serve-schema.ts'
import * as loop from '../../../web/pages/new-loop/loop-schemas.ts'

function propertiesOf(contract: z.ZodType): JsonObject {
  const { $defs, $ref, ...schema } = z.toJSONSchema(contract, { io: 'input' }) as {
    $defs?: Record<string, { properties?: JsonObject }>
    $ref?: string
    properties?: JsonObject
  }
  return schema.properties ?? $defs?.[$ref?.split('/').at(-1) ?? '']?.properties ?? {}
}

test('a form of a server knows every field of the contract', () => {
  expect(serveSchema.properties).toEqual(propertiesOf(serveRequestSchema))
})

test('a form of an endpoint knows every kind with every field', () => {
  const { oneOf } = z.toJSONSchema(endpointSchema, { io: 'input' }) as { oneOf: JsonObject[] }
  const known = oneOf.map(({ properties, required }) => ({ properties, required }))
  expect((endpoints.endpointSchema as { anyOf: JsonObject[] }).anyOf).toEqual(known)
})

test('a form of adapters knows every field of the contract', () => {
  expect(training.loraSchema.properties).toEqual(propertiesOf(loraSchema))
})

test.each([
  [training.trainingSettingsSchema, trainingRequestSchema],
  [loop.comparisonSchema, loopRequestSchema],
  [loop.loopPaceSchema, loopRequestSchema],
] as const)('what a form asks of a request is what the contract says (%#)', (part, contract) => {
  const whole = propertiesOf(contract)
  const own = part.properties as JsonObject
  expect(own).toEqual(Object.fromEntries(Object.keys(own).map((name) => [name, whole[name]])))
})

test('limits of trainings and loops have the fields and bounds of both contracts', () => {
  const bounds = (properties: JsonObject) =>
    Object.fromEntries(
      Object.entries(properties as Record<string, JsonObject>).map(([name, { description: _, ...field }]) => [
        name,
        field,
      ]),
    )
  const own = bounds(workLimitsSchema.properties as JsonObject)
  expect(own).toEqual(bounds(propertiesOf(trainingLimitsSchema)))
  expect(own).toEqual(bounds(propertiesOf(loopLimitsSchema)))
})

test('every setting of a loop has a field, with the bounds that one value and each of a list have', () => {
  const contract = propertiesOf(loopSettingsSchema) as Record<string, JsonObject>
  expect(Object.keys(loop.loopSettingFields)).toEqual(Object.keys(contract))
  for (const [name, field] of Object.entries(loop.loopSettingFields)) {
    const { anyOf, description } = contract[name] as { anyOf?: JsonObject[]; description?: string }
    expect(field.description).toBe(description)
    if (anyOf !== undefined) expect({ ...field, description }).toEqual({ ...anyOf[1], description })
  }
})
