import type { Domain } from '../planning/parse-domain.ts'
import { barmanLanguage } from './domains/barman.ts'
import { blockworldLanguage } from './domains/blockworld.ts'
import { gripperLanguage } from './domains/gripper.ts'
import { tyreworldLanguage } from './domains/tyreworld.ts'

export interface Language {
  readonly sentences: Readonly<Record<string, string>>
  readonly phrases: Readonly<Record<string, string>>
}

const languages: readonly Language[] = [
  blockworldLanguage,
  gripperLanguage,
  tyreworldLanguage,
  barmanLanguage,
]

/**
 * The language of a domain. It uses the texts of a robot-planning domain that has a phrase for each of its actions.
 * Other names stay as they are with their objects, as in `drive truck1 depot`.
 */
export function languageOf(domain: Domain): Language {
  const known = languages.find(({ phrases }) =>
    domain.actions.every(
      ({ name, parameters }) => countPlaceholders(own(phrases, name) ?? '') === parameters.length,
    ),
  )
  const sentences: [string, string][] = [...domain.predicates].map(([name, arity]) => {
    const sentence = own(known?.sentences, name)
    return [
      name,
      sentence !== undefined && countPlaceholders(sentence) === arity ? sentence : plain(name, arity),
    ]
  })
  const phrases = domain.actions.map(({ name, parameters }): [string, string] => [
    name,
    own(known?.phrases, name) ?? plain(name, parameters.length),
  ])
  return { sentences: Object.fromEntries(sentences), phrases: Object.fromEntries(phrases) }
}

export function say(template: string, objects: readonly string[]): string {
  return template.replace(/\{(\d+)\}/g, (_slot, place) => objects[Number(place)] ?? '')
}

export function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** The template of a name. Names are a user's, and one may be called `constructor`. */
function own(templates: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  return templates !== undefined && Object.hasOwn(templates, name) ? templates[name] : undefined
}

export function countPlaceholders(template: string): number {
  return new Set(template.match(/\{\d+\}/g)).size
}

function plain(name: string, arity: number): string {
  return [name, ...Array.from({ length: arity }, (_none, place) => `{${place}}`)].join(' ')
}
