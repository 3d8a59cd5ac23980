import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Environment, type EnvironmentFacts, type EnvironmentTask, isHosted } from '../environment.ts'
import { actionToolSchema } from '../tools/action-tool.ts'
import type { CheckBook, CheckId } from './check-book.ts'
import { errorLine } from './shown-text.ts'

const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be 1 to 64 lower-case letters, digits and hyphens')
const text = z.string().regex(/\S/, 'must not be empty')

const factsSchema = z.object({
  id: name,
  description: text,
  snapshot: z.enum(['native', 'replay', 'none']),
  deterministic: z.boolean(),
  success_threshold: z.number().positive(),
  default_max_steps: z.int().positive().max(100_000),
})

const taskSchema = z.object({
  id: z.string().min(1).max(256),
  split: name,
  type: text,
  description: z.string(),
  max_steps: z.int().positive().optional(),
  min_steps: z.int().nonnegative().optional(),
})

const guideSchema = z.object({
  rules: text,
  example: z
    .object({
      observation: text,
      turns: z.array(z.object({ thought: text, action: text, observation: z.string() })).min(1),
    })
    .nullable(),
  program: text.optional(),
  tools: z.array(actionToolSchema).min(1).optional(),
})

export function checkDeclarations(environment: Environment, book: CheckBook): readonly EnvironmentTask[] {
  checkShape(book, 'facts', factsSchema, environment)
  if (!isHosted(environment) && !(environment.snapshot === 'native' && environment.deterministic)) {
    book.fail('facts', { reason: 'A pure environment has native snapshots and is deterministic.' })
  }
  try {
    const tasks = environment.tasks()
    checkTasks(tasks, book)
    if (!isDeepStrictEqual(environment.tasks(), tasks)) {
      book.fail('tasks', { reason: 'tasks() gave other tasks when it was asked again.' })
    }
    return tasks
  } catch (error) {
    book.fail('tasks', { reason: `tasks() failed: ${errorLine(error)}` })
    return []
  }
}

export function checkGuide(
  environment: Pick<EnvironmentFacts, 'describe'>,
  task: EnvironmentTask,
  book: CheckBook,
): void {
  try {
    checkShape(book, 'guide', guideSchema, environment.describe(task), task.id)
  } catch (error) {
    book.fail('guide', { reason: `describe() failed: ${errorLine(error)}`, task: task.id })
  }
}

function checkTasks(tasks: readonly EnvironmentTask[], book: CheckBook): void {
  book.hold('tasks')
  if (tasks.length === 0) book.fail('tasks', { reason: 'There are no tasks.' })
  const ids = new Set<string>()
  const ended = new Set<string>()
  for (const [index, task] of tasks.entries()) {
    checkShape(book, 'tasks', taskSchema, task, String(task.id))
    if (ids.has(task.id)) book.fail('tasks', { reason: `Two tasks have the id "${task.id}".`, task: task.id })
    ids.add(task.id)
    const before = tasks[index - 1]?.split
    if (before !== undefined && before !== task.split) ended.add(before)
    if (ended.has(task.split)) {
      book.fail('tasks', {
        reason: `The split "${task.split}" begins again at ${task.id}: list tasks split by split.`,
        task: task.id,
      })
    }
  }
}

function checkShape(book: CheckBook, check: CheckId, schema: z.ZodType, value: unknown, task?: string): void {
  book.hold(check)
  const issue = schema.safeParse(value).error?.issues[0]
  if (issue === undefined) return
  const reason = `${issue.path.join('.') || 'It'}: ${issue.message}`
  book.fail(check, { reason, ...(task !== undefined && { task }) })
}
