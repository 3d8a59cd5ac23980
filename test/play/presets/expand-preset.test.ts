import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { ChosenPreset } from '../../../shared/core/contracts/preset.ts'
import { presetIdSchema, presetInfoSchema } from '../../../shared/core/contracts/preset.ts'
import { runRequestSchema } from '../../../shared/core/contracts/run.ts'
import { parseEnvironmentOptions } from '../../../shared/environments/environment-options.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { openMethods, parseMethodParameters } from '../../../shared/play/methods/methods.ts'
import { expandPreset } from '../../../shared/play/presets/expand-preset.ts'
import { listPresets, presets } from '../../../shared/play/presets/presets.ts'
import { ReflectionIndex } from '../../../shared/play/search/reflection-index.ts'

const model = { endpoint: 'simulated', id: 'simulated' }
const body = (preset: string, environment: string, rest: JsonObject = {}): JsonObject => ({
  preset,
  environment,
  model,
  ...rest,
})
const chosen = (expanded: JsonObject) => expanded.preset as ChosenPreset

describe('presets', () => {
  test('are those that the contract names, each with a source for every setting and its deviations', () => {
    expect(presets.map(({ id }) => id)).toEqual(presetIdSchema.options)
    for (const preset of listPresets()) {
      presetInfoSchema.parse(preset)
      expect(preset.settings.every(({ source }) => source.length > 5)).toBe(true)
      expect(preset.deviations.length).toBeGreaterThan(0)
    }
  })

  test.each(
    presets.flatMap(({ id, environments }) =>
      (environments.length === 0 ? ['textcraft', 'webshop', 'pddl', 'sites'] : environments).map(
        (environment) => [id, environment] as const,
      ),
    ),
  )('%s in %s expands to a request whose every field is taken', (id, environment) => {
    const request = runRequestSchema.parse(expandPreset(body(id, environment)))
    const { id: method, ...parameters } = request.method
    parseMethodParameters(openMethods().find(method), parameters as JsonObject)
    const definition = definitions.find((each) => each.id === environment)
    if (definition === undefined) throw new Error(`There is no ${environment}.`)
    parseEnvironmentOptions(definition, request.environment_options)
    expect(request.preset).toMatchObject({ id })
  })

  test('show and pause a desktop as ExACT does, in osworld and desktop alone', () => {
    const optionsIn = (environment: string) =>
      expandPreset(body('exact-osworld', environment)).environment_options
    expect(optionsIn('osworld')).toEqual({
      observation: 'a11y_tree',
      action_space: 'pyautogui',
      tree_tokens: 10_000,
      max_steps: 15,
      pause: 1,
    })
    expect(optionsIn('desktop')).toEqual(optionsIn('osworld'))
    expect(optionsIn('textcraft')).toBeUndefined()
    const found = definitions.find(({ id }) => id === 'desktop')
    if (found === undefined) throw new Error('There is no desktop.')
    const given = runRequestSchema.parse(expandPreset(body('exact-osworld', 'desktop'))).environment_options
    expect(parseEnvironmentOptions(found, given)).toMatchObject({ pause: 1, settle_limit: 5 })
  })

  test('value and reflect in OSWorld as the script of ExACT does', () => {
    expect(expandPreset(body('exact-osworld', 'osworld'))).toMatchObject({
      method: { value: 'single-debate', policy_surprise: 'unexpected_and_absq', verdicts: 10 },
      roles: { value: { temperature: 0.7 } },
    })
  })

  test('play OSWorld with a small tree, and with none, as the other scripts of ExACT do', () => {
    const small = expandPreset(body('exact-osworld-rmcts', 'osworld'))
    expect(small.method).toMatchObject({
      ...{ id: 'rmcts', value: 'single-debate', plan: 'whole-task', iterations: 5, branching: 2 },
      ...{ child_choice: 'sample', branching_schedule: 'constant', prior_temperature: 5 },
      ...{ exploration_schedule: 'constant', advance_every: 10, policy_notes: 3, policy_likeness: 0.7 },
    })
    const react = expandPreset(body('exact-osworld-react', 'osworld'))
    expect(react.method).toEqual({ id: 'react', max_steps: 15 })
    expect(react.model).toMatchObject({ temperature: 1, top_p: 0.9, max_tokens: 1500 })
    expect(react.environment_options).toEqual(small.environment_options)
    expect(react).not.toHaveProperty('roles')
    expect(chosen(react).deviations.join(' ')).not.toMatch(/Notes|search|final path/)
  })

  test('leave what the request states, and list it with what they have and from where', () => {
    const expanded = expandPreset(
      body('eto', 'webshop', { model: { ...model, temperature: 0.7 }, tasks: { limit: 5 } }),
    )
    expect(expanded).toMatchObject({
      method: { id: 'react', max_steps: 10 },
      model: { temperature: 0.7, max_tokens: 512 },
      tasks: { split: 'test', limit: 5 },
    })
    expect(chosen(expanded).deviations[0]).toBe(
      'model.temperature is 0.7 by request, where the preset has 0 (ETO, configs/model/fastchat: temperature 0.0).',
    )
  })

  test('list only what differs, and only what concerns the environment', () => {
    const { deviations } = chosen(
      expandPreset(body('eto', 'webshop', { model: { ...model, temperature: 0 } })),
    )
    expect(deviations.join(' ')).not.toMatch(/by request|households/)
    expect(deviations.join(' ')).toContain('generated')
  })

  test('give another method none of their own parameters', () => {
    const expanded = expandPreset(body('agent-r', 'textcraft', { method: { id: 'react', max_steps: 9 } }))
    expect(expanded.method).toEqual({ id: 'react', max_steps: 9 })
    expect(chosen(expanded).deviations[0]).toContain('method.id is "react" by request')
  })

  test('find reflections from the cosine on that the relevance of ExACT comes to', () => {
    // ExACT states 2 · cosine - 1: 0.25 in its code, 0.5 in the script for OSWorld.
    const found = (id: string, likeness: string, cosine: number) => {
      const { method } = expandPreset(body(id, 'textcraft'))
      const least = (method as JsonObject)[likeness] as number
      const embedded = (vector: number[]) => ({ text: '', embedding: { model: 'any', vector } })
      const index = new ReflectionIndex([embedded([cosine, Math.sqrt(1 - cosine ** 2)])])
      return index.search({ ...embedded([1, 0]), most: 1, least }).length === 1
    }
    for (const [id, likeness, cosine] of [
      ['exact-vwa', 'policy_likeness', 0.625],
      ['exact-vwa', 'value_likeness', 0.625],
      ['exact-osworld', 'policy_likeness', 0.75],
    ] as const) {
      expect(found(id, likeness, cosine + 0.01)).toBe(true)
      expect(found(id, likeness, cosine - 0.01)).toBe(false)
    }
  })

  test('leave tasks that the request names as they are, of whatever split', () => {
    const expanded = expandPreset(body('agent-r', 'textcraft', { tasks: { ids: ['a'] } }))
    expect(expanded.tasks).toEqual({ ids: ['a'] })
    expect(chosen(expanded).deviations[0]).toMatch(/^tasks\.ids names the tasks by request, .*split "train"/)
    expect(expandPreset(expanded)).toEqual(expanded)
  })

  test('say where an environment is none of theirs', () => {
    const { deviations } = chosen(expandPreset(body('eto', 'textcraft')))
    expect(deviations).toContain(
      'textcraft is none of the environments of "eto": webshop, scienceworld, alfworld.',
    )
  })

  test('expanded once more come out the same, so that a stored request can be sent again', () => {
    for (const { id } of presets) {
      const once = expandPreset(body(id, 'webshop'))
      expect(expandPreset(once)).toEqual(once)
    }
  })

  test('change nothing of a request without one, and refuse what is none, naming the field', () => {
    const plain = { environment: 'textcraft', model }
    expect(expandPreset(plain)).toBe(plain)
    expect(() => expandPreset(body('lats', 'webshop'))).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'preset' }),
    )
    expect(() => expandPreset({ preset: 'eto', model })).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'environment' }),
    )
  })
})
