import { Hono } from 'hono'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { listQuerySchema, toList } from '../../shared/core/contracts/list.ts'
import { describeInvalid } from '../../shared/core/contracts/validation/describe-invalid.ts'
import { describeFacts } from '../../shared/environments/describe-facts.ts'
import type { ServedEnvironments } from './served-environments.ts'

/**
 * A host's description of its environments, so that its address suffices to use one: `GET /`, `GET /{id}` with the
 * guide of its first task, `GET /{id}/tasks?limit=&after=`.
 */
export function environmentRoutes(environments: ServedEnvironments): Hono {
  const factsOf = (id: string) => environments.find(id).facts()
  const app = new Hono()
  app.get('/', async (context) => {
    const all = await Promise.all(environments.ids.map(factsOf))
    return context.json(toList(all.map(describeFacts), false))
  })
  app.get('/:id', async (context) => {
    const facts = await factsOf(context.req.param('id'))
    const first = facts.tasks()[0]
    return context.json({ ...describeFacts(facts), guide: first ? facts.describe(first) : null })
  })
  app.get('/:id/tasks', async (context) => {
    const facts = await factsOf(context.req.param('id'))
    const value = context.req.query()
    const query = listQuerySchema.safeParse(value)
    if (!query.success) throw describeInvalid(query.error, { part: 'query', schema: listQuerySchema, value })
    const { limit, after } = query.data
    const tasks = facts.tasks()
    const at = after === undefined ? 0 : tasks.findIndex(({ id }) => id === after) + 1
    if (at === 0 && after !== undefined) {
      throw new EspalierError('unknown_task', `${facts.id} has no task "${after}".`, { param: 'after' })
    }
    const page = tasks.slice(at, at + limit)
    return context.json(
      toList(
        page.map((task) => ({ object: 'task' as const, ...task })),
        at + limit < tasks.length,
      ),
    )
  })
  return app
}
