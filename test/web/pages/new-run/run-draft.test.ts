import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../../shared/core/client/api-error.ts'
import type { EndpointInfo, EnvironmentInfo } from '../../../../shared/core/contracts/catalogue.ts'
import type { Json, JsonObject } from '../../../../shared/core/contracts/json.ts'
import { type Run, runRequestSchema } from '../../../../shared/core/contracts/run.ts'
import { describeMethod } from '../../../../shared/play/methods/describe-method.ts'
import {
  builtinMethods,
  openMethods,
  parseMethodParameters,
} from '../../../../shared/play/methods/methods.ts'
import { expandPreset } from '../../../../shared/play/presets/expand-preset.ts'
import { listPresets } from '../../../../shared/play/presets/presets.ts'
import { fieldErrors } from '../../../../web/components/form/field-errors.ts'
import { readFields } from '../../../../web/components/schema-fields/read-fields.ts'
import { fitsAddress, readRequest, withRequest } from '../../../../web/format/request-address.ts'
import {
  emptyDraft,
  firstDraft,
  type RunDraft,
  toDraft,
  toRequest,
  withEnvironment,
  withMethod,
  withPreset,
} from '../../../../web/pages/new-run/run-draft.ts'
import { parseRange, rangeProblem, rangeText } from '../../../../web/pages/new-run/tasks-section.tsx'

const infos = builtinMethods.map((method) => describeMethod(method))

const crafting: EnvironmentInfo = {
  id: 'textcraft',
  object: 'environment',
  description: 'Crafting.',
  snapshot: 'native',
  deterministic: true,
  success_threshold: 1,
  default_max_steps: 20,
  splits: { test: 10, train: 20 },
  types: ['depth-1'],
  kind: 'text',
  tools: [],
  hosting: 'worker',
  data: null,
  options: null,
}

const simple: RunDraft = {
  ...emptyDraft,
  environment: 'textcraft',
  method: 'react',
  endpoint: 'simulated',
  model: 'simulated',
}

/** The request as a run keeps it: every default filled in. */
function stored(draft: RunDraft): Run['request'] {
  const request = runRequestSchema.parse(toRequest(draft))
  const method = openMethods().find(draft.method)
  const parameters = parseMethodParameters(method, draft.parameters)
  const fields = readFields(describeMethod(method).parameters, draft.parameters)
  const horizon = fields.some(({ name }) => name === 'max_steps') ? { max_steps: 20 } : {}
  return { ...request, method: { id: draft.method, ...horizon, ...parameters } } as Run['request']
}

describe('a request', () => {
  test('holds what was set, and nothing else', () => {
    expect(toRequest(simple)).toEqual({
      environment: 'textcraft',
      tasks: { split: 'test', limit: 20 },
      method: { id: 'react' },
      model: { endpoint: 'simulated', id: 'simulated' },
    })
    const touched = {
      ...simple,
      modelSettings: { temperature: 1 },
      settings: { epochs: 1, seed: 3 },
      roles: { value: {} },
    }
    expect(toRequest(touched)).toEqual({ ...toRequest(simple), seed: 3 })
  })

  test('has its tags each once, whatever is typed around them', () => {
    const typed = { ...simple, experiment: ' depth ', tags: 'one, ,two words,one,', note: ' ' }
    expect(toRequest(typed)).toEqual({
      ...toRequest(simple),
      experiment: 'depth',
      tags: ['one', 'two words'],
    })
  })

  test('keeps tags with commas of the run that it begins with, also where one is added', () => {
    const tags = ['lr=1e-4,wd=0', 'kept']
    const draft = toDraft({ ...toRequest(simple), tags }, infos, [crafting])
    expect(toRequest(draft).tags).toEqual(tags)
    expect(toRequest({ ...draft, tags: `${draft.tags}, new` }).tags).toEqual([...tags, 'new'])
  })

  test('holds what was entered also where it is wrong, so that no default is sent in its place', () => {
    const wrong = { ...simple, settings: { epochs: 'many' }, tasks: { range: parseRange('0 to 5') as Json } }
    expect(toRequest(wrong)).toMatchObject({ epochs: 'many', tasks: { range: '0 to 5' } })
  })
})

test('a draft that begins with a run asks for the same run, in fewer words', () => {
  fc.assert(
    fc.property(
      fc.record({
        name: fc.constantFrom('', 'again'),
        experiment: fc.constantFrom('', 'depth'),
        tags: fc.constantFrom('', 'one', 'one, two words'),
        note: fc.constantFrom('', 'Before the new prompt.'),
        tasks: fc.constantFrom<RunDraft['tasks'][]>(
          { split: 'train', limit: 3 },
          { ids: ['a', 'b'] },
          { split: 'test' },
        ),
        method: fc.constantFrom(...infos.map(({ id }) => id)),
        modelSettings: fc.constantFrom({}, { temperature: 0.5 }),
        roles: fc.constantFrom({}, { value: { temperature: 0.1 } }),
        settings: fc.constantFrom({}, { epochs: 2, seed: 9 }),
        place: fc.constantFrom({}, { data: 'builtin' }, { hosting: 'host' }),
        limits: fc.constantFrom({}, { cost: 1.5 }),
        prompts: fc.constantFrom({}, { react: 'Act.' }),
        metadata: fc.constantFrom({}, { team: 'a' }),
      }),
      (parts) => {
        const draft: RunDraft = { ...simple, ...parts }
        const again = toDraft(stored(draft) as JsonObject, infos, [crafting])
        expect(toRequest(again)).toEqual(toRequest(draft))
        expect(stored(again)).toEqual(stored(draft))
      },
    ),
  )
})

