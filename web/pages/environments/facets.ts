import type { EnvironmentInfo } from '../../../shared/core/contracts/catalogue.ts'

export const stateWords = {
  native: 'are copied',
  replay: 'are replayed',
  none: 'cannot be gone back to',
} as const satisfies Record<EnvironmentInfo['snapshot'], string>

export const kindWords = {
  text: 'text',
  pages: 'web pages',
  computer: 'a whole computer',
  tools: 'tools of a server',
} as const satisfies Record<EnvironmentInfo['kind'], string>

export const needWords = {
  nothing: 'nothing',
  host: 'hosts',
  data: 'a data pack',
  model: 'models beside the agent’s',
} as const

export type Need = keyof typeof needWords

export interface Facets {
  text: string
  kind: string
  tool: string
  states: string
  need: string
}

export function needsOf({ hosting, roles = [], splits }: EnvironmentInfo): Need[] {
  const needs: Need[] = [
    ...(hosting === 'host' ? (['host'] as const) : []),
    ...(Object.keys(splits).length === 0 ? (['data'] as const) : []),
    ...(roles.length > 0 ? (['model'] as const) : []),
  ]
  return needs.length === 0 ? ['nothing'] : needs
}

export function toolsIn(environments: readonly Pick<EnvironmentInfo, 'tools'>[]): string[] {
  return [...new Set(environments.flatMap(({ tools }) => tools))].sort()
}

export function passes(environment: EnvironmentInfo, { kind, need, states, text, tool }: Facets): boolean {
  const { description, id, snapshot, tools, types } = environment
  const words = text.toLowerCase().split(/\s+/)
  const texts = [id, description, ...types].join('\n').toLowerCase()
  return (
    words.every((word) => texts.includes(word)) &&
    (kind === '' || kind === environment.kind) &&
    (tool === '' || tools.includes(tool)) &&
    (states === '' || states === snapshot) &&
    (need === '' || needsOf(environment).some((each) => each === need))
  )
}
