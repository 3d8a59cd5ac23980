import { matches, type PddlScene } from './pddl-prompt.ts'

const hands = ['left', 'right']

/** The next right action behind the bar: cocktails first, mixed with a shot that no order needs, then plain ingredients. */
export function planBarman({ facts, goal }: PddlScene): string | null {
  const orders = (matches(goal, '* contains *') as [string, string][]).filter(
    ([shot, drink]) => !facts.has(`${shot} contains ${drink}`),
  )
  const [shaker = ''] = matches(facts, '* is at level * when empty')[0] ?? []
  const held = new Map(matches(facts, 'hand * holds *') as [string, string][])
  const level = matches(facts, `${shaker} is filled to level *`)[0]?.[0] ?? ''
  const partsOf = (drink: string) =>
    ['first', 'second'].flatMap((place) => matches(facts, `the ${place} part of ${drink} is *`).flat())
  const contentOf = (container: string) => matches(facts, `${container} contains *`).flat()
  const is = (container: string, what: string) => facts.has(`${container} is ${what}`)

  const cocktails = orders.filter(([, drink]) => partsOf(drink).length > 0)
  const inShaker = contentOf(shaker)
  const [shot, drink] =
    cocktails.find(([, each]) => inShaker.includes(each)) ?? cocktails[0] ?? orders[0] ?? []
  if (shot === undefined || drink === undefined) return null
  return cocktails.length > 0 ? serveCocktail(shot, drink) : fill(shot, drink)

  function serveCocktail(target: string, cocktail: string): string {
    if (is(shaker, 'shaken')) {
      if (!inShaker.includes(cocktail)) return emptyShaker(inShaker[0] ?? '')
      if (!is(target, 'empty') || !is(target, 'clean')) return cleanShot(target)
      const lower = matches(facts, `level * comes before level ${level}`)[0]?.[0] ?? ''
      return (
        hold(shaker) ??
        `pour ${cocktail} from ${shaker} into ${target} with ${handOf(shaker)} from level ${level} to ${lower}`
      )
    }
    if (is(shaker, 'empty') && !is(shaker, 'clean')) {
      return holdAlone(shaker) ?? `clean ${shaker} using ${both(shaker)}`
    }
    const parts = partsOf(cocktail)
    const missing = parts.find((part) => !inShaker.includes(part))
    if (missing !== undefined) return addPart(missing)
    return (
      holdAlone(shaker) ?? `shake ${cocktail} of ${parts.join(' and ')} in ${shaker} using ${both(shaker)}`
    )
  }

  function addPart(ingredient: string): string {
    const mixer = mixingShot(ingredient)
    if (!contentOf(mixer).includes(ingredient)) return fill(mixer, ingredient)
    const upper = matches(facts, `level ${level} comes before level *`)[0]?.[0] ?? ''
    const manner = is(shaker, 'empty') ? 'clean' : 'used'
    return (
      hold(mixer) ??
      `pour ${ingredient} from ${mixer} into ${manner} ${shaker} with ${handOf(mixer)} from level ${level} to ${upper}`
    )
  }

  function emptyShaker(content: string): string {
    const bottom = matches(facts, `${shaker} is at level * when empty`)[0]?.[0] ?? ''
    return (
      hold(shaker) ??
      `empty ${content} out of ${shaker} with ${handOf(shaker)} from level ${level} to ${bottom}`
    )
  }

  /** A shot that no order needs, best one that has the ingredient, is in a hand or was used already. */
  function mixingShot(ingredient: string): string {
    const ordered = new Set(matches(goal, '* contains *').map(([each]) => each))
    const shots = [...new Set([...matches(facts, '* is on the table').flat(), ...held.values()])]
    const rank = (each: string) =>
      (ordered.has(each) ? 8 : 0) +
      (contentOf(each).includes(ingredient) ? 0 : 4) +
      ([...held.values()].includes(each) ? 0 : 2) +
      (is(each, 'clean') ? 1 : 0)
    return shots.filter((each) => each !== shaker).sort((one, other) => rank(one) - rank(other))[0] ?? ''
  }

  function fill(target: string, ingredient: string): string {
    if (!is(target, 'empty')) return cleanShot(target)
    const dispenser = matches(facts, `* dispenses ${ingredient}`)[0]?.[0] ?? ''
    const tail = `${target} with ${ingredient} from ${dispenser} using`
    if (facts.has(`${target} was used for ${ingredient}`))
      return holdAlone(target) ?? `refill ${tail} ${both(target)}`
    if (!is(target, 'clean')) return cleanShot(target)
    return holdAlone(target) ?? `fill ${tail} ${both(target)}`
  }

  function cleanShot(target: string): string {
    const [content] = contentOf(target)
    if (content !== undefined)
      return hold(target) ?? `empty ${content} out of ${target} with ${handOf(target)}`
    const used = matches(facts, `${target} was used for *`)[0]?.[0] ?? ''
    return holdAlone(target) ?? `clean ${target} of ${used} using ${both(target)}`
  }

  function handOf(container: string): string | undefined {
    return hands.find((hand) => held.get(hand) === container)
  }

  function both(container: string): string {
    const hand = handOf(container)
    return [hand, ...hands.filter((each) => each !== hand)].join(' and ')
  }

  /** The next step towards holding a container; null when it is held. */
  function hold(container: string): string | null {
    if (handOf(container) !== undefined) return null
    const free = hands.find((hand) => !held.has(hand))
    return free === undefined ? putDown(hands[0] as string) : `grasp ${container} with ${free}`
  }

  /** The same, with the other hand empty. */
  function holdAlone(container: string): string | null {
    const other = hands.find((hand) => held.has(hand) && held.get(hand) !== container)
    return other === undefined ? hold(container) : putDown(other)
  }

  function putDown(hand: string): string {
    return `put down ${held.get(hand)} with ${hand}`
  }
}
