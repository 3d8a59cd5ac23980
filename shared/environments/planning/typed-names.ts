import {
  type Expression,
  failure,
  isWord,
  type ListExpression,
  type PddlSource,
  wordOf,
} from './expression.ts'

export interface TypedName {
  readonly name: string
  readonly types: readonly string[]
}

export const rootType = 'object'

/**
 * Reads `a b - type c - (either d e) f`. A name without a type is an `object`. A type need not be declared: it then
 * has no objects.
 */
export function readTypedNames(
  source: PddlSource,
  items: readonly Expression[],
  list: ListExpression,
): TypedName[] {
  const named: TypedName[] = []
  let waiting: string[] = []
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index]
    const word = wordOf(source, item, list, 'a name')
    if (word !== '-') {
      waiting.push(word)
      continue
    }
    index += 1
    const types = readTypes(source, items[index], list)
    named.push(...waiting.map((name) => ({ name, types })))
    waiting = []
  }
  return [...named, ...waiting.map((name) => ({ name, types: [rootType] }))]
}

function readTypes(source: PddlSource, expression: Expression | undefined, list: ListExpression): string[] {
  if (expression === undefined || isWord(expression)) {
    return [wordOf(source, expression, list, 'a type after "-"')]
  }
  const [either, ...types] = expression.items
  if (!isWord(either) || either.word !== 'either') throw failure(source, expression.offset, '"(either …)"')
  return types.map((type) => wordOf(source, type, expression, 'a type'))
}
