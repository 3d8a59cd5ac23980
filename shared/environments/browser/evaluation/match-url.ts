import type { AnswerRules } from './compare-answer.ts'
import { alternativesOf, EvaluationError } from './compare-answer.ts'

export type UrlRule = 'EXACT' | 'GOLD in PRED'

const usualRule: Record<AnswerRules, UrlRule> = {
  visualwebarena: 'EXACT',
  exact: 'EXACT',
  webarena: 'GOLD in PRED',
}

/**
 * `url_match`: tests if the final page's address equals one of the references, ignoring a trailing slash. By `GOLD in
 * PRED`, the host and path of one reference must occur in the address. Each query field of the references must also
 * have one of their values in the address.
 */
export function matchesUrl(
  reference: string,
  address: string,
  { benchmark, rule = usualRule[benchmark] }: { benchmark: AnswerRules; rule?: UrlRule },
): boolean {
  const references = alternativesOf(reference).map((each) => cleanUrl(each, benchmark))
  const last = cleanUrl(address, benchmark)
  if (rule === 'EXACT') return references.includes(last)
  const wanted = references.map(splitUrl)
  const given = splitUrl(last)
  const fields = new Set(wanted.flatMap(({ query }) => [...query.keys()]))
  return (
    wanted.some(({ base }) => given.base.includes(base)) &&
    [...fields].every((field) =>
      wanted.some(({ query }) =>
        query.getAll(field).some((value) => given.query.getAll(field).includes(value)),
      ),
    )
  )
}

function cleanUrl(url: string, benchmark: AnswerRules): string {
  if (benchmark === 'webarena') return url.replace(/\/+$/, '')
  return url.replaceAll('localhost', '127.0.0.1').replace(/\/$/, '')
}

function splitUrl(url: string): { base: string; query: URLSearchParams } {
  const parts = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?([^?#]*)(?:\?([^#]*))?/i.exec(url)
  if (parts === null) throw new EvaluationError(`${url} is no address`)
  const [, base = '', written = ''] = parts
  const query = new URLSearchParams([...new URLSearchParams(written)].filter(([, value]) => value !== ''))
  return { base, query }
}