test('another method leaves behind what it does not have', () => {
  const draft: RunDraft = {
    ...simple,
    method: 'mcts',
    parameters: { iterations: 3 },
    roles: { debate: { temperature: 0 } },
    prompts: { react: 'Act.', 'judge-question': 'How far?' },
  }
  const react = infos.find(({ id }) => id === 'react') as (typeof infos)[number]
  expect(withMethod(draft, react)).toEqual({
    ...draft,
    method: 'react',
    parameters: {},
    roles: {},
    prompts: { react: 'Act.' },
  })
})

describe('another method', () => {
  const infoOf = (id: string) => infos.find((info) => info.id === id) as (typeof infos)[number]
  const sampling: RunDraft = { ...simple, method: 'best-of-n', parameters: { max_steps: 12, attempts: 3 } }

  test('keeps the parameters that it has too', () => {
    expect(withMethod(sampling, infoOf('react')).parameters).toEqual({ max_steps: 12 })
  })

  test('does not keep what it does not take', () => {
    const wrong = { ...sampling, parameters: { max_steps: 'many', value: 'of-nobody', samples: 2 } }
    expect(withMethod(wrong, infoOf('react')).parameters).toEqual({})
    expect(withMethod(wrong, infoOf('mcts')).parameters).toEqual({ samples: 2 })
  })

  test('finds what was set for it before, but for what was set since', () => {
    const react = withMethod(sampling, infoOf('react'))
    const since = { ...react, parameters: { max_steps: 9 } }
    expect(withMethod(since, infoOf('best-of-n'), sampling.parameters).parameters).toEqual({
      max_steps: 9,
      attempts: 3,
    })
  })

  test.each(infos)('$id takes what it is given of the others', (info) => {
    for (const other of infos) {
      const draft = {
        ...simple,
        parameters: parseMethodParameters(openMethods().find(other.id), {}) as JsonObject,
      }
      const { parameters } = withMethod(draft, info)
      expect(() => parseMethodParameters(openMethods().find(info.id), parameters)).not.toThrow()
    }
  })
})

test('another environment keeps the split where it has one of that name, and no task of the other', () => {
  const draft: RunDraft = {
    ...simple,
    tasks: { split: 'train', limit: 5, types: ['x'], ids: ['y'] },
    place: { data: 'z' },
  }
  const shop = { ...crafting, id: 'webshop' }
  expect(withEnvironment(draft, shop)).toEqual({
    ...draft,
    environment: 'webshop',
    tasks: { split: 'train', limit: 5 },
    place: {},
  })
  expect(withEnvironment(draft, { ...shop, splits: { dev: 3 } }).tasks).toEqual({ split: 'dev', limit: 5 })
})

test('a newcomer’s form is ready to start: a run that is small, simple and costs nothing', () => {
  const simulated: EndpointInfo = {
    id: 'simulated',
    object: 'endpoint',
    kind: 'simulated',
    models: ['simulated'],
    priced: true,
    ready: true,
    note: null,
  }
  const paid: EndpointInfo = { ...simulated, id: 'openai', kind: 'openai' }
  const offers = { endpoints: [paid, simulated], environments: [crafting], methods: infos }
  const request = toRequest(firstDraft(offers))
  expect(request).toEqual({
    environment: 'textcraft',
    tasks: { split: 'test', limit: 20 },
    method: { id: 'react' },
    model: { endpoint: 'simulated', id: 'simulated' },
  })
  expect(runRequestSchema.safeParse(request).success).toBe(true)
  expect(firstDraft({ ...offers, endpoints: [paid] })).toMatchObject({ endpoint: '', model: '' })
  expect(firstDraft({ endpoints: [{ ...simulated, ready: false }], environments: [], methods: [] })).toEqual(
    emptyDraft,
  )
})

test('positions are read as they are written', () => {
  expect(parseRange('')).toBeUndefined()
  expect(parseRange('0-50')).toEqual([0, 50])
  expect(parseRange(' 3 – 4 ')).toEqual([3, 4])
  expect(parseRange('3-')).toBe('3-')
  for (const range of [undefined, [0, 50], '3-'] as const)
    expect(parseRange(rangeText(range as Json))).toEqual(range)
})

