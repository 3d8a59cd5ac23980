import { callText, type ExpertFunction } from '../../simulated/expert.ts'
import type { FoldedCall } from './folded-call.ts'

const preparation = `  const state = act("look around").toLowerCase()
  const find = (pattern) => (new RegExp(pattern).exec(state) || [])[1]`

export const barmanFunctions: readonly ExpertFunction[] = [
  {
    name: 'mixCocktail',
    parameters: ['cocktail', 'first', 'second', 'mixer', 'shaker', 'shot'],
    code: `/**
 * Mixes a cocktail and serves it. Both hands have to be empty, and the shaker empty and clean.
 * @param cocktail - the cocktail, such as "cocktail1"
 * @param first - its first part
 * @param second - its second part
 * @param mixer - an empty shot that no order needs, to bring the parts into the shaker
 * @param shaker - the shaker
 * @param shot - the empty, clean shot that it is served in
 */
function mixCocktail(cocktail, first, second, mixer, shaker, shot) {
${preparation}
  const bottom = find(shaker + " is at level (\\\\S+) when empty\\\\.")
  const middle = find("level " + bottom + " comes before level ([^\\\\s.]+)\\\\.")
  const top = find("level " + middle + " comes before level ([^\\\\s.]+)\\\\.")
  const fill = (part) => {
    const dispenser = find("([^\\\\s.]+) dispenses " + part + "\\\\.")
    act("fill " + mixer + " with " + part + " from " + dispenser + " using left and right")
  }
  act("grasp " + mixer + " with left")
  const used = find("\\\\b" + mixer + " was used for ([^\\\\s.]+)\\\\.")
  if (used) act("clean " + mixer + " of " + used + " using left and right")
  fill(first)
  act("pour " + first + " from " + mixer + " into clean " + shaker + " with left from level " + bottom + " to " + middle)
  act("clean " + mixer + " of " + first + " using left and right")
  fill(second)
  act("pour " + second + " from " + mixer + " into used " + shaker + " with left from level " + middle + " to " + top)
  act("put down " + mixer + " with left")
  act("grasp " + shaker + " with left")
  act("shake " + cocktail + " of " + first + " and " + second + " in " + shaker + " using left and right")
  act("pour " + cocktail + " from " + shaker + " into " + shot + " with left from level " + top + " to " + middle)
}`,
    blunders: [
      ['  act("clean " + mixer + " of " + first + " using left and right")\n', ''],
      ['  act("put down " + mixer + " with left")\n', ''],
      ['into used "', 'into clean "'],
    ],
  },
  {
    name: 'serveShot',
    parameters: ['shot', 'ingredient'],
    code: `/**
 * Fills a shot and puts it back on the table. Both hands have to be empty, and the shot empty and clean.
 * @param shot - the shot that is served
 * @param ingredient - what goes into it
 */
function serveShot(shot, ingredient) {
${preparation}
  const dispenser = find("([^\\\\s.]+) dispenses " + ingredient + "\\\\.")
  act("grasp " + shot + " with left")
  act("fill " + shot + " with " + ingredient + " from " + dispenser + " using left and right")
  act("put down " + shot + " with left")
}`,
    blunders: [
      ['  act("grasp " + shot + " with left")\n', ''],
      [' using left and right")\n  act("put down', ' using left")\n  act("put down'],
    ],
  },
  {
    name: 'resetShaker',
    parameters: ['cocktail', 'shaker'],
    code: `/**
 * Empties and cleans the shaker that the left hand holds, and puts it on the table. The right hand has to be empty.
 * @param cocktail - what is in it
 * @param shaker - the shaker
 */
function resetShaker(cocktail, shaker) {
${preparation}
  const level = find(shaker + " is filled to level ([^\\\\s.]+)\\\\.")
  const bottom = find(shaker + " is at level (\\\\S+) when empty\\\\.")
  act("empty " + cocktail + " out of " + shaker + " with left from level " + level + " to " + bottom)
  act("clean " + shaker + " using left and right")
  act("put down " + shaker + " with left")
}`,
    blunders: [['  act("clean " + shaker + " using left and right")\n', '']],
  },
]

export function foldBarman(plan: readonly string[]): FoldedCall | null {
  return foldMixing(plan) ?? foldServing(plan) ?? foldReset(plan)
}

function foldMixing(plan: readonly string[]): FoldedCall | null {
  const form =
    /^grasp (\S+) with left; (?:clean \1 of \S+ using left and right; )?fill \1 with (\S+) from \S+ using left and right; pour \2 from \1 into clean (\S+) with left from level \S+ to [^\s;]+; clean \1 of \2 using left and right; fill \1 with (\S+) from \S+ using left and right; pour \4 from \1 into used \3 with left from level \S+ to [^\s;]+; put down \1 with left; grasp \3 with left; shake (\S+) of \2 and \4 in \3 using left and right; pour \5 from \3 into (\S+) with left from level \S+ to [^\s;]+/
  const found = form.exec(plan.slice(0, 11).join('; '))
  if (found === null) return null
  const [matched, mixer = '', first = '', shaker = '', second = '', cocktail = '', shot = ''] = found
  return {
    call: callText('mixCocktail', cocktail, first, second, mixer, shaker, shot),
    steps: matched.split('; ').length,
  }
}

function foldServing(plan: readonly string[]): FoldedCall | null {
  const form =
    /^grasp (\S+) with left; fill \1 with (\S+) from \S+ using left and right(; put down \1 with left)?(?:;|$)/
  const found = form.exec(plan.slice(0, 3).join('; '))
  if (found === null) return null
  const [, shot = '', ingredient = '', putDown] = found
  const isLast = plan.length === 2
  return isLast || putDown !== undefined
    ? { call: callText('serveShot', shot, ingredient), steps: isLast ? 2 : 3 }
    : null
}

function foldReset(plan: readonly string[]): FoldedCall | null {
  const form =
    /^empty (\S+) out of (\S+) with left from level \S+ to [^\s;]+; clean \2 using left and right; put down \2 with left$/
  const found = form.exec(plan.slice(0, 3).join('; '))
  if (found === null) return null
  const [, cocktail = '', shaker = ''] = found
  return { call: callText('resetShaker', cocktail, shaker), steps: 3 }
}
