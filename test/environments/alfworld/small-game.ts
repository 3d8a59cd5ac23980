import { type Game, loadGame } from '../../../shared/environments/alfworld/game.ts'
import type { GameFile } from '../../../shared/environments/alfworld/game-file.ts'
import { domainText, type PlacingVerb } from '../../../shared/environments/alfworld/household/domain-text.ts'
import { grammarText } from '../../../shared/environments/alfworld/household/grammar-text.ts'
import type { Household } from '../../../shared/environments/alfworld/household/make-game.ts'
import { problemText } from '../../../shared/environments/alfworld/household/problem-text.ts'
import type { HouseholdGoal } from '../../../shared/environments/alfworld/household/tasks.ts'
import type { AlfworldState } from '../../../shared/environments/alfworld/state.ts'

const receptacle = (kind: string, place: string, location: string) => ({
  kind,
  id: `${kind === 'SinkBasin' ? 'Sink' : kind}_bar_${place}${kind === 'SinkBasin' ? '_bar_SinkBasin' : ''}`,
  location: `loc_bar_${location}`,
})
const cabinetA = receptacle('Cabinet', 'a', '1')
const cabinetB = receptacle('Cabinet', 'b', '1')
const counter = receptacle('CounterTop', 'a', '2')
const fridge = receptacle('Fridge', 'a', '3')
const microwave = receptacle('Microwave', 'a', '4')
const sink = receptacle('SinkBasin', 'a', '5')
const table = receptacle('SideTable', 'a', '6')
const thing = (kind: string, place: string, where: typeof counter) => ({
  kind,
  id: `${kind}_bar_${place}`,
  receptacle: where,
})

/** Two cabinets at one place, cabinet 2 before cabinet 1, and things to clean, heat, cool, slice, look at. */
export const smallHousehold: Household = {
  receptacles: [cabinetA, cabinetB, counter, fridge, microwave, sink, table],
  things: [
    thing('Mug', 'a', cabinetB),
    thing('Mug', 'b', counter),
    thing('Apple', 'a', counter),
    thing('Knife', 'a', counter),
    thing('DeskLamp', 'a', table),
  ],
  start: 'loc_bar_0',
}

export const hotApple: HouseholdGoal = {
  type: 'pick_heat_then_place_in_recep',
  room: 'kitchen',
  object: 'Apple',
  target: 'Fridge',
}

export const smallFile = (goal: HouseholdGoal = hotApple, verb: PlacingVerb = 'move'): GameFile => ({
  pddl_domain: domainText(verb),
  grammar: grammarText('do what is to be done.', verb),
  pddl_problem: problemText(smallHousehold, goal),
  solvable: true,
})

export const smallGame = (goal: HouseholdGoal = hotApple, verb: PlacingVerb = 'move'): Game =>
  loadGame(smallFile(goal, verb), 'small')

/** Plays commands from the start, and returns what each was answered. */
export function play(game: Game, commands: readonly string[]) {
  let state: AlfworldState = game.reset().state
  const results = commands.map((command) => {
    const result = game.step(state, command)
    state = result.state
    return result
  })
  return { state, results, observations: results.map(({ observation }) => observation) }
}
