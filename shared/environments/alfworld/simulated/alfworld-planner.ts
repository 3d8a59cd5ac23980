import { type HouseView, kindOf } from './alfworld-prompt.ts'

export const stations = { clean: 'sinkbasin', heat: 'microwave', cool: 'fridge' } as const

export function planErrand(house: HouseView): string {
  const action = nextAction(house)
  return action === house.refused ? 'look' : action
}

export function placing(house: HouseView, thing: string, receptacle: string): string {
  return house.verb === 'move' ? `move ${thing} to ${receptacle}` : `put ${thing} in/on ${receptacle}`
}

function nextAction(house: HouseView): string {
  const { errand, held, at } = house
  if (held === undefined) return 'inventory'
  if (held === null) return fetchThing(house)
  if (kindOf(held) !== errand.thing) {
    const free = at !== null && !house.closed.has(at) ? at : house.receptacles[0]
    return placeIn(house, held, house.refused === placing(house, held, free ?? '') ? otherPlace(house) : free)
  }
  if (errand.isLook) {
    const lamp = [...house.contents].find(([, things]) =>
      things.some((thing) => kindOf(thing) === errand.target),
    )
    if (lamp === undefined) return explore(house)
    const [place, things] = lamp
    return at === place ? `use ${things.find((thing) => kindOf(thing) === errand.target)}` : `go to ${place}`
  }
  const { treatment } = errand
  if (treatment !== null && !house.treated.has(held)) {
    const station = house.receptacles.find((name) => kindOf(name) === stations[treatment])
    if (station !== undefined) {
      return at === station ? `${treatment} ${held} with ${station}` : `go to ${station}`
    }
  }
  return placeIn(house, held, targetOf(house))
}

function placeIn(house: HouseView, thing: string, receptacle: string | undefined): string {
  if (receptacle === undefined) return 'look'
  if (house.at !== receptacle) return `go to ${receptacle}`
  return house.closed.has(receptacle) ? `open ${receptacle}` : placing(house, thing, receptacle)
}

function fetchThing(house: HouseView): string {
  const target = targetOf(house)
  const source = [...house.contents].flatMap(([place, things]) => {
    const isDone = house.errand.treatment === null && place === target
    const thing = isDone ? undefined : things.find((name) => kindOf(name) === house.errand.thing)
    return thing === undefined ? [] : [{ place, thing }]
  })[0]
  if (source === undefined) return explore(house)
  const { place, thing } = source
  if (house.at !== place) return `go to ${place}`
  return house.closed.has(place) ? `open ${place}` : `take ${thing} from ${place}`
}

export function targetOf({ errand, receptacles, contents }: HouseView): string | undefined {
  const targets = receptacles.filter((name) => kindOf(name) === errand.target)
  const begun = targets.find((name) => contents.get(name)?.some((thing) => kindOf(thing) === errand.thing))
  return begun ?? targets[0]
}

function explore(house: HouseView): string {
  const { at, closed, contents, visited } = house
  if (at !== null && closed.has(at) && !contents.has(at)) return `open ${at}`
  if (at !== null && !visited.has(at)) return `examine ${at}`
  const next = unseen(house)[0] ?? otherPlace(house)
  return next === undefined ? 'look' : `go to ${next}`
}

export function unseen(house: HouseView): string[] {
  const { closed, contents, errand, receptacles, visited } = house
  const isLast = (name: string) => errand.treatment === null && kindOf(name) === errand.target
  const cost = (name: string) =>
    (isLast(name) ? 1000 : 0) + receptacles.filter((other) => kindOf(other) === kindOf(name)).length
  return receptacles
    .filter((name) => !contents.has(name) && (!visited.has(name) || closed.has(name)))
    .toSorted((one, other) => cost(one) - cost(other))
}

function otherPlace({ receptacles, at, closed }: HouseView): string | undefined {
  return receptacles.find((name) => name !== at && !closed.has(name))
}
