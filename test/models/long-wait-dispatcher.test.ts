import { expect, it } from 'vitest'
import { longWaitDispatcher } from '../../shared/models/long-wait-dispatcher.ts'
import { answerJson, scriptedServer } from './scripted-server.ts'

it('steps in only where Node would give up before the time-out', () => {
  expect(longWaitDispatcher(300_000)).toBeUndefined()
  expect(longWaitDispatcher(300_001)).toBeDefined()
})

it('is one that fetch takes', async () => {
  const { baseUrl } = await scriptedServer((_request, response) => answerJson(response, { fine: true }))
  const dispatcher = longWaitDispatcher(600_000)
  const response = await fetch(baseUrl, dispatcher === undefined ? {} : { dispatcher })
  expect(await response.json()).toEqual({ fine: true })
})
