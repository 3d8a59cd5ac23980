import { expect, test } from 'vitest'
import { openTestApi, readError } from './open-test-api.ts'
import { readAllEvents, readEvents } from './read-events.ts'

test('every event of an ended run comes once, in order, then the run and the end', async () => {
  const { app, addRun, services } = openTestApi()
  const { id } = addRun()
  services.addEvent(id, 'running')
  services.addEvent(id, 'succeeded')
  services.setStatus(id, 'succeeded')
  const answer = await app.request(`/v1/runs/${id}/events`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('Content-Type')).toBe('text/event-stream')
  const events = await readAllEvents(answer)
  expect(events.map(({ id, event }) => [id, event])).toEqual([
    ['1', 'run.status'],
    ['2', 'run.status'],
    [undefined, 'run'],
    [undefined, 'end'],
  ])
  expect(events[1]?.data).toEqual(services.eventsOf.get(id)?.[1])
  expect(events[2]?.data).toMatchObject({ id, status: 'succeeded' })
  expect(events[3]?.data).toEqual({ status: 'succeeded' })
})

test('more events than a page holds all come', async () => {
  const { app, addRun, services } = openTestApi()
  const { id } = addRun()
  for (let count = 0; count < 1201; count += 1) services.addEvent(id, 'running')
  services.setStatus(id, 'cancelled')
  const events = await readAllEvents(await app.request(`/v1/runs/${id}/events`))
  expect(events.filter((event) => event.id !== undefined).map((event) => Number(event.id))).toEqual(
    Array.from({ length: 1201 }, (_, index) => index + 1),
  )
})

test.each([
  ['?after=1', {}],
  ['', { 'Last-Event-ID': '1' }],
  ['?after=0', { 'last-event-id': '1' }],
])('a client goes on where it was (%s %o)', async (query, headers) => {
  const { app, addRun, services } = openTestApi()
  const { id } = addRun()
  for (let count = 0; count < 3; count += 1) services.addEvent(id, 'running')
  services.setStatus(id, 'failed')
  const events = await readAllEvents(await app.request(`/v1/runs/${id}/events${query}`, { headers }))
  expect(events.flatMap((event) => event.id ?? [])).toEqual(['2', '3'])
})

test('a running run is followed: what happens later comes later, and the run as it changes', async () => {
  const { app, addRun, services } = openTestApi()
  const { id } = addRun()
  const events = readEvents(await app.request(`/v1/runs/${id}/events`))
  expect((await events.next()).value).toMatchObject({ event: 'run', data: { status: 'running' } })
  services.addEvent(id, 'paused')
  services.setStatus(id, 'paused')
  expect((await events.next()).value).toMatchObject({
    id: '1',
    event: 'run.status',
    data: { status: 'paused' },
  })
  expect((await events.next()).value).toMatchObject({ event: 'run', data: { status: 'paused' } })
  services.setStatus(id, 'cancelled')
  expect((await events.next()).value).toMatchObject({ event: 'run', data: { status: 'cancelled' } })
  expect((await events.next()).value).toMatchObject({ event: 'end' })
  expect((await events.next()).done).toBe(true)
})

test('a run that does not change is shown once, and comments keep the connection open', async () => {
  const { app, addRun } = openTestApi({ eventTimes: { poll: 2, snapshot: 2, keepAlive: 20 } })
  const { id } = addRun()
  const answer = await app.request(`/v1/runs/${id}/events`)
  let text = ''
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    if ((text.match(/^: keep-alive$/gm) ?? []).length >= 2) break
  }
  expect(text.match(/^event: run$/gm)).toHaveLength(1)
})

test('a stream whose time is over ends, without the word that the run has ended', async () => {
  const { app, addRun } = openTestApi({ eventTimes: { poll: 2, snapshot: 2, window: 20 } })
  const { id } = addRun()
  const text = await (await app.request(`/v1/runs/${id}/events`)).text()
  expect(text.match(/^event: run$/gm)).toHaveLength(1)
  expect(text).not.toContain('event: end')
})

test('a stream that may say only so much ends of itself, and a client that comes back misses nothing', async () => {
  const { app, addRun, services } = openTestApi({ eventTimes: { most: 1000 } })
  const { id } = addRun()
  for (let count = 0; count < 40; count += 1) services.addEvent(id, 'running')
  services.setStatus(id, 'succeeded')
  const sequences: number[] = []
  let events: Awaited<ReturnType<typeof readAllEvents>> = []
  for (let visits = 0; visits < 40 && !events.some(({ event }) => event === 'end'); visits += 1) {
    const answer = await app.request(`/v1/runs/${id}/events?after=${sequences.at(-1) ?? 0}`)
    const text = await answer.clone().text()
    if (!text.includes('event: end')) expect(text.length).toBeLessThan(1500)
    events = await readAllEvents(answer)
    sequences.push(...events.flatMap((event) => (event.id === undefined ? [] : [Number(event.id)])))
  }
  expect(sequences).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
  expect(events.at(-1)).toMatchObject({ event: 'end' })
})

test('a client that leaves stops the looking', async () => {
  const { app, addRun, services } = openTestApi()
  const { id } = addRun()
  const events = readEvents(await app.request(`/v1/runs/${id}/events`))
  await events.next()
  await events.return(undefined)
  await pause(30)
  const looked = services.calls.length
  await pause(50)
  expect(services.calls.length).toBe(looked)
})

test('a service that stops ends its streams, without the word that the run has ended', async () => {
  const closing = new AbortController()
  const { app, addRun } = openTestApi({ closing: closing.signal })
  const { id } = addRun()
  const answer = await app.request(`/v1/runs/${id}/events`)
  setTimeout(() => closing.abort(), 20)
  expect(await answer.text()).not.toContain('event: end')
})

test('a stream that breaks says so to the client and to the log, without the detail', async () => {
  const { app, addRun, services, logged } = openTestApi()
  const { id } = addRun()
  const events = readEvents(await app.request(`/v1/runs/${id}/events`))
  await events.next()
  services.failure = new Error('SECRET')
  const { value } = await events.next()
  expect(value).toMatchObject({ event: 'error', data: { error: { code: 'internal' } } })
  expect(JSON.stringify(value)).not.toContain('SECRET')
  expect(logged).toMatchObject([{ event: 'stream.failed', run: id }])
})

test('the events of an unknown run are a 404 and no stream', async () => {
  const { app } = openTestApi()
  expect(await readError(await app.request('/v1/runs/run-9/events'))).toMatchObject({ status: 404 })
})

test.each([
  ['?after=-1', {}, 'after'],
  ['?after=x', {}, 'after'],
  ['', { 'Last-Event-ID': 'abc' }, 'Last-Event-ID'],
])('a place that is none is refused (%s %o)', async (query, headers, param) => {
  const { app, addRun } = openTestApi()
  const { id } = addRun()
  const error = await readError(await app.request(`/v1/runs/${id}/events${query}`, { headers }))
  expect(error).toMatchObject({ status: 400, code: 'invalid_request', param })
})

test('HEAD opens no stream', async () => {
  const { app, addRun, services } = openTestApi()
  const { id } = addRun()
  expect((await app.request(`/v1/runs/${id}/events`, { method: 'HEAD' })).status).toBe(200)
  await pause(30)
  expect(services.calls.map(({ name }) => name)).toEqual(['get'])
})

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
