import { EvaluationError } from './compare-answer.ts'

export interface HelperCall {
  name: string
  arguments: readonly (string | number | typeof pageArgument)[]
}

export const pageArgument = Symbol('__page__')

const callPattern = /^\s*([a-z_]\w*)\s*\(([\s\S]*)\)\s*$/i
const argumentPattern =
  /\s*(?:(__page__|page)\b|(-?\d+(?:\.\d+)?)|(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'))\s*(,|$)/y

/**
 * Reads the text that tasks write after `func:`: one call of a helper with literal arguments. Nothing is evaluated.
 * @param lastUrl the value of `__last_url__`
 * @throws EvaluationError for any other text
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
