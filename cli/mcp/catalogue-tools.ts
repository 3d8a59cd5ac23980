import { z } from 'zod'
import { describeParameters } from '../format-parameters.ts'
import { formatTable } from '../format-table.ts'
import { afterArgument, limitArgument, moreAfter, offsetArgument } from './arguments.ts'
import { defineTool, type Tool } from './tool.ts'

const width = 160

const listEnvironments = defineTool({
  name: 'list_environments',
  description: 'Lists the environments that agents can play, with their splits and step limits.',
  scope: null,
  input: z.strictObject({ offset: offsetArgument }),
  answer: (desk) =>
    desk.read(async ({ client }) => {
      const { data } = await client.environments()
      const columns = ['environment', 'tasks', 'steps', 'states', 'purpose'].map((header) => ({ header }))
      const rows = data.map(({ default_max_steps, description, id, snapshot, splits }) => [
        id,
        Object.entries(splits)
          .map(([split, count]) => `${split} ${count}`)
          .join(', '),
        String(default_max_steps),
        snapshot,
        description,
      ])
      return formatTable(columns, rows, Number.POSITIVE_INFINITY).join('\n')
    }),
})

const listTasks = defineTool({
  name: 'list_tasks',
  description: 'Lists tasks of one environment.',
  scope: null,
  input: z.strictObject({
    environment: z.string().min(1).max(200),
    split: z.string().min(1).max(200).optional(),
    type: z.string().min(1).max(200).optional(),
    limit: limitArgument(20),
    after: afterArgument,
    offset: offsetArgument,
  }),
  answer: (desk, { after, environment, limit, split, type }) =>
    desk.read(async ({ client }) => {
      const tasks = await client.tasks(environment, { split, type, limit, after })
      const rows = tasks.data.map((task) => [task.id, task.split, task.type, task.description])
      const columns = ['task', 'split', 'type', 'instruction'].map((header) => ({ header }))
      return [...formatTable(columns, rows, Number.POSITIVE_INFINITY), ...moreAfter(tasks)].join('\n')
    }),
})

const listMethods = defineTool({
  name: 'list_methods',
  description: 'Lists the methods of agents and searches, or the parameters of one.',
  scope: null,
  input: z.strictObject({
    method: z.string().min(1).max(200).optional().describe('One method, with its parameters.'),
    offset: offsetArgument,
  }),
  answer: (desk, { method }) =>
    desk.read(async ({ client }) => {
      if (method === undefined) {
        const { data } = await client.methods()
        const columns = ['method', 'purpose'].map((header) => ({ header }))
        const rows = data.map(({ description, id }) => [id, description])
        return formatTable(columns, rows, Number.POSITIVE_INFINITY).join('\n')
      }
      const { description, id, parameters } = await client.method(method)
      return [
        `${id}: ${description}`,
        '',
        ...describeParameters(parameters, width, { flag: '-', title: 'Parameters' }),
      ].join('\n')
    }),
})

const listModels = defineTool({
  name: 'list_models',
  description:
    'Lists the endpoints and the models with prices. A run under a cap in dollars needs a model with a price.',
  scope: null,
  input: z.strictObject({ offset: offsetArgument }),
  answer: (desk) =>
    desk.read(async ({ client }) => {
      const { data } = await client.models()
      const columns = ['endpoint', 'kind', 'ready', 'models', 'note'].map((header) => ({ header }))
      const rows = data.map(({ id, kind, models, note, ready }) => [
        id,
        kind,
        ready ? 'yes' : 'no',
        models.join(', '),
        note ?? '',
      ])
      return formatTable(columns, rows, Number.POSITIVE_INFINITY).join('\n')
    }),
})

export const catalogueTools: readonly Tool[] = [listEnvironments, listTasks, listMethods, listModels]
