import { calledName, callText, type Expert, type Outlook } from '../../simulated/expert.ts'
import { alfworldFunctions } from './alfworld-functions.ts'
import { planErrand, stations, targetOf, unseen } from './alfworld-planner.ts'
import { type HouseView, kindOf, readHouse } from './alfworld-prompt.ts'

const searchCost = 10

export const alfworldExpert: Expert = {
  name: 'alfworld',
  look(messages) {
    const house = readHouse(messages)
    if (house === null) return null
    const last = messages.findLast(({ role }) => role !== 'assistant')?.content ?? ''
    return outlookOf(house, last)
  },
}

function outlookOf(house: HouseView, last: string): Outlook {
  const { errand } = house
  const isReached = errand.isLook
    ? isHeld(house) && last.includes(`You turn on the ${errand.target}`)
    : placed(house) >= errand.count
  const verb = errand.treatment === null ? 'bring' : `${errand.treatment} and bring`
  return {
    goal: errand.isLook
      ? `look at a ${errand.thing} under a ${errand.target}`
      : `${verb} ${errand.count} ${errand.thing} to a ${errand.target}`,
    isReached,
    isSpoiled: false,
    isRefused: house.refused !== null,
    next: isReached ? null : planErrand(house),
    missing: isReached ? 0 : stepsLeft(house),
    functions: alfworldFunctions(house.verb),
    statements: () => statementsOf(house),
    usage: () => usageOf(house),
    call(known) {
      const call = nextCall(house)
      return call !== null && known.has(calledName(call)) ? call : null
    },
  }
}

function isHeld({ errand, held }: HouseView): boolean {
  return typeof held === 'string' && kindOf(held) === errand.thing
}

function placed({ contents, errand, treated }: HouseView): number {
  const isDone = (thing: string) =>
    kindOf(thing) === errand.thing && (errand.treatment === null || treated.has(thing))
  const counts = [...contents].map(([place, things]) =>
    kindOf(place) === errand.target ? things.filter(isDone).length : 0,
  )
  return Math.max(0, ...counts)
}

function stepsLeft(house: HouseView): number {
  const { at, closed, contents, errand, held } = house
  const others = Math.max(0, errand.count - placed(house) - 1) * searchCost
  if (isHeld(house)) return stepsToPlace(house) + others
  const finish = errand.treatment === null ? 2 : 4
  const burden = held === null ? 0 : 3
  const target = targetOf(house)
  const source = [...contents].find(
    ([place, things]) =>
      (errand.treatment !== null || place !== target) &&
      things.some((thing) => kindOf(thing) === errand.thing),
  )?.[0]
  if (source === undefined) {
    const unvisited = unseen(house).reduce((sum, place) => sum + (house.visited.has(place) ? 1 : 2), 0)
    return searchCost + unvisited + finish + burden + others
  }
  return (at === source ? 1 : 2) + (closed.has(source) ? 1 : 0) + finish + burden + others
}

function stepsToPlace(house: HouseView): number {
  const { at, closed, errand, held } = house
  if (errand.isLook) {
    const place = lampPlace(house)
    if (place === undefined) return searchCost + unseen(house).length
    return at === place ? 1 : 2
  }
  if (needsTreatment(house)) return at !== null && kindOf(at) === stationOf(house) ? 3 : 4
  const target = targetOf(house)
  if (held === null || target === undefined) return searchCost
  return (at === target ? 1 : 2) + (closed.has(target) ? 1 : 0)
}

function needsTreatment({ errand, held, treated }: HouseView): boolean {
  return errand.treatment !== null && typeof held === 'string' && !treated.has(held)
}

function stationOf({ errand }: HouseView): string | null {
  return errand.treatment === null ? null : stations[errand.treatment]
}

function lampPlace({ contents, errand }: HouseView): string | undefined {
  return [...contents].find(([, things]) => things.some((thing) => kindOf(thing) === errand.target))?.[0]
}

function nextCall(house: HouseView): string | null {
  const { contents, errand, held, receptacles } = house
  if (held === null) {
    const target = targetOf(house)
    const source = [...contents].find(
      ([place, things]) =>
        (errand.treatment !== null || place !== target) &&
        things.some((thing) => kindOf(thing) === errand.thing),
    )?.[0]
    const places = source === undefined ? unseen(house) : [source]
    return places.length === 0 ? null : callText('findAndTake', errand.thing, places.join(', '))
  }
  if (held === undefined || !isHeld(house)) return null
  if (errand.isLook) {
    const place = lampPlace(house)
    const places = place === undefined ? unseen(house) : [place]
    return places.length === 0 ? null : callText('useLamp', errand.target, places.join(', '))
  }
  const station = receptacles.find((name) => kindOf(name) === stationOf(house))
  if (errand.treatment !== null && needsTreatment(house) && station !== undefined) {
    return callText('treat', held, errand.treatment, station)
  }
  const target = targetOf(house)
  return target === undefined ? null : callText('putAway', held, target)
}

function statementsOf(house: HouseView): string[] {
  const { errand, receptacles } = house
  const target = receptacles.find((name) => kindOf(name) === errand.target) ?? ''
  const places = unseen(house)
  const sources = errand.count > 1 ? places.filter((place) => place !== target) : places
  const station = receptacles.find((name) => kindOf(name) === stationOf(house))
  const find = `const thing = ${callText('findAndTake', errand.thing, sources.join(', '))}`
  if (errand.isLook) return [find, callText('useLamp', errand.target, places.join(', '))]
  const treat = errand.treatment === null ? [] : [`treat(thing, "${errand.treatment}", "${station}")`]
  const round = [...treat, `putAway(thing, "${target}")`]
  if (errand.count === 1) return [find, ...round]
  return [
    `for (let count = 0; count < ${errand.count}; count += 1) {`,
    `  ${find}`,
    ...round.map((line) => `  ${line}`),
    '}',
  ]
}

function usageOf(house: HouseView): string[] {
  const name = JSON.stringify(`${house.errand.thing} 1`)
  return statementsOf(house)
    .map((line) => line.trim().replace('const thing = ', '').replace('(thing, ', `(${name}, `))
    .filter((line) => line.endsWith(')'))
}
