import { pythonStrip } from '../../python-text.ts'
import { wordTokens } from './word-tokens.ts'

export type Benchmark = 'visualwebarena' | 'webarena'

// Whose rules compare: a benchmark's, or `exact`, VisualWebArena's as ExACT changed them.
export type AnswerRules = Benchmark | 'exact'

/** The benchmark's rules cannot score a task's evaluation or its input. Never a score of 0. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError'
}

const tolerance = 1e-8
const alternatives = ' |OR| '

export function alternativesOf(reference: string): string[] {
  return reference.split(alternatives)
}

export function cleanAnswer(answer: string, benchmark: AnswerRules = 'visualwebarena'): string {
  const text = benchmark === 'webarena' ? pythonStrip(answer) : answer
  const quote = ["'", '"'].find((mark) => text.startsWith(mark) && text.endsWith(mark))
  return (quote === undefined ? text : text.slice(1, -1)).toLowerCase()
}

export function matchesExactly(
  reference: string,
  answer: string,
  benchmark: AnswerRules = 'visualwebarena',
): boolean {
  return cleanAnswer(answer, benchmark) === cleanAnswer(reference, benchmark)
}

/**
 * Tests if the answer includes the reference: as one of its words if the reference is a single word, otherwise
 * anywhere. WebArena compares words only if the reference is a single character and the task has no other. ExACT
 * compares words that are numbers by their value.
 */
export function includesReference(
  reference: string,
  answer: string,
  benchmark: AnswerRules = 'visualwebarena',
  isOnly = false,
): boolean {
  const wanted = cleanAnswer(reference, benchmark)
  const given = cleanAnswer(answer, benchmark)
  const byWords = benchmark !== 'webarena' || (isOnly && [...wanted].length === 1)
  if (!byWords || wordTokens(wanted).length !== 1) return given.includes(wanted)
  const value = benchmark === 'exact' ? pythonFloat(wanted) : undefined
  return wordTokens(given).some(
    (word) => (value === undefined ? word : (pythonFloat(word) ?? word)) === (value ?? wanted),
  )
}

export function readInteger(text: string): number | undefined {
  return pythonInt(pythonStrip(text).replaceAll(',', ''))
}

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '<=': (value, bound) => value <= bound + tolerance,
  '>=': (value, bound) => value >= bound - tolerance,
  '==': (value, bound) => Math.abs(value - bound) <= tolerance,
  '<': (value, bound) => value < bound + tolerance,
  '>': (value, bound) => value > bound - tolerance,
}

/**
 * Tests a value against a comparison such as `>= 300`. Strict comparisons also hold at their bound, because of the
 * reference's tolerance.
 * @throws EvaluationError if the text is no comparison.
 */
export function satisfiesInequality(value: number, inequality: string): boolean {
  const operator = Object.keys(comparisons).find((candidate) => inequality.includes(candidate))
  const [, bound, ...others] = operator === undefined ? [] : inequality.split(operator)
  const compare = comparisons[operator ?? '']
  if (compare === undefined || bound === undefined || others.length > 0 || !/\d/.test(bound)) {
    throw new EvaluationError(`${inequality} is no comparison: write one such as ">= 300"`)
  }
  const limit = Number(bound.trim().replaceAll('_', ''))
  if (Number.isNaN(limit)) throw new EvaluationError(`${inequality} compares with no number`)
  return compare(value, limit)
}

export function satisfiesAll(value: number, inequalities: readonly string[]): boolean {
  return inequalities.every((each) => alternativesOf(each).some((one) => satisfiesInequality(value, one)))
}

const integer = /^[+-]?\d+(?:_\d+)*$/
const decimal = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i
const named = /^([+-]?)(?:inf|infinity)$/i

/** Python's `int(text)`: digits of any script, and single underscores between them. Undefined: a ValueError. */
function pythonInt(text: string): number | undefined {
  const written = withPlainDigits(pythonStrip(text))
  return integer.test(written) ? Number(written.replaceAll('_', '')) : undefined
}

/** Python's `float(text)`. Undefined: a ValueError. */
function pythonFloat(text: string): number | undefined {
  const written = withPlainDigits(pythonStrip(text))
  if (decimal.test(written)) return Number(written.replaceAll('_', ''))
  if (/^[+-]?nan$/i.test(written)) return Number.NaN
  const [, sign] = named.exec(written) ?? []
  return sign === undefined ? undefined : sign === '-' ? -Infinity : Infinity
}

// Unicode has decimal digits in runs of ten, each from zero to nine.
function withPlainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    let first = code
    while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1
    return String((code - first) % 10)
  })
}
