import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildProgram } from '../../cli/program.ts'
import { createApp } from '../../functions/api/create-app.ts'
import { localPrincipal } from '../../local/local-principal.ts'
import { openKeys } from '../../shared/core/auth/open-keys.ts'
import { datasetFormatSchema, datasetKindSchema } from '../../shared/core/contracts/dataset.ts'
import { errorCodes } from '../../shared/core/contracts/errors.ts'
import { scopeSchema } from '../../shared/core/contracts/key.ts'
import { describeKinds } from '../../shared/data/datasets/describe-kinds.ts'
import { definitions } from '../../shared/environments/environments.ts'
import { describeMethod } from '../../shared/play/methods/describe-method.ts'
import { builtinMethods } from '../../shared/play/methods/methods.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { FakeServices } from '../functions/api/fake-services.ts'
import { openOwnWorld } from '../support/open-test-world.ts'
import { documents, pageText, root } from './documents.ts'
import { scriptText } from './package-scripts.ts'

/** The text under the heading of a page that names it. */
function sectionOf(page: string, name: string): string {
  const text = pageText(page)
  const heading = new RegExp(`^(#+) .*\`${name}\`.*$`, 'm').exec(text)
  if (heading === null) return ''
  const level = heading[1]?.length ?? 2
  const behind = text.slice(heading.index + heading[0].length)
  const next = new RegExp(`^#{2,${level}} `, 'm').exec(behind)
  return behind.slice(0, next?.index ?? behind.length).trim()
}

describe('the guide has a section for', () => {
  test.each(builtinMethods.map(({ id }) => id))('the method %s, and its line of the table', (id) => {
    expect(sectionOf('methods', id).length).toBeGreaterThan(200)
    expect(pageText('methods')).toMatch(new RegExp(`^\\| \`${id}\``, 'm'))
  })

  test.each(definitions.map(({ id }) => id))('the environment %s, and its line of the table', (id) => {
    expect(sectionOf('environments', id).length).toBeGreaterThan(80)
    expect(pageText('environments')).toMatch(new RegExp(`^\\| .*\`${id}\`.* \\|`, 'm'))
  })

  test.each(datasetKindSchema.options)('the dataset kind %s', (id) => {
    expect(sectionOf('datasets', id).length).toBeGreaterThan(200)
  })
})

/** The parameters that a schema names, in any of its variants. */
function parametersIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const {
    properties = {},
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema as {
    properties?: object
    anyOf?: unknown[]
    oneOf?: unknown[]
    allOf?: unknown[]
  }
  return [...Object.keys(properties), ...[...anyOf, ...oneOf, ...allOf].flatMap(parametersIn)]
}

test.each(builtinMethods.map((method) => describeMethod(method)))(
  'the guide names every parameter of $id',
  ({ parameters }) => {
    const names = parametersIn(parameters)
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name) => !pageText('methods').includes(`\`${name}`))).toEqual([])
  },
)

test.each(describeKinds())('the section of the kind $id names every parameter', ({ id, parameters }) => {
  const section = sectionOf('datasets', id)
  const names = Object.keys((parameters as { properties?: object }).properties ?? {})
  expect(names.filter((name) => !section.includes(`\`${name}\``))).toEqual([])
})

test.each(datasetFormatSchema.options)('the guide says how the dataset format %s is loaded', (id) => {
  expect(pageText('datasets')).toContain(`- **${id}**: `)
})

test.each(scopeSchema.options)('the guide says what the scope %s may do', (scope) => {
  expect(pageText('security')).toMatch(new RegExp(`^\\| \`${scope}\` \\| \\w`, 'm'))
})

test('the guide names every error by its code, beside its status', () => {
  const text = pageText('api')
  const rows = text.split('\n').filter((line) => /^\| [\d, ]+ \|/.test(line))
  const host = text.slice(text.indexOf('The protocol of hosts has codes'))
  const missing = Object.entries(errorCodes).filter(
    ([code, status]) =>
      !host.includes(`\`${code}\``) &&
      !rows.some((row) => row.split('|')[1]?.includes(`${status}`) && row.includes(`\`${code}\``)),
  )
  expect(missing).toEqual([])
})

