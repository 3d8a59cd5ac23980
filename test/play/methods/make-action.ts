import type { LearnedAction } from '../../../shared/core/contracts/library.ts'

export function makeAction(code: string, facts: Partial<LearnedAction> = {}): LearnedAction {
  const [, name = '', parameters = ''] = /function (\w+)\(([^)]*)\)/.exec(code) ?? []
  return {
    name,
    group: null,
    parameters: parameters.split(', ').filter((parameter) => parameter !== ''),
    description: 'Does something.',
    code,
    usage: '',
    notes: [],
    scores: null,
    lineage: [],
    ...facts,
  }
}

/** Walks so many places; it fails where there is no place to go to. */
export const walk = makeAction(`function walk(count, way) {
  for (let step = 0; step < count; step += 1) act(way)
}`)
