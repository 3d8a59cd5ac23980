import type { Random } from '../../../core/random/random.ts'
import { choose, shuffled } from '../../../core/random/shuffled.ts'
import { learnedCall } from '../../simulated/learned-call.ts'
import type { Policy } from '../../simulated/policy.ts'
import { speakAgentboard } from './agentboard/speak-agentboard.ts'
import { pddlExpert } from './pddl-expert.ts'
import { type PddlScene, readScene } from './pddl-prompt.ts'
import { planOf } from './plan-pddl.ts'

const askForActions = 'check valid actions'

export const pddlPolicy: Policy = {
  name: 'pddl',
  expert: pddlExpert,
  translate: speakAgentboard,
  answer(messages, skill, random) {
    const reading = readScene(messages)
    if (reading === null) return null
    const { scene, failures } = reading
    const right = learnedCall(messages, pddlExpert) ?? planOf(scene)(scene) ?? takeOffered(scene, random)
    if (random() < skill ** (1 + Math.min(failures, 2))) return think(right, scene, random)
    return choose(mistakes, random)?.(right, scene, random) ?? think('look around', scene, random)
  },
}

function takeOffered({ offered }: PddlScene, random: Random): string {
  return choose(offered, random) ?? askForActions
}

type Mistake = (right: string, scene: PddlScene, random: Random) => string | null

const mixUpGoal: Mistake = (right, scene, random) => {
  const names = [...scene.objects.values()].flat()
  const inGoal = names.filter((name) => scene.goal.some((part) => part.split(' ').includes(name)))
  const order = shuffled(inGoal, random)
  const others = new Map(inGoal.map((name, index) => [name, order[index]]))
  const goal = scene.goal.map((part) =>
    part
      .split(' ')
      .map((word) => others.get(word) ?? word)
      .join(' '),
  )
  const mixed = { ...scene, goal }
  const action = planOf(scene)(mixed)
  return action === null || action === right ? null : think(action, scene, random)
}

const confuseObjects: Mistake = (right, scene, random) => {
  const words = right.split(' ')
  const kinds = [...scene.objects.values()]
  const places = words.flatMap((word, place) => (kinds.some((kind) => kind.includes(word)) ? [place] : []))
  const place = choose(places, random)
  if (place === undefined) return null
  const kind = kinds.find((names) => names.includes(words[place] as string)) ?? []
  const other = choose(
    kind.filter((name) => name !== words[place]),
    random,
  )
  return other === undefined ? null : think(words.with(place, other).join(' '), scene, random)
}

const onlyTalk: Mistake = (right) => `I believe it would be best to ${right}, and to go on from there.`

const ask: Mistake = (_right, scene, random) => think(askForActions, scene, random)

const mistakes: readonly Mistake[] = [
  mixUpGoal,
  mixUpGoal,
  mixUpGoal,
  confuseObjects,
  confuseObjects,
  onlyTalk,
  ask,
]

const openings: readonly ((part: string) => string)[] = [
  (part) => `The goal says that ${part}.`,
  (part) => `I still have to see to it that ${part}.`,
  () => 'I go by what is true now.',
  () => 'One step after the other.',
]

function think(action: string, { goal, facts }: PddlScene, random: Random): string {
  const part = goal.find((each) => !facts.has(each)) ?? goal[0] ?? 'all is done'
  const opening = (choose(openings, random) ?? String)(part)
  return `Thought: ${opening} So next: ${action}.\nAction: ${action}`
}