describe('the command', async () => {
  const commands = (await buildProgram(recordingTerminal())).commands.map((command) => command.name())

  test.each(commands)('%s has its place in the guide, and is run by a test', (name) => {
    expect(pageText('command')).toMatch(new RegExp(`^\\| .*\`${name}\`.* \\|`, 'm'))
    const blocks = documents.flatMap(({ fences }) => fences.filter(({ language }) => language === 'sh'))
    const runs = new RegExp(`(espalier|espalier --|npm run) ${name}\\b`)
    expect(blocks.some(({ text }) => runs.test(text))).toBe(true)
  })
})

test('the guide has the keys of the tree explorer, as the dashboard itself lists them', () => {
  const source = readFileSync(join(root, 'web/pages/episode/tree-explorer.tsx'), 'utf8')
  const keys = [...source.matchAll(/\[\[([^\]]+)\], '([^']+)'\]/g)]
  expect(keys.length).toBeGreaterThan(8)
  const rows = keys.map(([, names = '', what = '']) => {
    const shown = [...names.matchAll(/'([^']+)'/g)].map(([, name]) => `\`${name}\``).join(' ')
    return `| ${shown} | ${what} |`
  })
  const text = pageText('dashboard')
  expect(rows.filter((row) => !text.includes(row))).toEqual([])
})

test('the guide lists every route of the API, and no other', async () => {
  const { world, close } = await openOwnWorld()
  onTestFinished(close)
  const keys = openKeys({ ledger: world.ledger, clock: world.clock })
  const authenticate = localPrincipal({ keys, auth: 'keys', word: 'word' })
  const app = createApp(new FakeServices(), { authenticate, log: () => {} })
  const document = (await (await app.request('/openapi.json')).json()) as { paths: Record<string, object> }
  const there = Object.entries(document.paths).flatMap(([path, routes]) =>
    Object.keys(routes).map((method) => (method === 'get' ? path : `${method.toUpperCase()} ${path}`)),
  )
  const text = pageText('api')
  const table = text.slice(text.indexOf('## What there is'), text.indexOf('## Lists'))
  const listed = [...table.matchAll(/`((?:[A-Z]+ )?\/[^`]+)`/g)].map(([, route]) => route ?? '')
  expect(listed.toSorted()).toEqual(there.toSorted())
})

describe('a command within the text is one that there is', async () => {
  const program = await buildProgram(recordingTerminal())
  const texts = documents.flatMap(({ text }) => [
    ...text.matchAll(/`(?:npm run -s espalier --|npx espalier|espalier) ([^`\n]+)`/g),
  ])
  const commands = [...new Set(texts.map(([, words = '']) => words))].filter((words) => words !== '…')

  test.each(commands)('espalier %s', (words) => {
    const way = [program]
    for (const word of words.split(' ')) {
      const next = way.at(-1)?.commands.find((each) => each.name() === word)
      if (next !== undefined) way.push(next)
    }
    expect(way.length, 'a command').toBeGreaterThan(1)
    const byDefault = Reflect.get(way.at(-1) ?? program, '_defaultCommandName')
    way.push(...(way.at(-1)?.commands.filter((each) => each.name() === byDefault) ?? []))
    const known = way.flatMap(({ options }) => options.map(({ long }) => long))
    const named = [...words.matchAll(/--[a-z-]+/g)].map(([name]) => name)
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })

  test('and so is a script of package.json', () => {
    const scripts = documents.flatMap(({ text }) => [...text.matchAll(/`npm run (?:-s )?([\w:-]+)/g)])
    for (const [, script = ''] of scripts) expect(scriptText(script)).not.toBe('')
  })
})
