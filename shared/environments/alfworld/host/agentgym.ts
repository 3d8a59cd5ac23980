import type { Hono } from 'hono'
import { z } from 'zod'
import { AgentgymError } from '../../../../containers/env-host/agentgym/agentgym-error.ts'
import type { AgentgymGames } from '../../../../containers/env-host/agentgym/agentgym-games.ts'
import type { AgentgymServer } from '../../../../containers/env-host/agentgym/agentgym-servers.ts'
import {
  looseInteger,
  readFastapiBody,
  readFastapiQuery,
} from '../../../../containers/env-host/read-fastapi.ts'
import type { EnvironmentTask } from '../../environment.ts'

const idSchema = z.object({ id: looseInteger })
const stepSchema = idSchema.extend({ action: z.string() })
const resetSchema = idSchema.extend({ game: looseInteger, world_type: z.string() })

function alfworldRoutes(app: Hono, games: AgentgymGames): void {
  app.get('/', (context) => context.json('This is environment AlfWorld.'))
  app.post('/create', async (context) => {
    const id = games.book.nextId()
    await games.create(id, 0)
    return context.json({ id })
  })
  app.post('/step', async (context) => {
    const { id, action } = await readFastapiBody(context, stepSchema)
    const { session, result } = await games.step(id, action, 'error')
    const available_actions = await session.validActions()
    const { reward, done } = result
    return context.json({
      observation: withoutArrival(result.observation),
      reward,
      available_actions,
      done,
    })
  })
  app.post('/reset', async (context) => {
    const { id, game, world_type } = await readFastapiBody(context, resetSchema)
    if (!['Text', 'Embody', 'Hybrid'].includes(world_type)) {
      throw new AgentgymError('world_type must be one of "Text", "Embody" and "Hybrid"')
    }
    if (world_type !== 'Text') throw new AgentgymError('This server plays the world_type "Text" alone.')
    const { session, result, task } = await games.reset(id, game)
    const available_actions = await session.validActions()
    const observation = withoutWelcome(result.observation)
    return context.json({ id, observation, available_actions, task_type: taskType(task) })
  })
  app.get('/observation', (context) => {
    const { id } = readFastapiQuery(context, idSchema)
    const { result, opening } = games.book.find(id)
    const { observation, done } = result
    if (done) throw AgentgymError.finished(id)
    return context.json(result === opening ? withoutWelcome(observation) : withoutArrival(observation))
  })
  app.get('/detail', (context) => {
    const { id } = readFastapiQuery(context, idSchema)
    return games.book.use(id, async ({ session, result, opening, index }) => {
      if (result.done) throw AgentgymError.finished(id)
      const observation =
        result === opening ? withoutWelcome(result.observation) : withoutArrival(result.observation)
      return context.json({
        world_type: 'Text',
        game: index,
        observation,
        available_actions: await session.validActions(),
        done: false,
        reward: result.reward,
        deleted: false,
      })
    })
  })
  app.get('/available_actions', (context) => {
    const { id } = readFastapiQuery(context, idSchema)
    return games.book.use(id, async ({ session, result }) => {
      if (result.done) throw AgentgymError.finished(id)
      return context.json(await session.validActions())
    })
  })
}

function withoutWelcome(observation: string): string {
  const end = observation.startsWith('-= ') ? observation.indexOf('\n\n') : -1
  return end === -1 ? observation : observation.slice(end + 2)
}

/** The text after `You arrive at loc 3. `, whose number appears nowhere else. */
function withoutArrival(observation: string): string {
  return observation.replace(/^You arrive at loc [^.]*\. /, '')
}

function taskType({ id }: EnvironmentTask): string {
  return id.split('/').slice(-2).join('/')
}

export const alfworldServers: readonly AgentgymServer[] = [
  { name: 'alfworld', environment: 'alfworld', routes: alfworldRoutes },
]
