import { seededRandom } from '../../../shared/core/random/seeded-random.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import type { PlayOnceOptions } from '../../support/play-once.ts'
import { act, scriptedModel, scriptedRoles } from '../../support/scripted-episode.ts'

const grades = { A: 1, B: 0.7, C: 0.5, D: -0.2, E: -1 }

/** A made-up task whose policy and judge can be asked in a test as a search asks them in an episode. */
export function makeSearch(seed: number) {
  const environment = createHashEnvironment(seed, { depth: 4 })
  const judged = (way: string): keyof typeof grades =>
    'BBCCDDEEEA'[Math.floor(seededRandom('grade', seed, way)() * 10)] as keyof typeof grades
  const proposed = (way: string, count: number): string[] => {
    const random = seededRandom('policy', seed, way)
    return Array.from({ length: count }, () => `a${Math.floor(random() * 3)}`)
  }
  const model = scriptedModel(({ role, way, request: { n = 1 } }) =>
    role === 'policy' ? proposed(way, n).map(act) : `Status code: ${judged(way)}`,
  )
  const given: Pick<PlayOnceOptions, 'environment' | 'model' | 'request'> = {
    environment,
    model,
    request: { roles: scriptedRoles },
  }
  return {
    given,
    model,
    proposed,
    valueOf: (way: string) => grades[judged(way)],
    /** What the environment says of a state: whether the task ended there, and with which reward. */
    at(way: string) {
      let answer = { state: { path: [] as string[] }, reward: 0, done: false }
      for (const action of way === '' ? [] : way.split('/')) answer = environment.step(answer.state, action)
      return { done: answer.done, reward: Math.max(0, answer.reward) }
    },
  }
}

export type MadeSearch = ReturnType<typeof makeSearch>

export const below = (way: string, action: string): string => (way === '' ? action : `${way}/${action}`)

export const depthOf = (way: string): number => (way === '' ? 0 : way.split('/').length)
