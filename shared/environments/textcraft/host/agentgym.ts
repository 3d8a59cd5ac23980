import type { Hono } from 'hono'
import { z } from 'zod'
import type { AgentgymGames } from '../../../../containers/env-host/agentgym/agentgym-games.ts'
import type { AgentgymServer } from '../../../../containers/env-host/agentgym/agentgym-servers.ts'
import {
  looseInteger,
  readFastapiBody,
  readFastapiQuery,
} from '../../../../containers/env-host/read-fastapi.ts'

const idSchema = z.object({ id: looseInteger })
const createSchema = z.object({ commands: z.string().nullish(), goal: z.string().nullish() })
const stepSchema = idSchema.extend({ action: z.string() })
const resetSchema = idSchema.extend({ data_idx: looseInteger.default(0) })

/**
 * AgentGym's TextCraft server. As there, creating uses the task of its number and ignores the passed commands and
 * goal.
 */
function textcraftRoutes(app: Hono, games: AgentgymGames): void {
  const taskOf = async (dataIndex: number): Promise<number> => {
    const count = await games.count()
    return ((dataIndex % count) + count) % count
  }
  app.get('/', (context) => context.json('This is environment TextCraft.'))
  app.post('/create', async (context) => {
    await readFastapiBody(context, createSchema)
    const id = games.book.nextId()
    const { observation } = (await games.create(id, await taskOf(id))).result
    return context.json({ id, observation, done: false, reward: 0 })
  })
  app.post('/step', async (context) => {
    const { id, action } = await readFastapiBody(context, stepSchema)
    const { observation, reward, done } = (await games.step(id, action, 'repeat')).result
    return context.json({ observation, reward, done })
  })
  app.post('/reset', async (context) => {
    const { id, data_idx } = await readFastapiBody(context, resetSchema)
    const { observation } = (await games.reset(id, await taskOf(data_idx))).result
    return context.json({ id, observation, done: false, reward: 0 })
  })
  app.get('/observation', (context) => {
    const { id } = readFastapiQuery(context, idSchema)
    return context.json(games.book.find(id).result.observation)
  })
  app.get('/detail', (context) => {
    const { id } = readFastapiQuery(context, idSchema)
    const { observation, done, reward } = games.book.find(id).result
    return context.json({ observation, done, reward, deleted: false })
  })
  app.post('/close', async (context) => {
    const { id } = await readFastapiBody(context, idSchema)
    if (!games.book.has(id)) return context.json(false)
    await games.book.close(id)
    return context.json(true)
  })
}

/** Its numbers go by the depth of goals, then by their name. AgentGym's server follows its disk's order there. */
export const textcraftServers: readonly AgentgymServer[] = [
  { name: 'textcraft', environment: 'textcraft', routes: textcraftRoutes },
]
