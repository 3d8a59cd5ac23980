import { matches, type PddlScene } from './pddl-prompt.ts'

const hands = ['left', 'right']

export function planBarman(scene: PddlScene): string | null {
  return new Bar(scene).nextAction()
}

class Bar {
  readonly #facts: PddlScene['facts']
  readonly #goal: PddlScene['goal']
  readonly #shaker: string
  readonly #level: string
  readonly #inShaker: readonly string[]
  readonly #held: ReadonlyMap<string, string>

  constructor({ facts, goal }: PddlScene) {
    this.#facts = facts
    this.#goal = goal
    this.#shaker = matches(facts, '* is at level * when empty')[0]?.[0] ?? ''
    this.#level = matches(facts, `${this.#shaker} is filled to level *`)[0]?.[0] ?? ''
    this.#inShaker = this.#contentOf(this.#shaker)
    this.#held = new Map(matches(facts, 'hand * holds *') as [string, string][])
  }

  nextAction(): string | null {
    const orders = (matches(this.#goal, '* contains *') as [string, string][]).filter(
      ([shot, drink]) => !this.#facts.has(`${shot} contains ${drink}`),
    )
    const cocktails = orders.filter(([, drink]) => this.#partsOf(drink).length > 0)
    const [shot, drink] =
      cocktails.find(([, each]) => this.#inShaker.includes(each)) ?? cocktails[0] ?? orders[0] ?? []
    if (shot === undefined || drink === undefined) return null
    return cocktails.length > 0 ? this.#serveCocktail(shot, drink) : this.#fill(shot, drink)
  }

  #serveCocktail(target: string, cocktail: string): string {
    if (this.#is(this.#shaker, 'shaken')) {
      if (!this.#inShaker.includes(cocktail)) return this.#emptyShaker(this.#inShaker[0] ?? '')
      if (!this.#is(target, 'empty') || !this.#is(target, 'clean')) return this.#cleanShot(target)
      const lower = matches(this.#facts, `level * comes before level ${this.#level}`)[0]?.[0] ?? ''
      return (
        this.#hold(this.#shaker) ??
        `pour ${cocktail} from ${this.#shaker} into ${target} with ${this.#handOf(this.#shaker)} from level ${this.#level} to ${lower}`
      )
    }
    if (this.#is(this.#shaker, 'empty') && !this.#is(this.#shaker, 'clean')) {
      return this.#holdAlone(this.#shaker) ?? `clean ${this.#shaker} using ${this.#both(this.#shaker)}`
    }
    const parts = this.#partsOf(cocktail)
    const missing = parts.find((part) => !this.#inShaker.includes(part))
    if (missing !== undefined) return this.#addPart(missing)
    return (
      this.#holdAlone(this.#shaker) ??
      `shake ${cocktail} of ${parts.join(' and ')} in ${this.#shaker} using ${this.#both(this.#shaker)}`
    )
  }

  #addPart(ingredient: string): string {
    const mixer = this.#mixingShot(ingredient)
    if (!this.#contentOf(mixer).includes(ingredient)) return this.#fill(mixer, ingredient)
    const upper = matches(this.#facts, `level ${this.#level} comes before level *`)[0]?.[0] ?? ''
    const manner = this.#is(this.#shaker, 'empty') ? 'clean' : 'used'
    return (
      this.#hold(mixer) ??
      `pour ${ingredient} from ${mixer} into ${manner} ${this.#shaker} with ${this.#handOf(mixer)} from level ${this.#level} to ${upper}`
    )
  }

  #emptyShaker(content: string): string {
    const bottom = matches(this.#facts, `${this.#shaker} is at level * when empty`)[0]?.[0] ?? ''
    return (
      this.#hold(this.#shaker) ??
      `empty ${content} out of ${this.#shaker} with ${this.#handOf(this.#shaker)} from level ${this.#level} to ${bottom}`
    )
  }

  #mixingShot(ingredient: string): string {
    const ordered = new Set(matches(this.#goal, '* contains *').map(([each]) => each))
    const shots = [...new Set([...matches(this.#facts, '* is on the table').flat(), ...this.#held.values()])]
    const rank = (each: string) =>
      (ordered.has(each) ? 8 : 0) +
      (this.#contentOf(each).includes(ingredient) ? 0 : 4) +
      ([...this.#held.values()].includes(each) ? 0 : 2) +
      (this.#is(each, 'clean') ? 1 : 0)
    return (
      shots.filter((each) => each !== this.#shaker).sort((one, other) => rank(one) - rank(other))[0] ?? ''
    )
  }

  #fill(target: string, ingredient: string): string {
    if (!this.#is(target, 'empty')) return this.#cleanShot(target)
    const dispenser = matches(this.#facts, `* dispenses ${ingredient}`)[0]?.[0] ?? ''
    const tail = `${target} with ${ingredient} from ${dispenser} using`
    if (this.#facts.has(`${target} was used for ${ingredient}`))
      return this.#holdAlone(target) ?? `refill ${tail} ${this.#both(target)}`
    if (!this.#is(target, 'clean')) return this.#cleanShot(target)
    return this.#holdAlone(target) ?? `fill ${tail} ${this.#both(target)}`
  }

  #cleanShot(target: string): string {
    const [content] = this.#contentOf(target)
    if (content !== undefined)
      return this.#hold(target) ?? `empty ${content} out of ${target} with ${this.#handOf(target)}`
    const used = matches(this.#facts, `${target} was used for *`)[0]?.[0] ?? ''
    return this.#holdAlone(target) ?? `clean ${target} of ${used} using ${this.#both(target)}`
  }

  #handOf(container: string): string | undefined {
    return hands.find((hand) => this.#held.get(hand) === container)
  }

  #both(container: string): string {
    const hand = this.#handOf(container)
    return [hand, ...hands.filter((each) => each !== hand)].join(' and ')
  }

  #hold(container: string): string | null {
    if (this.#handOf(container) !== undefined) return null
    const free = hands.find((hand) => !this.#held.has(hand))
    return free === undefined ? this.#putDown(hands[0] as string) : `grasp ${container} with ${free}`
  }

  #holdAlone(container: string): string | null {
    const other = hands.find((hand) => this.#held.has(hand) && this.#held.get(hand) !== container)
    return other === undefined ? this.#hold(container) : this.#putDown(other)
  }

  #putDown(hand: string): string {
    return `put down ${this.#held.get(hand)} with ${hand}`
  }

  #partsOf(drink: string): string[] {
    return ['first', 'second'].flatMap((place) =>
      matches(this.#facts, `the ${place} part of ${drink} is *`).flat(),
    )
  }

  #contentOf(container: string): string[] {
    return matches(this.#facts, `${container} contains *`).flat()
  }

  #is(container: string, what: string): boolean {
    return this.#facts.has(`${container} is ${what}`)
  }
}
