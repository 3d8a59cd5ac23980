import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServedSite } from '../../../containers/sites/server/create-site-app.ts'
import { readPicture } from '../../../containers/sites/server/pictures.ts'
import { type SiteName, siteNames } from '../../../containers/sites/server/site.ts'
import { evaluateTask } from '../../../shared/environments/browser/evaluation/evaluate-task.ts'
import { taskEvaluationSchema } from '../../../shared/environments/browser/evaluation/task-evaluation.ts'
import { evaluatedPage } from './evaluated-visitor.ts'
import { type SiteTask, siteTasks } from './site-tasks.ts'
import { fillPlaceholders, openSites, resetSites, SiteVisitor } from './site-visitor.ts'
import { solveTask, taskWalks } from './task-walks.ts'

let sites: Record<SiteName, ServedSite>
beforeAll(() => {
  sites = openSites()
})
afterAll(() => {
  for (const { sessions } of Object.values(sites)) sessions.closeAll()
})

/** Opens a task's start page in a fresh copy, logged in where the task says so. */
async function begin(task: SiteTask): Promise<SiteVisitor> {
  const session = `task-${task.task_id}`
  await resetSites(sites, session)
  const visitor = new SiteVisitor(sites, { session, isLoggedIn: task.require_login })
  for (const address of task.start_url.split(' |AND| ').toReversed()) {
    await visitor.open(address)
    expect(visitor.status).toBe(200)
  }
  return visitor
}

/** The score of where a visitor stands and what was answered, by the rules of both benchmarks. */
async function score(task: SiteTask, visitor: SiteVisitor, answer: string): Promise<number[]> {
  const evaluation = taskEvaluationSchema.parse(JSON.parse(fillPlaceholders(JSON.stringify(task.eval))))
  const scores: number[] = []
  for (const benchmark of ['visualwebarena', 'webarena'] as const) {
    const ended = { benchmark, intent: task.intent, evaluation, answer }
    const result = await evaluateTask(ended, evaluatedPage(visitor))
    scores.push(result.questions.length > 0 ? Number.NaN : result.score)
  }
  return scores
}

describe.each(siteTasks.map((task) => [task.task_id, task.intent, task] as const))(
  'task %i: %s',
  (_id, _intent, task) => {
    test('its start scores 0, and what it asks for scores 1', async () => {
      const untouched = await begin(task)
      // Whether an answer says that it cannot be done, a model decides, unless it is N/A.
      const isAsked = task.eval.reference_answers?.fuzzy_match === 'N/A'
      expect(await score(task, untouched, '')).toEqual(isAsked ? [Number.NaN, Number.NaN] : [0, 0])
      const visitor = await begin(task)
      const answer = await solveTask(task, visitor)
      expect(await score(task, visitor, answer)).toEqual([1, 1])
    })
  },
)

test('intents are their templates filled in, and each template has its number', () => {
  for (const { intent, intent_template, instantiation_dict } of siteTasks) {
    const filled = Object.entries(instantiation_dict).reduce(
      (text, [name, value]) => text.replace(`{{${name}}}`, String(value)),
      intent_template,
    )
    expect(intent).toBe(filled)
  }
  const pairs = new Set(siteTasks.map((task) => `${task.intent_template_id} ${task.intent_template}`))
  expect(new Set(siteTasks.map(({ intent_template }) => intent_template)).size).toBe(pairs.size)
  expect(new Set(siteTasks.map(({ task_id }) => task_id)).size).toBe(siteTasks.length)
})

test('train and test share no template, and both have tasks of every site and kind of evaluation', () => {
  const of = (split: string) => siteTasks.filter((task) => task.split === split)
  const templates = (split: string) => new Set(of(split).map(({ intent_template_id }) => intent_template_id))
  expect([...templates('train')].filter((template) => templates('test').has(template))).toEqual([])
  for (const split of ['train', 'test']) {
    expect(new Set(of(split).flatMap((task) => task.sites))).toEqual(new Set(siteNames))
    const kinds = new Set(of(split).flatMap((task) => task.eval.eval_types))
    expect([...kinds]).toEqual(expect.arrayContaining(['string_match', 'url_match', 'program_html']))
    expect(of(split).some((task) => task.eval.reference_answers?.fuzzy_match === 'N/A')).toBe(true)
  }
})

test('a task names the log-in and the pictures that there are', () => {
  for (const { sites: named, require_login, storage_state, image, intent } of siteTasks) {
    const state = `./.auth/${named.toSorted().join('.')}_state.json`
    expect(storage_state, intent).toBe(require_login ? state : null)
    if (image !== null) expect(readPicture(image.split('/').at(-1) ?? ''), intent).toBeDefined()
  }
})

test('a picture of another colour, and another picture, do not pass for the one that is asked for', async () => {
  const task = siteTasks.find(({ eval: { eval_types } }) =>
    eval_types.includes('page_image_query'),
  ) as SiteTask
  for (const other of ['Two of them on my balcony', 'He owns the sofa now']) {
    const visitor = await begin(task)
    const walk = taskWalks[task.intent_template]
    await walk?.(visitor, { ...task.instantiation_dict, post: other } as Record<string, string>)
    expect((await score(task, visitor, ''))[0]).toBe(0)
  }
})
