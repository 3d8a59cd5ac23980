import { EvaluationError } from './compare-answer.ts'

/** A helper that a task names, with its arguments: texts, numbers, and the page itself. */
export interface HelperCall {
  name: string
  arguments: readonly (string | number | typeof pageArgument)[]
}

/** Stands for the page that is looked at: `__page__`. */
export const pageArgument = Symbol('__page__')

const callPattern = /^\s*([a-z_]\w*)\s*\(([\s\S]*)\)\s*$/i
const argumentPattern =
  /\s*(?:(__page__|page)\b|(-?\d+(?:\.\d+)?)|(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'))\s*(,|$)/y

/**
 * Reads what tasks write after `func:`: one call of a helper with literal arguments. Nothing is evaluated.
 *
 * @param lastUrl what `__last_url__` stands for
 * @throws EvaluationError where it is anything else
 */
export function parseHelperCall(written: string, lastUrl: string): HelperCall {
  const text = written.replaceAll('__last_url__', lastUrl)
  const [, name, between = ''] = callPattern.exec(text) ?? []
  if (name === undefined) throw unreadable(written)
  const values: HelperCall['arguments'][number][] = []
  argumentPattern.lastIndex = 0
  for (let more = between.trim() !== ''; more; ) {
    const match = argumentPattern.exec(between)
    if (match === null) throw unreadable(written)
    const [, page, number, double, single, comma] = match
    if (page !== undefined) values.push(pageArgument)
    else if (number !== undefined) values.push(Number(number))
    else values.push((double ?? single ?? '').replace(/\\(.)/g, '$1'))
    more = comma === ',' && argumentPattern.lastIndex < between.length
    if (!more && argumentPattern.lastIndex < between.length) throw unreadable(written)
  }
  return { name, arguments: values }
}

function unreadable(written: string): EvaluationError {
  return new EvaluationError(
    `"func:${written}" is not one call of a helper with texts, numbers or __page__ as its arguments`,
  )
}
