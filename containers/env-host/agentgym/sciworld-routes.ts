import type { Hono } from 'hono'
import { z } from 'zod'
import type { FacadeStanding } from '../facade-sessions.ts'
import { looseInteger, readFastapiBody, readFastapiQuery } from '../read-fastapi.ts'
import { AgentgymError } from './agentgym-error.ts'
import type { AgentgymGames } from './agentgym-games.ts'

const idSchema = z.object({ id: looseInteger })
const stepSchema = idSchema.extend({ action: z.string() })
const resetSchema = idSchema.extend({ data_idx: looseInteger })

/** AgentGym's ScienceWorld server: scores are whole numbers to 100, and a step's reward is what it added to the score. */
export function sciworldRoutes(app: Hono, games: AgentgymGames): void {
  app.get('/', (context) => context.json('This is environment ScienceWorld.'))
  app.post('/create', async (context) => {
    const id = games.book.nextId()
    await games.create(id, 0)
    return context.json({ id })
  })
  app.post('/step', async (context) => {
    const { id, action } = await readFastapiBody(context, stepSchema)
    const { before, standing } = await games.step(id, action, 'error')
    const { observation, done } = standing
    const score = scoreOf(standing)
    return context.json({ observation, reward: score - scoreOf(before), score, done })
  })
  app.post('/reset', async (context) => {
    const { id, data_idx } = await readFastapiBody(context, resetSchema)
    const { task, standing } = await games.reset(id, data_idx)
    const end = standing.observation.indexOf('\n')
    return context.json({
      task_name: task.type,
      var_num: Number(/\d+$/.exec(task.id)?.[0] ?? 0),
      task_description: end === -1 ? task.description : standing.observation.slice(0, end),
      observation: standing.observation.slice(end + 1),
      reward: 0,
      score: scoreOf(standing),
      deleted: false,
      done: false,
    })
  })
  app.get('/observation', (context) => {
    const { id } = readFastapiQuery(context, idSchema)
    const { observation, done } = games.book.find(id).standing
    if (done) throw AgentgymError.finished(id)
    return context.json(observation)
  })
  app.post('/close', async (context) => {
    const { id } = await readFastapiBody(context, idSchema)
    if (!games.book.has(id)) return context.text('Internal Server Error', 500)
    await games.book.close(id)
    return context.json(true)
  })
}

function scoreOf({ reward }: FacadeStanding): number {
  return Math.round(reward * 100)
}
