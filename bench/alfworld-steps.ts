import { loadGame } from '../shared/environments/alfworld/game.ts'
import { readGameFile } from '../shared/environments/alfworld/game-file.ts'
import { makeGame } from '../shared/environments/alfworld/household/make-game.ts'
import { createHouseholdTasks } from '../shared/environments/alfworld/household/tasks.ts'
import { report } from './figure.ts'

const files = createHouseholdTasks()
  .slice(0, 6)
  .map((task) => ({ id: task.id, file: makeGame(task) }))
const games = files.map(({ id, file }) => {
  const game = loadGame(file, id)
  const places = game.validActions(game.reset().state).filter((command) => command.startsWith('go to '))
  const search = places.flatMap((go) => [go, go.replace('go to', 'open'), go.replace('go to', 'examine')])
  return { game, commands: [...search, 'inventory', 'look', 'dance', ...(file.walkthrough ?? [])] }
})

const play = () => {
  let steps = 0
  for (const { game, commands } of games) {
    let { state } = game.reset()
    for (const command of commands) state = game.step(state, command).state
    steps += commands.length
  }
  return steps
}
const perSecond = (work: () => number, rounds: number) => {
  for (let round = 0; round < rounds / 10; round += 1) work()
  let count = 0
  const start = performance.now()
  for (let round = 0; round < rounds; round += 1) count += work()
  return count / ((performance.now() - start) / 1000)
}

const bytes = files.map(({ id, file }) => ({ id, body: new TextEncoder().encode(JSON.stringify(file)) }))
const load = () => {
  for (const { id, body } of bytes) loadGame(readGameFile(body, id), id).reset()
  return bytes.length
}
const parse = () => {
  for (const { body } of bytes) JSON.parse(new TextDecoder().decode(body))
  return bytes.length
}

const ends = games.map(({ game, commands }) => {
  let { state } = game.reset()
  for (const command of commands) state = game.step(state, command).state
  return { state, commands }
})
const copy = () => {
  let steps = 0
  for (let { state, commands } of ends) {
    for (const _command of commands) state = JSON.parse(JSON.stringify(state))
    steps += commands.length
  }
  return steps
}

const [stepped, copied] = [perSecond(play, 100), perSecond(copy, 100)]
const [loaded, parsed] = [perSecond(load, 60), perSecond(parse, 60)]
report({
  what: 'ALFWorld steps in process (searching, opening, examining, invalid actions, resets included)',
  value: `${(stepped / 1000).toFixed(1)} k steps/s`,
  ratio: `${(stepped / copied).toFixed(2)} × copying a state once through JSON`,
  aim: '≥ 20 k steps/s',
})
report({
  what: 'ALFWorld game, from bytes to its first observation',
  value: `${(1000 / loaded).toFixed(2)} ms`,
  ratio: `${(parsed / loaded).toFixed(1)} × reading its JSON`,
  aim: '≤ 5 ms',
})
