import { textcraft } from '../shared/environments/textcraft/textcraft.ts'
import { report } from './figure.ts'

const actions = [
  'get 2 oak logs',
  'craft 4 oak planks using 1 oak logs',
  'inventory',
  'craft 4 stick using 2 oak planks',
  'get 1 stick',
  'craft 1 bowl using 3 oak planks',
  'look around',
  'craft 1 crafting table using 4 oak planks',
]
const rounds = 400_000

const task = textcraft.tasks()[0]?.id ?? ''
const play = (times: number) => {
  let { state } = textcraft.reset(task, 0)
  for (let round = 0; round < times; round += 1) {
    if (round % 16 === 0) state = textcraft.reset(task, 0).state
    for (const action of actions) state = textcraft.step(state, action).state
  }
  return state
}
const copy = (times: number) => {
  let { state } = textcraft.step(textcraft.reset(task, 0).state, 'get 2 oak logs')
  for (let round = 0; round < times; round += 1) {
    for (const _ of actions) state = JSON.parse(JSON.stringify(state))
  }
  return state
}
const steps = (perform: (times: number) => unknown) => {
  perform(2_000)
  const start = performance.now()
  perform(rounds / 8)
  return ((rounds / 8) * actions.length) / ((performance.now() - start) / 1000)
}

const [stepped, copied] = [steps(play), steps(copy)]
report({
  what: 'TextCraft steps in process (get, craft, inventory and invalid actions, resets included)',
  value: `${(stepped / 1e6).toFixed(2)} M steps/s`,
  ratio: `${(stepped / copied).toFixed(1)} × copying the state once through JSON`,
  aim: '≥ 1 M steps/s',
})
