import { choose, sampled } from '../../../core/random/shuffled.ts'
import { type RobotDomain, writeProblem } from '../robot-domain.ts'
import { tyreworldLanguage, tyreworldRules, tyreworldText } from './tyreworld.ts'

/** Numbers of flat wheels, cycled. Four need more than 30 steps in any plan, so these tasks are marked. */
const sizes = [1, 2, 1, 1, 1, 2, 1, 3, 1, 4]
export const wheelNumbers = [1, 2, 3, 4, 5, 6]

export const workStages = ['tight', 'loose', 'jacked-up', 'undone', 'bare'] as const
type Stage = (typeof workStages)[number]

export interface Wheel {
  readonly hub: string
  readonly nuts: string
  readonly flat: string
  readonly spare: string
  readonly stage: Stage
  readonly isInflated: boolean
  readonly isSpareAtHand: boolean
  readonly goal: { readonly inflate: boolean; readonly stow: boolean; readonly tighten: boolean }
}

export interface Garage {
  readonly wheels: readonly Wheel[]
  readonly isOpen: boolean
  readonly hasTools: boolean
  readonly stowTools: boolean
  readonly closeBoot: boolean
}

export const tyreworld: RobotDomain = {
  name: 'tyreworld',
  text: tyreworldText,
  language: tyreworldLanguage,
  rules: tyreworldRules,
  tasks: { test: 10, train: 40 },
  generate(random, number) {
    const size = sizes[number % sizes.length] as number
    const numbers = sampled(wheelNumbers, size, random)
    const isWhole = size > 2
    const wheels = numbers.map((each, index): Wheel => {
      const stage = index > 0 || isWhole ? 'tight' : (choose(workStages, random) as Stage)
      return {
        hub: `hub${each}`,
        nuts: `nuts${each}`,
        flat: `flat${each}`,
        spare: `spare${each}`,
        stage,
        isInflated: !isWhole && random() < 0.4,
        isSpareAtHand: workStages.indexOf(stage) > 0 && random() < 0.5,
        goal: { inflate: true, stow: isWhole || random() < 0.7, tighten: size === 1 && random() < 0.5 },
      }
    })
    const [{ stage: first } = { stage: 'tight' }] = wheels
    const hasTools = first !== 'tight'
    const garage: Garage = {
      wheels,
      isOpen: hasTools || (!isWhole && random() < 0.3),
      hasTools,
      stowTools: size === 1 && random() < 0.3,
      closeBoot: size === 1 && random() < 0.3,
    }
    const minSteps = leastGarageSteps(garage)
    return minSteps < 5 ? null : { problem: writeGarage(garage), minSteps }
  },
  example: {
    problem: writeGarage({
      wheels: [
        {
          hub: 'hub7',
          nuts: 'nuts7',
          flat: 'flat7',
          spare: 'spare7',
          stage: 'loose',
          isInflated: false,
          isSpareAtHand: true,
          goal: { inflate: true, stow: true, tighten: false },
        },
      ],
      isOpen: true,
      hasTools: true,
      stowTools: false,
      closeBoot: false,
    }),
    turns: [
      ['The robot has the pump and the spare wheel, which is flat too.', 'inflate spare7'],
      ['The nuts are loose already, so the hub can be jacked up.', 'jack up hub7'],
      ['Now the nuts can come off.', 'undo nuts7 on hub7'],
      ['The hub is unfastened, so the flat wheel comes off.', 'remove flat7 from hub7'],
      ['The hub is bare and takes the spare wheel.', 'put spare7 on hub7'],
      ['The flat wheel belongs in the boot, which is open.', 'put flat7 away in boot'],
    ],
    program: `// spare7 has to be inflated and on hub7, flat7 in the boot. The nuts are loose, the boot is open, the robot has all it needs.
function changeWheel(nuts, hub, old, spare) {
  act("jack up " + hub)
  act("undo " + nuts + " on " + hub)
  act("remove " + old + " from " + hub)
  act("put " + spare + " on " + hub)
}

act("inflate spare7")
changeWheel("nuts7", "hub7", "flat7", "spare7")
act("put flat7 away in boot")`,
    agentboardProgram: `// spare7 has to be inflated and on hub7, flat7 in the boot. The nuts are loose, the boot is open, and you have all that is needed.
function changeWheel(nuts, hub, old, spare) {
  act("jack-up the hub " + hub + ".")
  act("Undo the fastening of the nut " + nuts + " on the hub " + hub + ".")
  act("Remove-wheel " + old + " from the hub " + hub + ".")
  act("put-on-wheel " + spare + " on the hub " + hub + ".")
}

act("Inflate the wheel spare7.")
changeWheel("nuts7", "hub7", "flat7", "spare7")
act("Put-away flat7 in boot.")`,
  },
}

