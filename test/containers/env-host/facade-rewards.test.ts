import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import {
  type OpenenvAnswer,
  OpenenvConnection,
} from '../../../containers/env-host/openenv/openenv-connection.ts'
import { TableSessions } from '../../../containers/env-host/table-sessions.ts'
import { serveApp } from '../../support/serve-app.ts'
import { facadeHost, scriptedDefinition } from './facade-host.ts'

/** A host of an environment whose n-th step makes the episode's reward the n-th of these. */
async function hostOf(rewards: readonly number[]) {
  const answers = rewards.map((reward, index) => [
    `act ${index}`,
    { observation: 'Done.', reward, done: index === rewards.length - 1 },
  ])
  const toy = scriptedDefinition('toy', [{ id: 'toy-1', type: 'x' }], {
    opening: 'Go.',
    answers: Object.fromEntries(answers),
    actions: [],
  })
  return facadeHost({ definitions: [toy] })
}

const rewardOf = (answer: OpenenvAnswer | null) => (answer as { data: { reward: number } }).data.reward

const total = (shares: readonly number[]) => shares.reduce((sum, share) => sum + share, 0)

test("OpenEnv's rewards add up to the episode's reward, after each reset anew", async () => {
  const episodes = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(episodes, async (rewards) => {
      const { table } = await hostOf(rewards)
      const connection = new OpenenvConnection('toy', new TableSessions(table), () => undefined)
      const say = (message: object) => connection.answer(JSON.stringify(message))
      for (let episode = 0; episode < 2; episode += 1) {
        expect(await say({ type: 'reset', data: {} })).toMatchObject({ data: { reward: null } })
        const shares: number[] = []
        for (const [index, reward] of rewards.entries()) {
          const answer = await say({ type: 'step', data: { action: `act ${index}` } })
          shares.push(rewardOf(answer))
          expect(total(shares)).toBeCloseTo(reward, 12)
        }
      }
      await connection.close()
    }),
    { numRuns: 50 },
  )
})

test("OpenEnv's rewards of an episode of 39 steps add up to its reward", async () => {
  const { table } = await hostOf(Array.from({ length: 39 }, (_, index) => (index + 1) / 500))
  const connection = new OpenenvConnection('toy', new TableSessions(table), () => undefined)
  await connection.answer(JSON.stringify({ type: 'reset', data: {} }))
  let sum = 0
  for (let index = 0; index < 39; index += 1) {
    const answer = await connection.answer(JSON.stringify({ type: 'step', data: { action: `act ${index}` } }))
    sum += rewardOf(answer)
  }
  expect(sum).toBeCloseTo(0.078, 12)
  await connection.close()
})

test("MCP's rewards add up to the total that each result states", async () => {
  const rewards = [0.1, 0.4, 0.2, 0.9]
  const { app } = await hostOf(rewards)
  const transport = new StreamableHTTPClientTransport(new URL(`${await serveApp(app)}/mcp/toy`))
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport as Transport)
  onTestFinished(() => client.close())
  await client.callTool({ name: 'reset', arguments: {} })
  const shares: number[] = []
  for (const [index, reward] of rewards.entries()) {
    const { structuredContent } = await client.callTool({
      name: 'step',
      arguments: { action: `act ${index}` },
    })
    const told = structuredContent as { reward: number; total: number }
    shares.push(told.reward)
    expect(total(shares)).toBeCloseTo(reward, 12)
    expect(told.total).toBeCloseTo(reward, 12)
  }
})

test.each([
  ['scienceworld', 'scienceworld-plain', {}, { id: 0, data_idx: 0 }],
  ['textcraft', 'textcraft', {}, { id: 0, data_idx: 0 }],
])("AgentGym's rewards of %s add up to the episode's reward", async (name, environment, creation, reset) => {
  const worth = name === 'scienceworld' ? [0.25, 0.25, 0.75, 1] : [0, 0, 0, 1]
  const answers = worth.map((reward, index) => [
    `act ${index}`,
    { observation: 'Done.', reward, done: reward === 1 },
  ])
  const toy = scriptedDefinition(environment, [{ id: `${environment}-1`, type: 'boil' }], {
    opening: 'Go.\nYou see.',
    answers: Object.fromEntries(answers),
    actions: [],
  })
  const { post } = await facadeHost({ definitions: [toy] })
  await post(`/agentgym/${name}/create`, creation)
  await post(`/agentgym/${name}/reset`, reset)
  let sum = 0
  for (const [index] of worth.entries()) {
    const answer = await post(`/agentgym/${name}/step`, { id: 0, action: `act ${index}` })
    sum += ((await answer.json()) as { reward: number }).reward
  }
  expect(sum).toBe(name === 'scienceworld' ? 100 : 1)
})
