import type { ExpertFunction } from '../../simulated/expert.ts'
import type { HouseView } from './alfworld-prompt.ts'

/** The opening of each function: going to the location. If that is refused, the agent is already there. */
const arriving = `  let seen = ""
  try {
    seen = act("go to " + place)
  } catch (error) {
    seen = act("examine " + place)
  }
  if (seen.includes("is closed")) seen = act("open " + place)`

const searching = arriving
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')

const missing = `  throw new Error("There is no " + kind + " in " + places)`

export function alfworldFunctions(verb: HouseView['verb']): readonly ExpertFunction[] {
  const between = verb === 'move' ? 'to' : 'in/on'
  return [
    {
      name: 'findAndTake',
      parameters: ['kind', 'places'],
      code: String.raw`/**
 * Looks for a thing, place after place, opens what is closed, takes the first that it finds and returns its name.
 * @param kind - the kind of thing without a number, as in "mug"
 * @param places - where to look, with commas between the places, as in "countertop 1, cabinet 1"
 */
function findAndTake(kind, places) {
  for (const place of places.split(", ")) {
${searching}
    const found = new RegExp("\\b" + kind + " \\d+").exec(seen.split("you see")[1] || "")
    if (found === null) continue
    act("take " + found[0] + " from " + place)
    return found[0]
  }
${missing}
}`,
      blunders: [
        ['    if (seen.includes("is closed")) seen = act("open " + place)\n', ''],
        ['act("take " + found[0] + " from " + place)', 'act("take " + kind + " from " + place)'],
      ],
    },
    {
      name: 'treat',
      parameters: ['thing', 'how', 'station'],
      code: `/**
 * Cleans, heats or cools the thing that is held.
 * @param thing - the thing with its number, as in "mug 1"
 * @param how - "clean", "heat" or "cool"
 * @param station - the sinkbasin, microwave or fridge for that, as in "fridge 1"
 */
function treat(thing, how, station) {
  try {
    act("go to " + station)
  } catch (error) {
    act("examine " + station)
  }
  act(how + " " + thing + " with " + station)
}`,
      blunders: [['  act(how + " " + thing + " with " + station)', '  act(how + " " + thing)']],
    },
    {
      name: 'putAway',
      parameters: ['thing', 'place'],
      code: `/**
 * Goes to a place, opens it where it is closed, and puts the thing there that is held.
 * @param thing - the thing with its number, as in "mug 1"
 * @param place - where it has to go, as in "cabinet 1"
 */
function putAway(thing, place) {
${arriving}
  act("${verb} " + thing + " ${between} " + place)
}`,
      blunders: [
        ['  if (seen.includes("is closed")) seen = act("open " + place)\n', ''],
        [` ${between} " + place)`, ` at " + place)`],
      ],
    },
    {
      name: 'useLamp',
      parameters: ['kind', 'places'],
      code: String.raw`/**
 * Looks for a lamp, place after place, and turns it on.
 * @param kind - the kind of lamp without a number, as in "desklamp"
 * @param places - where to look, with commas between the places, as in "desk 1, sidetable 1"
 */
function useLamp(kind, places) {
  for (const place of places.split(", ")) {
${searching}
    const found = new RegExp("\\b" + kind + " \\d+").exec(seen.split("you see")[1] || "")
    if (found === null) continue
    act("use " + found[0])
    return found[0]
  }
${missing}
}`,
      blunders: [['act("use " + found[0])', 'act("use " + kind)']],
    },
  ]
}
