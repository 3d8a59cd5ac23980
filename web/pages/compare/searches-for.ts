import type { Query } from '../../../shared/client/transport.ts'

/** How many runs each search finds. */
const most = 30

/** No text is meant for more methods than these. */
const mostMethods = 3

/**
 * The lists of runs to ask for: those whose names hold the text, and those of the methods whose ids do.
 *
 * @param environment - to which the search is kept, where one is given
 */
export function searchesFor(
  text: string,
  { environment, methods }: { environment: string | null; methods: readonly string[] },
): Query[] {
  const base: Query = { limit: most, ...(environment !== null && { environment }) }
  if (text === '') return [base]
  const meant = methods.filter((method) => method.includes(text.toLowerCase())).slice(0, mostMethods)
  return [{ ...base, name: text }, ...meant.map((method) => ({ ...base, method }))]
}
