import { expect, test } from 'vitest'
import { openTestApi, readError } from './open-test-api.ts'

test('the filters of a list of runs are passed on, and nothing beside them', async () => {
  const { app, services } = openTestApi()
  const query =
    'status=paused&environment=textcraft&method=mcts&model=gpt-5-mini&name=a%20b&limit=5&after=run-1'
  expect((await app.request(`/v1/runs?${query}`)).status).toBe(200)
  expect(services.calls.at(-1)).toEqual({
    name: 'list',
    given: [
      {
        status: 'paused',
        environment: 'textcraft',
        method: 'mcts',
        model: 'gpt-5-mini',
        name: 'a b',
        limit: 5,
        after: 'run-1',
      },
    ],
  })
})

test.each([
  ['status=gone', 'status'],
  ['name=', 'name'],
  ['environments=textcraft', 'environments'],
])('the filter %s is refused by its name', async (query, param) => {
  const { app } = openTestApi()
  expect(await readError(await app.request(`/v1/runs?${query}`))).toMatchObject({ status: 400, param })
})

test('success rates are asked for by the ids of at most a hundred runs', async () => {
  const { app, services } = openTestApi()
  services.reports.success = async (runs) => {
    services.calls.push({ name: 'success', given: runs })
    return { object: 'success_rates', rates: [] }
  }
  expect((await app.request('/v1/reports/success?runs=run-1,run-2')).status).toBe(200)
  expect(services.calls.at(-1)).toEqual({ name: 'success', given: ['run-1', 'run-2'] })
  const many = Array.from({ length: 101 }, (_, at) => `run-${at}`).join(',')
  for (const query of ['', 'runs=', 'runs=run-1,,run-2', `runs=${many}`]) {
    const answer = await app.request(`/v1/reports/success?${query}`)
    expect(await readError(answer)).toMatchObject({ status: 400, param: expect.stringMatching(/^runs/) })
  }
})
