import { expect, test } from 'vitest'
import { openTestApi, readError } from './open-test-api.ts'

const id = '/v1/sessions/session-1'

test.each([
  ['POST', '/v1/sessions', { environment: 'textcraft', task: 'textcraft-0092' }],
  ['GET', id, undefined],
  ['POST', `${id}/turns`, { from: 0, action: 'inventory' }],
  ['POST', `${id}/save`, {}],
  ['DELETE', id, undefined],
])('a service that holds no sessions refuses %s %s, and says where they are', async (method, path, body) => {
  const { app, services } = openTestApi()
  services.plays = undefined
  const answer = await app.request(path, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
  expect(await readError(answer)).toMatchObject({
    status: 409,
    code: 'not_supported',
    message: expect.stringContaining('espalier serve'),
  })
})

test.each([
  [{ action: 'inventory' }, 'from'],
  [{ from: -1 }, 'from'],
  [{ from: 0, call: { name: 'get' } }, 'call.arguments'],
  [{ from: 0, text: 'inventory' }, 'text'],
])('the turn %j is refused, and the field named', async (turn, param) => {
  const { post } = openTestApi()
  expect(await readError(await post(`${id}/turns`, turn))).toMatchObject({ status: 400, param })
})
