import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  includesReference,
  matchesExactly,
  readInteger,
  satisfiesInequality,
} from '../../../shared/environments/browser/evaluation/compare-answer.ts'
import { imageSimilarity } from '../../../shared/environments/browser/evaluation/image-similarity.ts'
import { readPng } from '../../../shared/environments/browser/evaluation/pixel-picture.ts'
import { conformanceFolder, describeWithConformance, readConformance } from '../conformance-folder.ts'

/** A call of a function; `task` is a whole task. */
interface RecordedCall {
  fn: string
  name?: string
  ref?: string
  pred?: string | number
  value?: string | number
  inequality?: string
  a?: string
  b?: string
  score?: number | boolean
  result?: number | null
}

const isCall = ({ fn }: RecordedCall) => fn !== 'task'
const load = () => readConformance<RecordedCall[]>('browser/evaluators.json')

describeWithConformance('browser/evaluators.json', load, (recorded) => {
  const calls = recorded.filter(isCall)
  const tasks = recorded.filter((call) => !isCall(call))

  test.skip.each(tasks.map((task) => [JSON.stringify(task)]))(
    'a whole task is not scored: what looks at its last page is not built: %s',
    () => expect.unreachable(),
  )

  test('holds calls', () => {
    expect(calls.length).toBeGreaterThan(0)
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

function readPicture(name: string) {
  return readPng(readFileSync(join(conformanceFolder, 'browser/ssim', `${name}.png`)))
}
