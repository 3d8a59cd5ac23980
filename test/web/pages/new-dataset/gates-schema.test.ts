import { expect, test } from 'vitest'
import { z } from 'zod'
import { datasetRequestSchema, gatesSchema } from '../../../../shared/core/contracts/dataset.ts'
import type { JsonObject } from '../../../../shared/core/contracts/json.ts'
import * as parts from '../../../../web/pages/new-dataset/gates-schema.ts'

function propertiesOf(contract: z.ZodType): JsonObject {
  const { $defs, ...schema } = z.toJSONSchema(contract, { io: 'input' }) as {
    $defs?: Record<string, { properties?: JsonObject }>
    properties?: JsonObject
  }
  return schema.properties ?? Object.values($defs ?? {}).find((each) => each.properties)?.properties ?? {}
}

test('what the form knows of gates is what the contract says, and all of it', () => {
  expect(parts.gatesSchema.properties).toEqual(propertiesOf(gatesSchema))
})

test('what the form knows of files is what the contract says', () => {
  const contract = propertiesOf(datasetRequestSchema)
  for (const [name, { description: _, ...field }] of Object.entries(
    parts.otherSchema.properties as Record<string, JsonObject>,
  )) {
    const { description: __, ...said } = contract[name] as JsonObject
    expect(said).toEqual(field)
  }
})

test('what is mixed in is entered as the contract has it', () => {
  const { properties } = propertiesOf(datasetRequestSchema).mix as { properties: JsonObject }
  expect(parts.mixSchema.properties).toEqual(properties)
})

test('the form has a place for every field of the request', () => {
  const elsewhere = ['name', 'runs', 'trajectories', 'experts', 'kind', 'parameters', 'format', 'model']
  const fields = [
    ...elsewhere,
    'limits',
    'splits',
    'gates',
    'scores',
    'mix',
    ...Object.keys(parts.otherSchema.properties as object),
  ]
  expect(fields.toSorted()).toEqual(Object.keys(datasetRequestSchema.shape).toSorted())
})
