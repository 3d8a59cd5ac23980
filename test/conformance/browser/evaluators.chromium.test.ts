import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { evaluatedBrowserPage, type SiteAccess } from '../../../containers/browser/evaluated-browser-page.ts'
import type { VerdictQuestion } from '../../../shared/core/contracts/model-question.ts'
import {
  includesReference,
  matchesExactly,
  readInteger,
  satisfiesInequality,
} from '../../../shared/environments/browser/evaluation/compare-answer.ts'
import { evaluateTask } from '../../../shared/environments/browser/evaluation/evaluate-task.ts'
import { imageSimilarity } from '../../../shared/environments/browser/evaluation/image-similarity.ts'
import { readPng } from '../../../shared/environments/browser/evaluation/pixel-picture.ts'
import { readVerdict } from '../../../shared/environments/browser/evaluation/score.ts'
import { taskEvaluationSchema } from '../../../shared/environments/browser/evaluation/task-evaluation.ts'
import { conformanceFolder, describeWithConformance, readConformance } from '../conformance-folder.ts'
import { openRecordedPages, type RecordedPages } from './open-recorded-pages.ts'

/** A call of a function. */
interface RecordedCall {
  fn: string
  ref?: string
  pred?: string | number
  value?: string | number
  inequality?: string
  a?: string
  b?: string
  score?: number | boolean
  result?: number | null
}

/** A whole task, with the page that its episode ended on and how often a model was asked. */
interface RecordedTask {
  fn: 'task'
  name: string
  page: string
  answer: string
  intent: string
  eval: object
  score: number
  judge_calls?: number
}

const isTask = (recorded: RecordedCall | RecordedTask): recorded is RecordedTask => recorded.fn === 'task'
const load = () => readConformance<(RecordedCall | RecordedTask)[]>('browser/evaluators.json')

describeWithConformance('browser/evaluators.json', load, (recorded) => {
  const calls = recorded.filter((each) => !isTask(each))
  const tasks = recorded.filter(isTask)
  const pages = openRecordedPages()

  test.each(tasks.map((task) => [task.name, JSON.stringify(task), task] as const))(
    'the task "%s" scores as the reference: %s',
    async (_name, _written, task) => {
      expect(await scoreTask(task, pages)).toEqual({ score: task.score, asked: task.judge_calls ?? 0 })
    },
  )

  test('holds calls and whole tasks', () => {
    expect(calls.length).toBeGreaterThan(0)
    expect(tasks.length).toBeGreaterThan(0)
  })

  test.each(calls.map((call) => [call.fn, JSON.stringify(call), call] as const))(
    '%s scores %s as the reference',
    (_fn, _written, call) => {
      const { score, expected } = play(call)
      if (call.fn === 'ssim') expect(score).toBeCloseTo(Number(expected), 9)
      else expect(score).toBe(expected)
    },
  )
})

function play(call: RecordedCall): { score: unknown; expected: unknown } {
  const { ref = '', pred = '', value = '', inequality = '', a = '', b = '' } = call
  const expected = call.score
  switch (call.fn) {
    case 'exact_match':
      return { score: Number(matchesExactly(ref, String(pred))), expected }
    case 'must_include':
      return { score: Number(includesReference(ref, String(pred))), expected }
    case 'must_exclude':
      return { score: Number(!includesReference(ref, String(pred))), expected }
    case 'compare_inequality':
      return { score: satisfiesInequality(Number(value), inequality), expected }
    case 'str_2_int':
      return { score: readInteger(String(value)) ?? null, expected: call.result }
    case 'ssim':
      return { score: imageSimilarity(readPicture(a), readPicture(b)), expected }
    default:
      return expect.unreachable(`no function is known as ${call.fn}`)
  }
}

async function scoreTask({ page: file, answer, intent, eval: written }: RecordedTask, pages: RecordedPages) {
  const served = JSON.parse(pages.toServed(JSON.stringify(written)))
  const page = await pages.open(file)
  const ended = {
    benchmark: 'visualwebarena' as const,
    intent,
    answer,
    evaluation: taskEvaluationSchema.parse(served),
  }
  const verdict = await evaluateTask(ended, evaluatedBrowserPage(page, onlyPictures))
  await page.context().close()
  const judged = verdict.questions.flat().filter(({ role }) => role === 'judge')
  const holds = verdict.questions.every((group) =>
    group.some((question) => readVerdict(question, recordedAnswer(question)) === 'yes'),
  )
  return { score: holds ? verdict.score : 0, asked: judged.length }
}

/** What the reference's models answered when the tasks were recorded. */
function recordedAnswer({ role, text }: VerdictQuestion): string {
  if (role === 'captioner') return 'yes, red'
  const [, kind, graded = ''] = /^(Answer to grade|Report): (\w*)/im.exec(text) ?? []
  if (kind === 'Report') return /^bad/i.test(graded) ? 'different' : 'same'
  if (/^half/i.test(graded)) return 'partially correct'
  return /^bad/i.test(graded) ? 'incorrect' : 'correct'
}

const noShop = () => expect.unreachable('no recorded task asks a shop')
const onlyPictures: SiteAccess = {
  fetchPicture: async (address) => new Uint8Array(await (await fetch(address)).arrayBuffer()),
  site: noShop,
  shop: { ask: noShop, customer: noShop },
}

function readPicture(name: string) {
  return readPng(readFileSync(join(conformanceFolder, 'browser/ssim', `${name}.png`)))
}
