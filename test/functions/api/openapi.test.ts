import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { openTestApi } from './open-test-api.ts'

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  parameters?: { name: string; in: string; required: boolean; schema: object; example?: unknown }[]
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>
}
interface Document {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, { required?: string[]; anyOf?: object[]; properties?: Record<string, unknown> }>
  }
}

async function readDocument(): Promise<Document> {
  const answer = await openTestApi().app.request('/openapi.json')
  expect(answer.status).toBe(200)
  return (await answer.json()) as Document
}

function operationsOf(document: Document): [string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  )
}

test('the document is OpenAPI 3.1 with all that its schema requires', async () => {
  const document = await readDocument()
  expect(document.openapi).toBe('3.1.0')
  expect(document.info).toMatchObject({
    title: expect.any(String),
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  })
  for (const [name, operation] of operationsOf(document)) {
    expect(operation.summary, name).toMatch(/\S/)
    expect(operation.tags, name).toHaveLength(1)
    expect(Object.keys(operation.responses), name).toContain('500')
    for (const [status, { description }] of Object.entries(operation.responses)) {
      expect(status, name).toMatch(/^[2-5]\d\d$/)
      expect(description, name).toMatch(/\S/)
    }
    const inPath = [...(name.matchAll(/\{(\w+)\}/g) ?? [])].map(([, parameter]) => parameter)
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
    expect(
      declared.map((parameter) => parameter.name),
      name,
    ).toEqual(inPath)
    expect(
      declared.every((parameter) => parameter.required),
      name,
    ).toBe(true)
  }
})

test('operation ids are there and differ', async () => {
  const ids = operationsOf(await readDocument()).map(([, { operationId }]) => operationId)
  expect(ids.every((id) => /^[a-z][A-Za-z]+$/.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
})

test('every route of the app under /v1 is in the document', async () => {
  const { app } = openTestApi()
  const routes = app.routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/v1/'))
  const served = new Set(
    routes.map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
  )
  const documented = operationsOf(await readDocument()).map(([name]) => name)
  expect(documented.filter((name) => name.includes('/v1/')).toSorted()).toEqual([...served].toSorted())
  expect(documented).toContain('get /health')
})

test('every reference leads to a schema, and every schema is referred to', async () => {
  const document = await readDocument()
  const references = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target),
  )
  const targets = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
  expect([...references].toSorted()).toEqual(targets.toSorted())
})

test('every answer that is not a success has the shape of errors', async () => {
  for (const [name, { responses }] of operationsOf(await readDocument())) {
    for (const [status, answer] of Object.entries(responses)) {
      if (status < '400') continue
      const schema = answer.content?.['application/json']?.schema
      expect(schema, `${name} ${status}`).toEqual({ $ref: '#/components/schemas/Error' })
    }
  }
})

test('fields with a default may be left out of a request and are always there in an answer', async () => {
  const { schemas } = (await readDocument()).components
  expect(schemas.RunRequest?.required).toEqual(['environment', 'model'])
  expect(schemas.RunRequest?.anyOf).toEqual([{ required: ['method'] }, { required: ['preset'] }])
  expect(schemas.ModelChoiceInput?.required).toEqual(['endpoint', 'id'])
  expect(schemas.ModelChoice?.required).toContain('temperature')
  expect(schemas.RunLimits).toBeDefined()
  expect(schemas.RunLimitsInput).toBeUndefined()
})

test('the examples of bodies are accepted as they stand', async () => {
  const { app, addRun } = openTestApi()
  addRun()
  const document = await readDocument()
  for (const [name, { requestBody, parameters = [] }] of operationsOf(document)) {
    const [method = '', path = ''] = name.replace('{run}', 'run-1').split(' ')
    const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
    const asked = query.map(({ name: field, example }): [string, string] => [field, String(example)])
    for (const [type, { example }] of Object.entries(requestBody?.content ?? {})) {
      const { status } = await app.request(`${path}?${new URLSearchParams(asked)}`, {
        method: method.toUpperCase(),
        headers: { 'Content-Type': type },
        body: typeof example === 'string' ? example : JSON.stringify(example),
      })
      expect([200, 201, 404], `${name} ${type}`).toContain(status)
    }
  }
})

test('whatever is named in a path may be missing, and each operation says so', async () => {
  const silent = operationsOf(await readDocument()).flatMap(([name, { parameters = [], responses }]) =>
    parameters.some((parameter) => parameter.in === 'path') && responses['404'] === undefined ? [name] : [],
  )
  expect(silent).toEqual([])
})

test('an event stream is described event by event, with the JSON that its data holds', async () => {
  const { paths } = await readDocument()
  const follow = paths['/v1/runs/{run}/events']?.get?.responses['200']?.content?.['text/event-stream']
  expect(follow?.schema).toMatchObject({
    type: 'object',
    required: ['data'],
    properties: {
      data: {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: {
          anyOf: expect.arrayContaining([
            { $ref: '#/components/schemas/RunEvent' },
            { $ref: '#/components/schemas/Run' },
          ]),
        },
      },
    },
  })
})

// `npx vitest run test/functions/api/openapi.test.ts -u` writes it again.
test('the Python package is built from the schemas of the document, one a line', async () => {
  const { schemas } = (await readDocument()).components
  const lines = Object.entries(schemas).map((entry) => entry.map((part) => JSON.stringify(part)).join(': '))
  const file = resolve(import.meta.dirname, '../../../clients/python/schemas.data.json')
  await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot(file)
})
