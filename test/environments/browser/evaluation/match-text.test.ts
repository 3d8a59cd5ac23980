import { expect, test } from 'vitest'
import { readInteger } from '../../../../shared/environments/browser/evaluation/compare-answer.ts'
import { matchAnswer, matchContents } from '../../../../shared/environments/browser/evaluation/match-text.ts'
import { readVerdict } from '../../../../shared/environments/browser/evaluation/score.ts'
import {
  referenceAnswersSchema,
  taskEvaluationSchema,
} from '../../../../shared/environments/browser/evaluation/task-evaluation.ts'

const task = { benchmark: 'visualwebarena', intent: 'Which one?', note: 'it is sold out' } as const
const webarena = { ...task, benchmark: 'webarena' } as const
const match = (references: object, answer: string, of: Parameters<typeof matchAnswer>[2] = task) =>
  matchAnswer(referenceAnswersSchema.parse(references), answer, of)

test('all that a task names has to hold', () => {
  expect(match({ must_include: ['red', 'lamp'], must_exclude: ['blue'] }, 'a red lamp').score).toBe(1)
  expect(match({ must_include: ['red', 'lamp'], must_exclude: ['blue'] }, 'red').score).toBe(0)
  expect(match({ one_of: ['red', 'green'] }, 'dark green').score).toBe(1)
  expect(match({ one_of: ['red', 'green'] }, 'blue').score).toBe(0)
  expect(match({ required_values: ['>= 5'] }, 'about 7').score).toBe(0)
})

test('WebArena looks for a single character among words where it is all that is asked for, and elsewhere anywhere', () => {
  expect(match({ must_include: ['0'] }, '100', webarena).score).toBe(0)
  expect(match({ must_include: ['10'] }, '100', webarena).score).toBe(1)
  expect(match({ must_include: ['0', '1'] }, '100', webarena).score).toBe(1)
  expect(match({ must_include: ['10'] }, '100').score).toBe(0)
  expect(matchContents({ must_include: ['0'] }, '100', 'webarena').score).toBe(1)
})

test.each([
  ['1', '0 [3] 1.0 $25.99', 1],
  ['1', '1.00 - 5.00', 1],
  ['25.990', '0 [3] 1.0 $25.99', 1],
  ['1e2', 'about 100', 1],
  ['2', '0 [3] 1.0 $25.99', 0],
  ['1', '10', 0],
  ['nan', 'nan', 0],
  ['red', 'a red lamp', 1],
] as const)('ExACT finds %s in %s by its value', (reference, answer, score) => {
  const exact = { ...task, benchmark: 'exact' } as const
  expect(match({ must_include: [reference] }, answer, exact).score).toBe(score)
  expect(matchContents({ must_include: [reference] }, answer, 'exact').score).toBe(score)
})

test('VisualWebArena compares words as they are written, and ExACT what must not be included', () => {
  expect(match({ must_include: ['1'] }, '0 [3] 1.0 $25.99').score).toBe(0)
  expect(match({ must_exclude: ['1'] }, 'only 1.0', { ...task, benchmark: 'exact' }).score).toBe(1)
})

test.each([
  ['١٢', 12],
  ['１,２３４', 1234],
  [' 1_000 ', 1000],
  ['𝟟', 7],
  ['7.0', undefined],
  ['1__0', undefined],
  ['', undefined],
])('int reads "%s" as %s', (text, value) => expect(readInteger(text)).toBe(value))

test('a task that cannot be done passes by "N/A", or by a reason that a model compares', () => {
  expect(match({ fuzzy_match: 'N/A' }, 'N/A')).toEqual({ score: 1, questions: [] })
  const [[question]] = match({ fuzzy_match: 'N/A' }, 'There are none left').questions as never as [
    [{ text: string; role: string }],
  ]
  expect(question.role).toBe('judge')
  expect(question.text).toContain('Actual reason: it is sold out')
  expect(question.text).toContain('Report: there are none left')
})

test('a score of 0 asks no model', () => {
  expect(match({ must_include: ['red'], fuzzy_match: ['a lamp'] }, 'a desk')).toEqual({
    score: 0,
    questions: [],
  })
})

test('alternatives on a page make one group of questions, of which one needs a yes', () => {
  const { questions } = matchContents({ fuzzy_match: ['a |OR| b', 'c'] }, 'text', 'visualwebarena')
  expect(questions.map((group) => group.length)).toEqual([2, 1])
})

test.each([
  ['The answer is Correct.', 'yes'],
  ['partially correct', 'no'],
  ['That is incorrect', 'no'],
  ['I cannot say', 'unreadable'],
])('the judge that says "%s" is read as %s', (answer, verdict) => {
  const [[question]] = match({ fuzzy_match: ['lamp'] }, 'a lamp').questions as never as [[never]]
  expect(readVerdict(question, answer)).toBe(verdict)
})

test.each([
  [{ eval_types: ['string_match'] }, 'reference_answers'],
  [{ eval_types: ['url_match'], reference_url: '' }, 'reference_url'],
  [{ eval_types: ['program_html'], program_html: [] }, 'program_html'],
  [
    { eval_types: ['program_html'], program_html: [{ url: 'last', required_contents: {} }] },
    'required_contents',
  ],
  [{ eval_types: ['page_image_query'], page_image_query: [{ eval_image_url: 'last' }] }, 'page_image_query'],
  [{ eval_types: ['guess'] }, 'eval_types'],
])('an evaluation that lacks something says what: %j', (evaluation, field) => {
  const { error } = taskEvaluationSchema.safeParse(evaluation)
  expect(error?.issues.map(({ path }) => path.join('.')).join()).toContain(field)
})
