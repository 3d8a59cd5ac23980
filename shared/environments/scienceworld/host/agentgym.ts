import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { AgentgymError } from '../../../../containers/env-host/agentgym/agentgym-error.ts'
import type { AgentgymGames } from '../../../../containers/env-host/agentgym/agentgym-games.ts'
import type { AgentgymServer } from '../../../../containers/env-host/agentgym/agentgym-servers.ts'
import type { BookedSession, CompleteResult } from '../../../../containers/env-host/agentgym/session-book.ts'
import {
  looseInteger,
  readFastapiBody,
  readFastapiQuery,
} from '../../../../containers/env-host/read-fastapi.ts'
import type { Json } from '../../../core/contracts/json.ts'
import type { EnvironmentTask } from '../../environment.ts'
import { agentgymOrder } from '../game-numbers.ts'
import { variationCounts } from '../tasks.ts'

const idSchema = z.object({ id: looseInteger })
const stepSchema = idSchema.extend({ action: z.string() })
const resetSchema = idSchema.extend({ data_idx: looseInteger })
const figuresSchema = z.object({ score: z.number(), moves: z.number() })
const listSchema = z.array(z.string()).catch([])

/** The moves of a game: the simulator of AgentGym's server ends it at the move after these. */
const mostMoves = 100
const listedInState = 10

/** Adds the simulator's own score and moves, if it reports them: the reward here is the best score so far. */
const completeSciworld: CompleteResult = async (session, result, before) => {
  const read = figuresSchema.safeParse(await session.inspect('figures'))
  const moves = before === null ? 0 : (before.figures?.moves ?? 0) + 1
  const figures = read.success ? read.data : { score: Math.round(result.reward * 100), moves }
  return { ...result, done: result.done || figures.moves > mostMoves, figures }
}

/**
 * AgentGym's ScienceWorld server: scores are whole numbers up to 100, a step's reward is its gain in score (some
 * tasks start with one), and a game ends after 100 moves. It includes the five routes of Agent-R's version of the
 * server.
 */
function sciworldRoutes(app: Hono, games: AgentgymGames): void {
  app.get('/', (context) => context.json('This is environment ScienceWorld.'))
  app.post('/create', async (context) => {
    const id = games.book.nextId()
    await games.create(id, 0)
    return context.json({ id })
  })
  app.post('/step', async (context) => {
    const { id, action } = await readFastapiBody(context, stepSchema)
    const { before, result } = await games.step(id, action, 'error')
    const { observation, done } = result
    const score = scoreOf(result)
    return context.json({ observation, reward: score - scoreOf(before), score, done })
  })
  app.post('/reset', async (context) => {
    const { id, data_idx } = await readFastapiBody(context, resetSchema)
    return context.json(describe(await games.reset(id, data_idx)))
  })
  app.post('/close', async (context) => {
    const { id } = await readFastapiBody(context, idSchema)
    if (!games.book.has(id)) return context.text('Internal Server Error', 500)
    await games.book.close(id)
    return context.json(true)
  })
  app.get('/observation', (context) => context.json(describe(current(context)).observation))
  app.get('/detail', (context) => context.json(describe(current(context))))
  app.get('/task_description', (context) => showDetail(context, 'task', 'task_description'))
  app.get('/object_tree', (context) => showDetail(context, 'object_tree', 'object_tree'))
  app.get('/goals', (context) => showDetail(context, 'goals', 'goals'))
  app.get('/action_hint', async (context) => {
    const [possible_actions, possible_objects] = await ask(context, ['possible_actions', 'possible_objects'])
    return context.json({ possible_actions, possible_objects })
  })
  app.get('/state', async (context) => {
    const wanted = ['look', 'inventory', 'task', 'goals', 'possible_actions', 'possible_objects'] as const
    const [observation, inventory, task_description, goal_progress, actions, objects] = await ask(
      context,
      wanted,
    )
    const booked = current(context)
    return context.json({
      observation,
      inventory,
      task_description,
      goal_progress,
      possible_actions: listSchema.parse(actions).slice(0, listedInState),
      possible_objects: listSchema.parse(objects).slice(0, listedInState),
      current_moves: booked.result.figures?.moves ?? 0,
      environment_info: describe(booked),
    })
  })
  app.get('/look_around', (context) => showDetail(context, 'look', 'look_around'))
  app.get('/inventory', (context) => showDetail(context, 'inventory', 'inventory'))
  app.get('/valid_action_object_combinations', (context) =>
    showDetail(context, 'valid_actions', 'get_valid_action_object_combinations'),
  )
  app.get('/golden_action_seq', (context) => showDetail(context, 'gold_actions', 'golden_action_seq'))
  app.get('/game_nums', async (context) => {
    current(context)
    const types = (await games.all()).map(({ type }) => type)
    const names = Object.keys(variationCounts).sort()
    const numbers = names.map((name) => types.flatMap((type, game) => (type === name ? [game] : [])))
    const played = [...numbers.entries()].filter(([, of]) => of.length > 0)
    return context.json([types.length, Object.fromEntries(played)])
  })

  function current(context: Context): BookedSession {
    const { id } = readFastapiQuery(context, idSchema)
    const booked = games.book.find(id)
    if (booked.result.done) throw AgentgymError.finished(id)
    return booked
  }

  async function showDetail(context: Context, what: string, field: string): Promise<Response> {
    const [found] = await ask(context, [what])
    return context.json({ [field]: found })
  }

  async function ask(context: Context, wanted: readonly string[]): Promise<Json[]> {
    current(context)
    const { id } = readFastapiQuery(context, idSchema)
    return games.book.use(id, async ({ session }) => {
      const found: Json[] = []
      for (const what of wanted) found.push(await session.inspect(what))
      return found
    })
  }
}

function describe({ task, opening, result, before }: BookedSession) {
  const end = opening.observation.indexOf('\n')
  const isStart = result === opening
  const score = scoreOf(result)
  return {
    task_name: task.type,
    var_num: Number(/\d+$/.exec(task.id)?.[0] ?? 0),
    task_description: end === -1 ? task.description : opening.observation.slice(0, end),
    observation: isStart ? result.observation.slice(end + 1) : result.observation,
    reward: isStart ? score : score - scoreOf(before ?? opening),
    score,
    deleted: false,
    done: result.done,
  }
}

function scoreOf({ figures, reward }: BookedSession['result']): number {
  return figures?.score ?? Math.round(reward * 100)
}

function orderGames(tasks: readonly EnvironmentTask[]): readonly EnvironmentTask[] {
  const byType = Map.groupBy(tasks, ({ type }) => type)
  return agentgymOrder.flatMap((type) => byType.get(type) ?? [])
}

const served = { routes: sciworldRoutes, complete: completeSciworld, order: orderGames }

/** AgentGym plays ScienceWorld without simplifications, so the server of this name does too. */
export const scienceworldServers: readonly AgentgymServer[] = [
  { name: 'scienceworld', environment: 'scienceworld-plain', ...served },
  { name: 'scienceworld-plain', environment: 'scienceworld-plain', ...served },
  { name: 'scienceworld-easy', environment: 'scienceworld', ...served },
]
