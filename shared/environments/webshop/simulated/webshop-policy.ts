import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import { learnedCall } from '../../simulated/learned-call.ts'
import type { Policy } from '../../simulated/policy.ts'
import { webshopExpert } from './webshop-expert.ts'
import { keywordsOf, rightAction } from './webshop-planner.ts'
import { readShoppingSituation, type ShoppingSituation } from './webshop-prompt.ts'

export const webshopPolicy: Policy = {
  name: 'webshop',
  expert: webshopExpert,
  answer(messages, skill, random) {
    const situation = readShoppingSituation(messages)
    if (situation === null) return null
    const right = learnedCall(messages, webshopExpert) ?? rightAction(situation)
    if (random() < skill) return think(right, random)
    const mistake = choose(mistakes, random)?.(situation, random) ?? null
    return mistake ?? think('click[Back to Search]', random)
  },
}

type Mistake = (situation: ShoppingSituation, random: Random) => string | null

const buyAtOnce: Mistake = ({ page }, random) =>
  page.kind === 'item' ? think('click[Buy Now]', random) : null

const openAny: Mistake = ({ page }, random) => {
  const hit = page.kind === 'results' ? choose(page.hits, random) : undefined
  return hit === undefined ? null : think(`click[${hit.asin}]`, random)
}

const chooseAny: Mistake = ({ page }, random) => {
  const choice = page.kind === 'item' ? choose(page.choices, random) : undefined
  return choice === undefined ? null : think(`click[${choice}]`, random)
}

const searchPoorly: Mistake = (situation, random) => {
  const words = keywordsOf(situation).filter(() => random() < 0.3)
  return think(`search[${words.join(' ') || 'something nice'}]`, random)
}

const readOn: Mistake = ({ page }, random) =>
  page.kind === 'item' ? think(random() < 0.5 ? 'click[Description]' : 'click[Reviews]', random) : null

const inventButton: Mistake = (_situation, random) => think('click[Add to Cart]', random)

const onlyTalk: Mistake = (situation) =>
  `I think I should do ${rightAction(situation)} and then go on from there.`

const mistakes: readonly Mistake[] = [
  buyAtOnce,
  buyAtOnce,
  openAny,
  openAny,
  chooseAny,
  searchPoorly,
  readOn,
  inventButton,
  onlyTalk,
]

const thoughts: readonly ((action: string) => string)[] = [
  (action) => `The next step towards what was asked for is ${action}.`,
  (action) => `Going by the instruction, ${action} looks right.`,
  () => 'I compare this page with the instruction and go on.',
  (action) => `I still have to find and buy it, so: ${action}.`,
]

function think(action: string, random: Random): string {
  return `Thought: ${(choose(thoughts, random) ?? String)(action)}\nAction: ${action}`
}
