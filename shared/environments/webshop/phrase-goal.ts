import type { Random } from '../../core/random/random.ts'
import { choose } from '../../core/random/shuffled.ts'

export interface Wish {
  kind: string
  qualities: readonly string[]
  use: string | undefined
  options: readonly (readonly [name: string, value: string])[]
  /** In dollars. */
  price_upper: number
}

interface Parts {
  kind: string
  qualities: string
  use: string
  options: string
  price: string
}

const patterns: readonly ((parts: Parts) => string)[] = [
  ({ kind, qualities, use, options, price }) =>
    `i am looking for ${kind}${use} that should be ${qualities}${options}. it has to cost less than ${price} dollars`,
  ({ kind, qualities, use, options, price }) =>
    `i need ${qualities} ${kind}${use}${options}, and my budget is under ${price} dollars`,
  ({ kind, qualities, use, options, price }) =>
    `can you find me ${kind}${use}? i want something ${qualities}${options}, priced below ${price} dollars`,
  ({ kind, qualities, use, options, price }) =>
    `please get ${kind} which is ${qualities}${use}${options}, for no more than ${price} dollars`,
  ({ kind, qualities, use, options, price }) =>
    `my sister would like ${kind}${use}${options}. it must be ${qualities} and cheaper than ${price} dollars`,
  ({ kind, qualities, use, options, price }) =>
    `show me ${qualities} ${kind}${options}${use}, and price lower than ${price} dollars`,
]

export function phraseGoal(
  { kind, qualities, use, options, price_upper }: Wish,
  random: Random | null,
): string {
  const price = price_upper.toFixed(2)
  const purpose = use === undefined ? '' : ` for ${use}`
  if (random === null) {
    const chosen = options.map(([name, value]) => `${name}: ${value}`).join(', and ')
    const versions = chosen === '' ? '' : ` with ${chosen}`
    return `Find me ${qualities.join(', ')} ${kind}${purpose}${versions}, and price lower than ${price} dollars`
  }
  const pattern = choose(patterns, random) as (parts: Parts) => string
  return pattern({ kind, qualities: qualities.join(' and '), use: purpose, options: worded(options), price })
}

const wordings: Record<string, (value: string) => string> = {
  color: (value) => ` in ${value}`,
  size: (value) => ` in size ${value}`,
  scent: (value) => ` with ${value} scent`,
  flavor: (value) => ` with ${value} flavor`,
}

function worded(options: Wish['options']): string {
  return options.map(([name, value]) => (wordings[name] ?? ((other) => ` as ${other}`))(value)).join(' and')
}
