import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadAddedMethods, versionsOf } from '../../../../shared/play/methods/added/load-added-methods.ts'
import { loadMethodModule } from '../../../../shared/play/methods/added/load-method-module.ts'
import { addToMethodsFile, readMethodsFile } from '../../../../shared/play/methods/added/methods-file.ts'
import { describeMethod } from '../../../../shared/play/methods/describe-method.ts'
import { openMethods, parseMethodParameters } from '../../../../shared/play/methods/methods.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const example = join(import.meta.dirname, '../../../../examples/greedy.ts')

/** The smallest method there is, with other fields in place of its own; they are code. */
function methodText(fields: Record<string, string> = {}): string {
  const all = {
    id: "'one'",
    description: "'Takes one action.'",
    parameters: "{ type: 'object', properties: { max_steps: { type: 'integer', minimum: 1 } } }",
    branches: 'false',
    play: 'async () => {}',
    ...fields,
  }
  const own = Object.entries(all).map(([name, code]) => `${name}: ${code},`)
  return `export const method = { ${own.join(' ')} }\n`
}

async function writeModule(text: string, name = 'own.ts'): Promise<string> {
  const file = join(await temporaryFolder(), name)
  await writeFile(file, text)
  return file
}

const load = async (fields: Record<string, string>) =>
  loadMethodModule(await writeModule(methodText(fields)), 'own.ts')

test('a method with a JSON Schema and without imports is loaded, and has a default for what it leaves out', async () => {
  const { methods } = await load({
    parameters: `{
      type: 'object',
      properties: {
        tries: { type: 'integer', minimum: 1, maximum: 9, default: 3, description: 'How often.' },
        max_steps: { type: 'integer', minimum: 1 },
      },
    }`,
  })
  const [method] = methods
  if (method === undefined) throw new Error('It should be there.')
  expect(describeMethod(method, { file: './own.ts', digest: 'x' })).toMatchObject({
    id: 'one',
    module: { file: './own.ts', digest: 'x' },
    branches: false,
    roles: [],
    extendable: [],
    parameters: {
      additionalProperties: false,
      properties: {
        tries: { type: 'integer', minimum: 1, maximum: 9, default: 3, description: 'How often.' },
      },
    },
    prompts: [{ id: 'react' }],
  })
  expect(parseMethodParameters(method, {})).toEqual({ tries: 3 })
  expect(() => parseMethodParameters(method, { tries: 0 })).toThrow(/"method\.tries" must be/)
  expect(() => parseMethodParameters(method, { trie: 2 })).toThrow(/Did you mean "tries"/)
  expect(method.effort({ tries: 3 }, { max_steps: 8, steps: 100 })).toMatchObject({
    at_most: Array.from({ length: 8 }, () => 1),
    assumed: true,
  })
})

test.each<[string, Record<string, string>, RegExp]>([
  ['an id with capitals', { id: "'One'" }, /"One\.id" must be 1 to 63 lower-case/],
  ['an id of ours', { id: "'react'" }, /"react" is a method that comes with Espalier/],
  ['no description', { description: "''" }, /"one\.description"/],
  ['a misspelt field', { branch: 'true' }, /no field "one\.branch"\. Did you mean "branches"/],
  ['branches as a word', { branches: "'no'" }, /"one\.branches"/],
  ['play as a text', { play: "'x'" }, /"one\.play" must be a function/],
  [
    'parameters that are no schema',
    { parameters: '[1]' },
    /"one\.parameters" must be a schema of zod 4, or a JSON Schema/,
  ],
  [
    'a JSON Schema of a list',
    { parameters: "{ type: 'array' }" },
    /"one\.parameters" must be a schema of zod 4/,
  ],
  [
    'parameters that take anything',
    {
      parameters:
        "{ type: 'object', additionalProperties: true, properties: { max_steps: { type: 'integer' } } }",
    },
    /"one\.parameters" takes parameters that it does not know/,
  ],
  [
    'parameters without a horizon',
    { parameters: "{ type: 'object', properties: {} }" },
    /"one\.horizon" names "max_steps", which is no parameter/,
  ],
  ['a horizon of another name', { horizon: "() => ({ name: 'depth', beyond: 0 })" }, /one\.horizon/],
  [
    'a horizon that throws',
    { horizon: "() => { throw new Error('oh') }" },
    /"one\.horizon" fails with the defaults of its parameters: oh/,
  ],
  ['an answer of no kind', { answer: "() => 'first'" }, /one\.answer\(\)/],
  [
    'extendable what it does not have',
    { extendable: "() => ['breadth']" },
    /names "breadth", which is no parameter/,
  ],
  ['a role that there is not', { roles: "() => ['critic']" }, /one\.roles\(\)/],
  ['prompts without a text', { prompts: "[{ id: 'mine', purpose: 'Asks.' }]" }, /"one\.prompts\[0\]\.text"/],
  ['a system prompt that is empty', { system: "() => ''" }, /one\.system\(\)/],
  [
    'effort without a bound',
    { effort: "() => ({ expected: [1], side_by_side: 1, reason: 'x' })" },
    /one\.effort\(\)\.at_most/,
  ],
  [
    'effort that expects more than its most',
    { effort: "() => ({ expected: [2, 2], at_most: [1], side_by_side: 1, reason: 'x' })" },
    /expects more calls of policy than it says there are at most/,
  ],
])('%s is refused, and the message names file and field', async (_name, fields, message) => {
  await expect(load(fields)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message),
  })
  await expect(load(fields)).rejects.toThrow(/^own\.ts: /)
})