test('positions that are none are said to be, in words', () => {
  for (const typed of ['5', 'a-b', '5-', '-5', '0-50-60', `0-${'9'.repeat(20)}`])
    expect(rangeProblem(parseRange(typed)), typed).toBe(
      'Enter two positions with a dash between them, such as 0-50.',
    )
  for (const typed of ['9-3', '4-4'])
    expect(rangeProblem(parseRange(typed)), typed).toBe('The second position must be greater than the first.')
  for (const typed of ['', ' ', '0-05', '3 – 4']) expect(rangeProblem(parseRange(typed)), typed).toBeNull()
  for (const odd of [[0], ['a', 'b'], [0, 1, 2], 5, null])
    expect(rangeProblem(odd as Json), String(odd)).not.toBeNull()
})

test('a refusal is shown at the field that it names', () => {
  const refused = (param: string | null) =>
    fieldErrors(
      new ApiError(400, { type: 'invalid_request_error', code: 'invalid_request', message: 'No.', param }),
    )
  expect(refused('method.iterations')('method')).toEqual({ iterations: 'No.' })
  expect(refused('tasks.ids[3]')('tasks')).toEqual({ ids: 'No.' })
  expect(refused('roles.value.endpoint')('roles.value')).toEqual({ endpoint: 'No.' })
  expect(refused('environment')('')).toEqual({ environment: 'No.' })
  expect(refused('environment')('tasks')).toEqual({})
  expect(refused(null)('')).toEqual({})
  expect(fieldErrors(new Error('Lost.'))('')).toEqual({})
})

test('a request in an address is read back, whatever was entered', () => {
  const entered = fc.record({
    name: fc.string({ minLength: 1 }),
    parameters: fc.dictionary(
      fc.constantFrom('max_steps', 'x'),
      fc.oneof(fc.integer({ min: 30 }), fc.string()),
    ),
    settings: fc.constantFrom({}, { epochs: 'many' }),
    tasks: fc.constantFrom<RunDraft['tasks'][]>({ range: 'x' }, { split: 'a&b=c' }),
  })
  fc.assert(
    fc.property(entered, (parts) => {
      const request = toRequest({ ...simple, ...parts })
      const address = withRequest(new URLSearchParams('as=cli'), JSON.stringify(request))
      const read = readRequest(new URLSearchParams(address.toString()))
      expect(toRequest(toDraft(read ?? {}, infos, [crafting]))).toEqual(request)
      expect(address.get('as')).toBe('cli')
    }),
  )
})

test('an address can hold anything, and the form begins nevertheless', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const read = readRequest(new URLSearchParams({ request: text }))
      expect(toRequest(toDraft(read ?? {}, infos, [crafting]))).toMatchObject({ method: {}, model: {} })
    }),
  )
  const odd = {
    tasks: 5,
    method: [],
    model: 'x',
    roles: { value: 3 },
    prompts: { react: 1 },
    limits: null,
    metadata: [],
  }
  expect(toRequest(toDraft(odd, infos, [crafting]))).toEqual({
    environment: '',
    method: { id: '' },
    model: { endpoint: '', id: '' },
  })
})

test('a request that is too long for an address is left out of it', () => {
  const long = JSON.stringify({ name: 'x'.repeat(7000) })
  const address = withRequest(new URLSearchParams('request=old&as=cli'), long)
  expect(fitsAddress(long)).toBe(false)
  expect(address.toString()).toBe('as=cli')
})

test('a preset fills the form, and what is set over it is sent also where it is a default', () => {
  const preset = listPresets().find(({ id }) => id === 'eto')
  const environments = [{ ...crafting, id: 'webshop' }]
  const chosen = toDraft(
    withPreset(toRequest({ ...simple, environment: 'webshop' }), preset),
    infos,
    environments,
  )
  expect(chosen).toMatchObject({
    preset: 'eto',
    method: 'react',
    parameters: { max_steps: 10 },
    modelSettings: { temperature: 0, max_tokens: 512 },
  })
  const warmer = toRequest({ ...chosen, modelSettings: { ...chosen.modelSettings, temperature: 1 } })
  expect(warmer).toMatchObject({ preset: 'eto', model: { temperature: 1 } })
  // What a run of it has stored begins a form with the same request.
  const again = toDraft(runRequestSchema.parse(expandPreset(warmer)) as JsonObject, infos, environments)
  expect(toRequest(again)).toMatchObject({ preset: 'eto', model: { temperature: 1 } })
  expect(withPreset(warmer, undefined)).not.toHaveProperty('preset')
  expect(withPreset({ ...warmer, tasks: { ids: ['a'] } }, preset).tasks).toEqual({ ids: ['a'] })
})

test('a draft keeps the few-shot turns of the run that it begins with', () => {
  const examples = [
    { role: 'user' as const, content: 'A task.' },
    { role: 'assistant' as const, content: 'Action: look' },
  ]
  const request = runRequestSchema.parse({ ...toRequest(simple), examples })
  const draft = toDraft(request as unknown as JsonObject, infos, [crafting])
  expect(toRequest(draft)).toMatchObject({ examples })
  expect(toRequest(simple)).not.toHaveProperty('examples')
})
