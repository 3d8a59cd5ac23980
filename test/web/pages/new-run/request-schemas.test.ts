import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../../../shared/core/contracts/json.ts'
import { episodeLimitsSchema, runLimitsSchema } from '../../../../shared/core/contracts/limits.ts'
import { modelChoiceSchema, roleChoiceSchema } from '../../../../shared/core/contracts/model-choice.ts'
import { runRequestSchema, taskSelectionSchema } from '../../../../shared/core/contracts/run.ts'
import { taskGenerationSchema } from '../../../../shared/core/contracts/task-generation.ts'
import * as limits from '../../../../web/components/form/limits-schemas.ts'
import * as parts from '../../../../web/pages/new-run/request-schemas.ts'

const pairs: [part: JsonObject, contract: z.ZodType][] = [
  [parts.modelSettingsSchema, modelChoiceSchema],
  [parts.roleSettingsSchema, roleChoiceSchema],
  [parts.settingsSchema, runRequestSchema],
  [parts.placeSchema, runRequestSchema],
  [parts.taskCountSchema, taskSelectionSchema],
  [parts.generationSchema, taskGenerationSchema],
  [limits.runLimitsSchema, runLimitsSchema],
  [limits.episodeLimitsSchema, episodeLimitsSchema],
]

describe('what the form knows of a request', () => {
  test.each(pairs)('is what the contract says (%#)', (part, contract) => {
    const { $defs, ...whole } = z.toJSONSchema(contract, { io: 'input' }) as {
      $defs?: Record<string, { properties?: JsonObject }>
      properties?: JsonObject
    }
    const { properties = {} } = whole.properties === undefined ? (Object.values($defs ?? {})[0] ?? {}) : whole
    const own = part.properties as JsonObject
    expect(own).toEqual(Object.fromEntries(Object.keys(own).map((name) => [name, properties[name]])))
  })

  test('leaves no limit and no setting out', () => {
    const names = (part: JsonObject) => Object.keys(part.properties as JsonObject)
    expect(names(limits.runLimitsSchema)).toEqual(Object.keys(runLimitsSchema.shape))
    expect(names(limits.episodeLimitsSchema)).toEqual(Object.keys(episodeLimitsSchema.shape))
    expect(['endpoint', 'id', ...names(parts.modelSettingsSchema)]).toEqual(
      Object.keys(modelChoiceSchema.shape),
    )
    const entered = [
      'name',
      'preset',
      'environment',
      'environment_options',
      'tasks',
      'method',
      'model',
      'roles',
      'prompts',
      'limits',
    ]
    // What names a run for people is given on its own page, once it has begun.
    const labels = ['experiment', 'tags', 'note']
    expect(
      [
        ...entered,
        ...labels,
        'episode_limits',
        'metadata',
        ...names(parts.settingsSchema),
        ...names(parts.placeSchema),
      ].toSorted(),
    ).toEqual(Object.keys(runRequestSchema.shape).toSorted())
  })
})
