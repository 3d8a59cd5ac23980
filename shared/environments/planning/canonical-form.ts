import { hash } from 'node:crypto'
import { digestText, mixNumber } from '../../core/random/random.ts'
import { type Formula, formulaText } from './formula.ts'
import type { Problem } from './parse-problem.ts'

interface Relation {
  readonly name: string
  readonly digest: number
  readonly terms: readonly number[]
}

interface Structure {
  readonly colours: readonly number[]
  readonly types: readonly string[]
  readonly relations: readonly Relation[]
}

type Colours = readonly number[]

/**
 * The canonical form of a problem: equal for two problems exactly if renaming objects within their types makes one of
 * the other. Constants of the domain keep their names. Goals with `or`, `exists` or `forall` are compared in the order
 * of their parts.
 *
 * Refines the colours of objects by their facts, then individualizes objects until no two share a colour, and takes
 * the least of the resulting texts. Automorphisms prune the search (McKay, Practical graph isomorphism, 1981).
 */
export function canonicalForm(problem: Problem): string {
  const structure = readStructure(problem)
  return hash('sha256', `${problem.domain ?? ''}\n${leastText(structure)}`, 'hex').slice(0, 32)
}

function readStructure({ goal, initial, objects }: Problem): Structure {
  const numbers = new Map(objects.map(({ name }, number) => [name, number]))
  const types = objects.map((object) => object.types.toSorted().join('/'))
  const relations = new Map<string, Relation>()
  const add = (name: string, words: readonly string[]) => {
    const terms: number[] = []
    const places = words.map((word) => {
      const number = numbers.get(word)
      if (number === undefined) return word
      terms.push(number)
      return '_'
    })
    const full = [name, ...places].join(' ')
    relations.set(`${full} ${terms.join(' ')}`, { name: full, digest: digestText(full), terms })
  }
  for (const { predicate, terms } of initial) add(predicate, terms)
  for (const part of conjuncts(goal)) {
    if (part.kind === 'literal') add(part.negated ? 'goal not' : 'goal', [part.predicate, ...part.terms])
    else add('goal', formulaText(part).split(/(?<=[()\s])|(?=[()\s])/))
  }
  return { colours: types.map((type) => digestText(type)), types, relations: [...relations.values()] }
}

function conjuncts(goal: Formula): Formula[] {
  return goal.kind === 'and' ? goal.parts.flatMap(conjuncts) : [goal]
}

function leastText(structure: Structure): string {
  const automorphisms: number[][] = []
  let first: Leaf | undefined
  let least: Leaf | undefined
  // Returns the depth to resume at: an automorphism makes the rest of the branch a repetition.
  const search = (colours: Colours, path: readonly number[]): number => {
    const refined = refine(structure, colours)
    const cell = smallestCell(refined)
    if (cell === null) {
      const leaf = readLeaf(structure, refined, path)
      for (const known of new Set([first, least])) {
        if (known?.text !== leaf.text) continue
        const map: number[] = []
        for (const [place, object] of known.order.entries()) map[object] = leaf.order[place] as number
        automorphisms.push(map)
        return commonDepth(known.path, path)
      }
      first ??= leaf
      if (least === undefined || leaf.text < least.text) least = leaf
      return path.length
    }
    const explored: number[] = []
    for (const object of cell) {
      if (isRepeated(object, explored, automorphisms, path)) continue
      explored.push(object)
      const individual = refined.with(object, mixNumber(refined[object] as number, individualized))
      const depth = search(individual, [...path, object])
      if (depth < path.length) return depth
    }
    return path.length
  }
  search(tellTwinsApart(structure), [])
  return least?.text ?? ''
}

const individualized = 0x1d
const ownPlace = 0x51

// Objects with the same facts, such as balls of one room, are interchangeable: number them.
function tellTwinsApart({ colours, relations }: Structure): Colours {
  const facts = colours.map((colour) => [String(colour)])
  for (const { name, terms } of relations) {
    for (const [place, term] of terms.entries())
      facts[term]?.push(`${name} ${terms.with(place, -1).join(' ')}`)
  }
  const twins = new Map<string, number>()
  return colours.map((colour, object) => {
    const key = (facts[object] as string[]).sort().join('\n')
    const number = twins.get(key) ?? 0
    twins.set(key, number + 1)
    return number === 0 ? colour : mixNumber(colour, number)
  })
}

function refine({ relations }: Structure, start: Colours): Colours {
  let colours = start
  let count = new Set(colours).size
  while (count < colours.length) {
    const sums = new Array<number>(colours.length).fill(0)
    for (const { digest, terms } of relations) {
      let whole = digest
      for (const term of terms) whole = mixNumber(whole, colours[term] as number)
      for (let place = 0; place < terms.length; place += 1) {
        const term = terms[place] as number
        sums[term] = ((sums[term] as number) + mixNumber(whole, place + ownPlace)) >>> 0
      }
    }
    colours = colours.map((colour, object) => mixNumber(colour, sums[object] as number))
    const next = new Set(colours).size
    if (next <= count) return colours
    count = next
  }
  return colours
}

function smallestCell(colours: Colours): number[] | null {
  const cells = new Map<number, number[]>()
  for (const [object, colour] of colours.entries()) {
    const cell = cells.get(colour)
    if (cell === undefined) cells.set(colour, [object])
    else cell.push(object)
  }
  if (cells.size === colours.length) return null
  let found: [colour: number, cell: number[]] | null = null
  for (const [colour, cell] of cells) {
    if (cell.length === 1) continue
    if (found !== null && (cell.length - found[1].length || colour - found[0]) > 0) continue
    found = [colour, cell]
  }
  return found?.[1] ?? null
}

interface Leaf {
  readonly text: string
  readonly order: readonly number[]
  readonly path: readonly number[]
}

function readLeaf({ relations, types }: Structure, colours: Colours, path: readonly number[]): Leaf {
  const order = colours
    .map((_colour, object) => object)
    .sort((one, other) => (colours[one] as number) - (colours[other] as number))
  const places: number[] = []
  for (const [place, object] of order.entries()) places[object] = place
  const facts = relations.map(({ name, terms }) => `${name} ${terms.map((term) => places[term]).join(' ')}`)
  return { text: [...order.map((object) => types[object]), ...facts.sort()].join('\n'), order, path }
}

function commonDepth(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((object, depth) => object !== other[depth])
  return at === -1 ? one.length : at
}

function isRepeated(
  object: number,
  explored: readonly number[],
  automorphisms: readonly number[][],
  path: readonly number[],
): boolean {
  if (explored.length === 0) return false
  const fixing = automorphisms.filter((map) => path.every((each) => map[each] === each))
  const reached = new Set(explored)
  for (const each of reached) for (const map of fixing) reached.add(map[each] as number)
  return reached.has(object)
}
