import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { datasetRequestSchema } from '../../../../shared/core/contracts/dataset.ts'
import { endpointSchema } from '../../../../shared/core/contracts/endpoint-configuration.ts'
import type { JsonObject } from '../../../../shared/core/contracts/json.ts'
import { episodeLimitsSchema, runLimitsSchema } from '../../../../shared/core/contracts/limits.ts'
import { loopSettingsSchema } from '../../../../shared/core/contracts/loop-settings.ts'
import { runRequestSchema } from '../../../../shared/core/contracts/run.ts'
import { trainingLimitsSchema } from '../../../../shared/core/contracts/training.ts'
import * as schemas from '../../../../web/components/form/form-schemas.ts'
import { formSchemas } from '../../../../web/plugins/form-schemas.ts'

const names = ({ properties }: JsonObject) => Object.keys(properties as JsonObject)

test('the build replaces the schemas by their values, and watches the contracts', async () => {
  const file = resolve(import.meta.dirname, '../../../../web/components/form/form-schemas.ts')
  const watched: string[] = []
  const load = formSchemas(file).load as (this: object, id: string) => Promise<string | null>
  const context = { addWatchFile: (path: string) => watched.push(path) }
  const text = (await load.call(context, file)) ?? ''
  const values = await import(`data:text/javascript,${encodeURIComponent(text)}`)
  expect({ ...values }).toEqual(JSON.parse(JSON.stringify(schemas)))
  expect(text).not.toMatch(/^import/m)
  expect(watched.some((path) => path.endsWith('shared/core/contracts/run.ts'))).toBe(true)
  expect(await load.call(context, `${file}x`)).toBeNull()
})

test('the form of a dataset has a place for every field of the request', () => {
  const elsewhere = ['name', 'runs', 'trajectories', 'experts', 'kind', 'parameters', 'format', 'model']
  const fields = [...elsewhere, 'limits', 'splits', 'gates', 'scores', 'mix', ...names(schemas.otherSchema)]
  expect(fields.toSorted()).toEqual(Object.keys(datasetRequestSchema.shape).toSorted())
})

test('the form of a run has a place for every field of the request that people set', () => {
  const elsewhere = [
    'name',
    'preset',
    'environment',
    'environment_options',
    'tasks',
    'method',
    'model',
    'roles',
  ]
  // A run's own page takes the labels for people, once it has begun.
  const labels = ['experiment', 'tags', 'note']
  const fields = [
    ...elsewhere,
    ...labels,
    ...['prompts', 'examples', 'limits', 'episode_limits', 'metadata'],
    ...names(schemas.settingsSchema),
    ...names(schemas.placeSchema),
  ]
  expect(fields.toSorted()).toEqual(Object.keys(runRequestSchema.shape).toSorted())
})

test('forms have every limit, every setting of a loop, and every kind of endpoint', () => {
  expect(names(schemas.runLimitsSchema)).toEqual(Object.keys(runLimitsSchema.shape))
  expect(names(schemas.episodeLimitsSchema)).toEqual(Object.keys(episodeLimitsSchema.shape))
  expect(names(schemas.workLimitsSchema)).toEqual(Object.keys(trainingLimitsSchema.shape))
  expect(Object.keys(schemas.loopSettingFields)).toEqual(Object.keys(loopSettingsSchema.shape))
  expect(schemas.endpointSchema.anyOf).toHaveLength(endpointSchema.options.length)
})

test('a setting that may be a list by round is entered as a list, with its description', () => {
  expect(schemas.loopSettingFields.samples).toEqual({
    type: 'array',
    minItems: 1,
    maxItems: 50,
    items: { type: 'integer', minimum: 1, maximum: 1000 },
    description: expect.stringContaining('training task'),
  })
})
