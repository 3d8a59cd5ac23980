import type { Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { AgentgymError } from '../../../../containers/env-host/agentgym/agentgym-error.ts'
import type { AgentgymGames } from '../../../../containers/env-host/agentgym/agentgym-games.ts'
import type { AgentgymServer } from '../../../../containers/env-host/agentgym/agentgym-servers.ts'
import type { BookedSession } from '../../../../containers/env-host/agentgym/session-book.ts'
import {
  looseInteger,
  readFastapiBody,
  readFastapiQuery,
} from '../../../../containers/env-host/read-fastapi.ts'

const idSchema = z.object({ env_idx: looseInteger })
const stepSchema = idSchema.extend({ action: z.string() })
const resetSchema = idSchema.extend({ session_id: looseInteger.nullish() })

/**
 * AgentGym's WebShop server. The search bar is on the start page. A reset without a `session_id` draws a random goal.
 */
function webshopRoutes(app: Hono, games: AgentgymGames): void {
  app.get('/', (context) => context.json('ok'))
  app.post('/create', async (context) => {
    const id = games.book.drawId()
    await games.create(id, 0)
    return context.json(id)
  })
  app.post('/step', async (context) => {
    const { env_idx, action } = await readFastapiBody(context, stepSchema)
    const { observation, reward, done } = (await plainly(games.step(env_idx, action, 'repeat'))).result
    return context.json({ state: observation, reward, done, info: null })
  })
  app.post('/reset', async (context) => {
    const { env_idx, session_id } = await readFastapiBody(context, resetSchema)
    const goal = session_id ?? Math.floor(Math.random() * (await games.count()))
    const { observation } = (await plainly(games.reset(env_idx, goal))).result
    return context.json([observation, null])
  })
  app.get('/observation', async (context) => context.json((await booked(context)).result.observation))
  app.get('/list_envs', (context) => context.json(games.book.ids()))
  app.get('/available_actions', async (context) => {
    const { session, result } = await booked(context)
    const isStart = result.observation.startsWith('WebShop [SEP] ')
    const clicks = (await session.validActions()).flatMap(
      (action) => /^click\[(.*)\]$/s.exec(action)?.slice(1) ?? [],
    )
    return context.json({ has_search_bar: isStart, clickables: isStart ? ['search'] : clicks })
  })
  app.get('/instruction_text', async (context) => context.json(instructionOf(await booked(context))))
  // The original answers field names instead of their values. The only page here is its text.
  app.get('/state', async (context) => {
    const instruction_text = instructionOf(await booked(context))
    return context.json({ url: '', html: '', instruction_text })
  })

  function booked(context: Context): Promise<BookedSession> {
    const { env_idx } = readFastapiQuery(context, idSchema)
    return plainly(games.book.use(env_idx, async (session) => session))
  }
}

function instructionOf({ opening, task }: BookedSession): string {
  const found = /Instruction:\s*(?:\[SEP\]\s*)?(.*?)\s*(?:\[SEP\]|$)/s.exec(opening.observation)
  return found?.[1] ?? task.description
}

/** This server has no `{"error": …}`: a missing object is a plain 500. */
async function plainly<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof AgentgymError)) throw error
    throw new HTTPException(500, { message: 'Internal Server Error', cause: error })
  }
}

export const webshopServers: readonly AgentgymServer[] = [
  { name: 'webshop', environment: 'webshop', routes: webshopRoutes },
]