function reaches(wheel: Wheel, stage: Stage): boolean {
  return workStages.indexOf(wheel.stage) >= workStages.indexOf(stage)
}

export function writeGarage({ wheels, isOpen, hasTools, stowTools, closeBoot }: Garage) {
  const jacked = wheels.some((wheel) => reaches(wheel, 'jacked-up'))
  const tools = jacked ? ['wrench', 'pump'] : ['wrench', 'pump', 'jack']
  const initial = wheels.flatMap((wheel) => {
    const { hub, nuts, flat, spare, stage, isInflated, isSpareAtHand } = wheel
    return [
      `intact ${spare}`,
      isInflated ? `inflated ${spare}` : `not-inflated ${spare}`,
      isSpareAtHand ? `have ${spare}` : `in ${spare} boot`,
      reaches(wheel, 'jacked-up') ? `not-on-ground ${hub}` : `on-ground ${hub}`,
      ...(reaches(wheel, 'undone')
        ? [`unfastened ${hub}`, `have ${nuts}`]
        : [`fastened ${hub}`, `${stage === 'tight' ? 'tight' : 'loose'} ${nuts} ${hub}`]),
      ...(stage === 'bare' ? [`free ${hub}`, `have ${flat}`] : [`on ${flat} ${hub}`]),
    ]
  })
  return writeProblem(
    'tyreworld',
    {
      hub: wheels.map(({ hub }) => hub),
      nut: wheels.map(({ nuts }) => nuts),
      wheel: wheels.flatMap(({ flat, spare }) => [flat, spare]),
      container: ['boot'],
    },
    [
      'unlocked boot',
      isOpen ? 'isopen boot' : 'closed boot',
      ...tools.map((tool) => (hasTools ? `have ${tool}` : `in ${tool} boot`)),
      ...initial,
    ],
    [
      ...wheels.flatMap(({ hub, nuts, flat, spare, goal }) => [
        `on ${spare} ${hub}`,
        ...(goal.inflate ? [`inflated ${spare}`] : []),
        ...(goal.stow ? [`in ${flat} boot`] : []),
        ...(goal.tighten ? [`tight ${nuts} ${hub}`] : []),
      ]),
      ...(stowTools ? ['in wrench boot', 'in pump boot'] : []),
      ...(closeBoot ? ['closed boot'] : []),
    ],
  )
}

export function leastGarageSteps({ wheels, isOpen, hasTools, stowTools, closeBoot }: Garage): number {
  const count = (holds: (wheel: Wheel) => boolean) => wheels.filter(holds).length
  const inflating = count(({ isInflated, goal }) => goal.inflate && !isInflated)
  const fetching = count(({ isSpareAtHand }) => !isSpareAtHand)
  const stowing = count(({ goal }) => goal.stow)
  const tightening = count(({ goal }) => goal.tighten)
  const loosening = count((wheel) => !reaches(wheel, 'loose'))
  const raising = count((wheel) => !reaches(wheel, 'jacked-up'))
  const undoing = count((wheel) => !reaches(wheel, 'undone'))
  const removing = count((wheel) => !reaches(wheel, 'bare'))
  const jacks = wheels.length === raising ? 1 : 0
  const lowering = Math.max(tightening, raising - jacks)
  const needed = [loosening + undoing + tightening > 0, inflating > 0, raising > 0].filter(Boolean).length
  const fetchingTools = hasTools ? 0 : needed
  const opening = !isOpen && fetching + fetchingTools + stowing > 0 ? 1 : 0
  const stowingTools = !stowTools
    ? 0
    : hasTools
      ? 2
      : Number(loosening + undoing + tightening > 0) + Number(inflating > 0)
  const closing = closeBoot && (isOpen || opening > 0) ? 1 : 0
  const putting = wheels.length
  return (
    opening +
    fetchingTools +
    fetching +
    inflating +
    loosening +
    raising +
    undoing +
    removing +
    putting +
    stowing +
    2 * tightening +
    lowering +
    stowingTools +
    closing
  )
}
