import { expect, test } from 'vitest'
import { actionExample, noteExample } from '../../../functions/api/openapi/learned-examples.ts'
import type { LibraryAction } from '../../../shared/core/contracts/library.ts'
import type { List } from '../../../shared/core/contracts/list.ts'
import type { MemoryNote } from '../../../shared/core/contracts/memory.ts'
import { openTestApi, readError } from './open-test-api.ts'

test.each(['memories', 'libraries'])('%s are listed with the query of every list', async (path) => {
  const { app, services } = openTestApi()
  const answer = await app.request(`/v1/${path}?limit=7&after=it`)
  expect(answer.status).toBe(200)
  const page = (await answer.json()) as List<{ id: string }>
  expect(page).toMatchObject({ object: 'list', has_more: false, data: [{ id: page.first_id }] })
  expect(services.calls[0]?.given).toEqual([{ limit: 7, after: 'it' }])
  expect(await readError(await app.request(`/v1/${path}?limits=7`))).toMatchObject({
    status: 400,
    code: 'unknown_field',
    param: 'limits',
  })
})

test.each([
  ['memory', '/v1/memories/mem-1'],
  ['library', '/v1/libraries/lib-1'],
])('a %s that there is not is not found', async (param, path) => {
  const { app } = openTestApi()
  expect(await readError(await app.request(path))).toMatchObject({ status: 404, code: 'not_found', param })
})

test('notes and actions are answered as they are', async () => {
  const { app, services } = openTestApi()
  const notes = await app.request('/v1/memories/mem-1/notes?limit=2')
  expect((await notes.json()) as List<MemoryNote>).toMatchObject({ data: [noteExample] })
  const actions = await app.request('/v1/libraries/lib-1/actions')
  expect((await actions.json()) as List<LibraryAction>).toMatchObject({ data: [actionExample] })
  expect(services.calls).toEqual([
    { name: 'listNotes', given: ['mem-1', { limit: 2 }] },
    { name: 'listActions', given: ['lib-1', { limit: 20 }] },
  ])
})

test('pages of notes too large for an answer are kept each for itself, and answered with an address', async () => {
  const { app, services } = openTestApi()
  services.note = { ...noteExample, note: 'x'.repeat(5_000_000) }
  for (const query of ['', '?limit=5', '?limit=5&after=a']) {
    const answer = await app.request(`/v1/memories/mem-1/notes${query}`)
    expect(answer.status).toBe(307)
    expect(answer.headers.get('Location')).toContain('file_name=mem-1-notes.json')
  }
  expect(new Set(services.put).size).toBe(3)
  for (const key of services.put) expect(key).toMatch(/^runs\/run-1\/live\/notes-[\w-]+\.json$/)
})
