import { NumberChoices } from '../../generate/number-space.ts'
import { blockworld, movedBlocks, writeBlocks } from '../domains/make-blockworld.ts'
import { blockworldBounds, pddlGenerators } from './bounds.ts'
import { type ProblemSpace, sizesWithin } from './problem-generator.ts'

const mostBlocks = 20

export const blockworldSpace: ProblemSpace = {
  domain: blockworld,
  definition: pddlGenerators.blockworld,
  sizes: ['blocks'],
  within(bounds) {
    const { max_blocks, min_blocks } = blockworldBounds.parse(bounds)
    return sizesWithin({ blocks: [min_blocks, max_blocks] })
  },
  shapeOf(sizes) {
    const { blocks: count = 0 } = sizes
    if (count < 2 || count > mostBlocks) return null
    const blocks = Array.from({ length: count }, (_none, at) => `b${at + 1}`)
    const ways = waysToPile(count)
    const all = ways(0, 0)
    return {
      sizes,
      size: all * all,
      problem(number) {
        const choices = new NumberChoices(number)
        const initial = pileUp(blocks, choices.takeLarge(all), ways)
        const goal = pileUp(blocks, choices.takeLarge(all), ways)
        const isReached = [...goal].every(([upper, lower]) => initial.get(upper) === lower)
        if (isReached) return null
        return { problem: writeBlocks(blocks, initial, [...goal]), minSteps: 2 * movedBlocks(initial, goal) }
      },
    }
  },
}

type Ways = (placed: number, towers: number) => bigint

/**
 * A block begins a tower, or goes into one: below its lowest block, or on any of its blocks. Its possible positions
 * are the number of blocks plus the number of towers plus one.
 */
function waysToPile(count: number): Ways {
  const known = new Map<string, bigint>()
  const ways: Ways = (placed, towers) => {
    if (placed === count) return 1n
    const key = `${placed} ${towers}`
    const found =
      known.get(key) ?? ways(placed + 1, towers + 1) + BigInt(placed + towers) * ways(placed + 1, towers)
    known.set(key, found)
    return found
  }
  return ways
}

function pileUp(blocks: readonly string[], rank: bigint, ways: Ways): Map<string, string> {
  const towers: string[][] = []
  let rest = rank
  for (const [placed, block] of blocks.entries()) {
    const alone = ways(placed + 1, towers.length + 1)
    if (rest < alone) {
      towers.push([block])
      continue
    }
    rest -= alone
    const each = ways(placed + 1, towers.length)
    let place = Number(rest / each)
    rest %= each
    for (const tower of towers) {
      if (place <= tower.length) {
        tower.splice(place, 0, block)
        break
      }
      place -= tower.length + 1
    }
  }
  return new Map(
    towers.flatMap((tower) => tower.slice(1).map((block, at): [string, string] => [block, tower[at] ?? ''])),
  )
}
