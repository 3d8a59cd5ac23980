import type { Message } from '../../../core/contracts/message.ts'
import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import { learnedCall } from '../../simulated/learned-call.ts'
import type { Policy } from '../../simulated/policy.ts'
import { alfworldExpert } from './alfworld-expert.ts'
import { placing, planErrand } from './alfworld-planner.ts'
import { type HouseView, isRefusal, readHouse } from './alfworld-prompt.ts'

export const alfworldPolicy: Policy = {
  name: 'alfworld',
  expert: alfworldExpert,
  answer(messages, skill, random) {
    const house = readHouse(messages)
    if (house === null) return null
    const right = learnedCall(messages, alfworldExpert) ?? planErrand(house)
    if (random() < skill ** (1 + failuresInARow(messages))) return think(right, house, random)
    return choose(mistakes, random)?.(right, house, random) ?? think('inventory', house, random)
  },
}

function failuresInARow(messages: readonly Message[]): number {
  const observations = messages
    .filter(({ role }) => role === 'user')
    .slice(-3)
    .reverse()
  const firstSuccess = observations.findIndex(({ content }) => !isRefusal(content))
  return firstSuccess < 0 ? observations.length : firstSuccess
}

type Mistake = (right: string, house: HouseView, random: Random) => string | null

const goElsewhere: Mistake = (right, house, random) => {
  const place = choose(house.receptacles, random)
  return place === undefined || right === `go to ${place}` ? null : think(`go to ${place}`, house, random)
}

const takeOther: Mistake = (right, house, random) => {
  const thing = choose(house.contents.get(house.at ?? '') ?? [], random)
  const action = `take ${thing} from ${house.at}`
  return thing === undefined || action === right ? null : think(action, house, random)
}

const putDown: Mistake = (right, house, random) => {
  const { held, at } = house
  if (held === null || held === undefined || at === null) return null
  const action = placing(house, held, at)
  return action === right ? null : think(action, house, random)
}

const takeUnseen: Mistake = (_right, house, random) =>
  think(`take ${house.errand.thing} 1 from ${choose(house.receptacles, random)}`, house, random)

const misname: Mistake = (right, house, random) => {
  const action = right.replace(/ \d+(?!.* \d)/, '')
  return action === right ? null : think(action, house, random)
}

const onlyTalk: Mistake = (right) => `I think I should ${right} now, and see what comes of it.`

const mistakes: readonly Mistake[] = [
  goElsewhere,
  goElsewhere,
  goElsewhere,
  takeOther,
  takeOther,
  putDown,
  putDown,
  takeUnseen,
  misname,
  onlyTalk,
]

const reasons: readonly (readonly [start: string, reason: string])[] = [
  ['go to', 'I go where it may be, or is needed.'],
  ['open', 'It is closed, so I open it.'],
  ['take', 'That is what I need, so I take it.'],
  ['use', 'Now I turn on the lamp.'],
  ['examine', 'I look closer at what is here.'],
  ['inventory', 'I should know what I am carrying.'],
  ['look', 'I look around once more.'],
]

const openings: readonly ((thing: string) => string)[] = [
  (thing) => `This is about a ${thing}.`,
  (thing) => `I keep the ${thing} in mind.`,
  () => 'One step after the other.',
  () => 'I go by what I have seen so far.',
]

function think(action: string, { errand }: HouseView, random: Random): string {
  const reason = reasons.find(([start]) => action.startsWith(start))?.[1] ?? `It is time to ${action}.`
  return `Thought: ${(choose(openings, random) ?? String)(errand.thing)} ${reason}\nAction: ${action}`
}