describe('a module', () => {
  test('that is not there, throws, or exports no method says so', async () => {
    await expect(loadMethodModule('/nowhere/own.ts')).rejects.toThrow(/cannot be loaded/)
    const throws = await writeModule("throw new Error('at the start')")
    await expect(loadMethodModule(throws)).rejects.toThrow(/cannot be loaded: at the start/)
    const none = await writeModule('export const method = { id: 3 }')
    await expect(loadMethodModule(none)).rejects.toThrow(/exports no method.*docs\/add-method\.md/)
  })

  test('has a version by its content and that of the files that it imports, not by its name', async () => {
    const folder = await temporaryFolder()
    const texts = { 'a.ts': "import { two } from './part.ts'\n", 'part.ts': 'export const two = 2\n' }
    for (const [name, text] of Object.entries(texts))
      await writeFile(
        join(folder, name),
        name === 'a.ts' ? `${text}${methodText({ description: "'d' + two" })}` : text,
      )
    const { digestModule } = await import('../../../../shared/play/methods/added/digest-module.ts')
    const first = await digestModule(join(folder, 'a.ts'))
    expect(first.files.map((path) => path.slice(folder.length + 1))).toEqual(['a.ts', 'part.ts'])
    await writeFile(join(folder, 'part.ts'), 'export const two = 22\n')
    const second = await digestModule(join(folder, 'a.ts'))
    expect(second.digest).not.toBe(first.digest)
    const other = await temporaryFolder()
    await writeFile(join(other, 'b.ts'), methodText())
    await writeFile(join(other, 'c.ts'), methodText())
    expect((await digestModule(join(other, 'b.ts'))).digest).toBe(
      (await digestModule(join(other, 'c.ts'))).digest,
    )
  })
})

describe('methods.json', () => {
  test('adds a method that the registry then has beside ours, with where it comes from', async () => {
    const path = join(await temporaryFolder(), 'methods.json')
    expect(await loadAddedMethods({ path })).toEqual([])
    expect(await addToMethodsFile(path, 'greedy', example)).toBe(true)
    expect(await addToMethodsFile(path, 'greedy', example)).toBe(false)
    const added = await loadAddedMethods({ path })
    const methods = openMethods(added)
    expect(methods.list().map(({ id }) => id)).toContain('greedy')
    expect(methods.find('greedy').branches).toBe(true)
    expect(methods.moduleOf('greedy')).toEqual({
      file: expect.stringMatching(/greedy\.ts$/),
      digest: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    expect(methods.moduleOf('react')).toBeNull()
    expect(() => methods.find('gredy')).toThrow(/no method "gredy".*rmcts, fork-rollouts, greedy/)
  })

  test.each<[string, string, RegExp]>([
    ['no JSON', '{', /methods\.json is not JSON/],
    [
      'a misspelt field',
      '{"methods":{"mine":{"path":"./x.ts"}}}',
      /methods\.json: .*"methods\.mine\.(path|file)"/,
    ],
    [
      'an id of ours',
      '{"methods":{"react":{"file":"./x.ts"}}}',
      /"react" is a method that comes with Espalier/,
    ],
    ['an odd id', '{"methods":{"My Method":{"file":"./x.ts"}}}', /methods/],
  ])('with %s is refused as a whole', async (_name, text, message) => {
    const path = join(await temporaryFolder(), 'methods.json')
    await writeFile(path, text)
    await expect(loadAddedMethods({ path })).rejects.toThrow(message)
  })

  test('whose entry cannot be loaded keeps the other methods, and says why when it is asked for', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'methods.json')
    await writeFile(join(folder, 'own.ts'), methodText())
    const files = { one: './own.ts', gone: './gone.ts', other: './own.ts' }
    const entries = Object.fromEntries(Object.entries(files).map(([id, file]) => [id, { file }]))
    await writeFile(path, JSON.stringify({ methods: entries }))
    const methods = openMethods(await loadAddedMethods({ path }))
    expect(methods.find('one').id).toBe('one')
    expect(() => methods.find('gone')).toThrow(
      /The method "gone" \(\.\/gone\.ts\) cannot be played.*cannot be loaded/,
    )
    expect(() => methods.find('other')).toThrow(/\.\/own\.ts exports one, and no "other"/)
    expect((await readMethodsFile(path)).size).toBe(3)
  })

  test('is held to the versions that the service started with', async () => {
    const path = join(await temporaryFolder(), 'methods.json')
    await addToMethodsFile(path, 'greedy', example)
    const added = await loadAddedMethods({ path })
    const same = await loadAddedMethods({ path, versions: versionsOf(added) })
    expect(openMethods(same).find('greedy').id).toBe('greedy')
    const other = await loadAddedMethods({ path, versions: { greedy: '0123456789abcdef' } })
    expect(() => openMethods(other).find('greedy')).toThrow(/has changed since the service started/)
  })

  test('does not take the id of one file for another', async () => {
    const path = join(await temporaryFolder(), 'methods.json')
    await addToMethodsFile(path, 'greedy', example)
    await expect(addToMethodsFile(path, 'greedy', '/elsewhere/greedy.ts')).rejects.toThrow(
      /has the method "greedy" in .* already/,
    )
  })
})
