import { combinations, NumberChoices } from '../../generate/number-space.ts'
import {
  type Garage,
  leastGarageSteps,
  tyreworld,
  type Wheel,
  wheelNumbers,
  workStages,
  writeGarage,
} from '../domains/make-tyreworld.ts'
import { pddlGenerators, tyreworldBounds } from './bounds.ts'
import { type ProblemSpace, sizesWithin } from './problem-generator.ts'

/**
 * Enumerates the wheels, the progress of the work on one of them, the available tools, and each wheel's goal. A
 * single wheel's goal may add requirements (nuts tight, tools away, boot closed) that would make several wheels too
 * long.
 */
export const tyreworldSpace: ProblemSpace = {
  domain: tyreworld,
  definition: pddlGenerators.tyreworld,
  sizes: ['wheels'],
  within(bounds) {
    const { max_wheels, min_wheels } = tyreworldBounds.parse(bounds)
    return sizesWithin({ wheels: [min_wheels, max_wheels] })
  },
  shapeOf(sizes) {
    const { wheels: count = 0 } = sizes
    if (count < 1 || count > wheelNumbers.length) return null
    const extras = count === 1 ? 3 : 0
    return {
      sizes,
      size:
        combinations(wheelNumbers.length, count) *
        BigInt(count * workStages.length) *
        8n ** BigInt(count) *
        2n ** BigInt(1 + extras),
      problem(number) {
        const choices = new NumberChoices(number)
        const isSet = () => choices.take(2) === 1
        const numbers = choices.subset(wheelNumbers, count)
        const begun = choices.take(count)
        const reached = choices.pick(workStages)
        const [tighten, stowTools, closeBoot] = [
          extras > 0 && isSet(),
          extras > 0 && isSet(),
          extras > 0 && isSet(),
        ]
        const wheels = numbers.map(
          (each, at): Wheel => ({
            hub: `hub${each}`,
            nuts: `nuts${each}`,
            flat: `flat${each}`,
            spare: `spare${each}`,
            stage: at === begun ? reached : 'tight',
            isInflated: isSet(),
            isSpareAtHand: isSet(),
            goal: { inflate: true, stow: isSet(), tighten },
          }),
        )
        const hasTools = reached !== 'tight'
        const garage: Garage = { wheels, isOpen: isSet(), hasTools, stowTools, closeBoot }
        // Each garage has one number: if no work has begun, skip the second wheel's variants.
        const isFirst = hasTools || begun === 0
        const isWhole =
          wheels.every(({ isSpareAtHand, stage }) => stage !== 'tight' || !isSpareAtHand) &&
          (garage.isOpen || !hasTools)
        return isFirst && isWhole
          ? { problem: writeGarage(garage), minSteps: leastGarageSteps(garage) }
          : null
      },
    }
  },
}
