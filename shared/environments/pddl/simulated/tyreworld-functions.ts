import { callText, type ExpertFunction } from '../../simulated/expert.ts'
import type { FoldedCall } from './folded-call.ts'

/** The opening of each function: it looks once and fetches the tools it needs. */
const preparation = `  const state = act("look around").split("State: ")[1].toLowerCase()
  const find = (pattern) => (new RegExp(pattern).exec(state) || [])[1]
  const opened = []
  const get = (thing) => {
    const box = find("\\\\b" + thing + " is in ([^\\\\s.]+)\\\\.")
    if (!box) return
    if (state.includes(box + " is closed.") && !opened.includes(box)) {
      act("open " + box)
      opened.push(box)
    }
    act("fetch " + thing + " from " + box)
  }`

const raising = `  if (state.includes(hub + " is on the ground.")) {
    const other = find("([^\\\\s.]+) is jacked up\\\\.")
    if (other) act("jack down " + other)
    else get("jack")
    act("jack up " + hub)
  }`

export const tyreworldFunctions: readonly ExpertFunction[] = [
  {
    name: 'mountWheel',
    parameters: ['wheel', 'hub'],
    code: `/**
 * Brings a wheel onto a hub: takes off what is there, with all that this needs, and leaves the hub jacked up and unfastened.
 * @param wheel - the wheel that has to go on, such as "spare1"
 * @param hub - the hub, such as "hub1"
 */
function mountWheel(wheel, hub) {
${preparation}
  const nuts = find("([^\\\\s.]+) is (?:tight|loose) on " + hub + "\\\\.")
  const old = find("wheel ([^\\\\s.]+) is on " + hub + "\\\\.")
  if (nuts) get("wrench")
  if (nuts && state.includes(nuts + " is tight on " + hub + ".")) act("loosen " + nuts + " on " + hub)
${raising}
  if (nuts) act("undo " + nuts + " on " + hub)
  if (old) act("remove " + old + " from " + hub)
  get(wheel)
  act("put " + wheel + " on " + hub)
}`,
    blunders: [
      ['  if (nuts) act("undo " + nuts + " on " + hub)\n', ''],
      ['  if (old) act("remove " + old + " from " + hub)\n', ''],
    ],
  },
  {
    name: 'finishWheel',
    parameters: ['nuts', 'hub'],
    code: `/**
 * Fastens a mounted wheel: does up the nuts, brings the hub to the ground and tightens them.
 * @param nuts - the nuts of the hub, which the robot has
 * @param hub - the hub, such as "hub1"
 */
function finishWheel(nuts, hub) {
${preparation}
  get("wrench")
${raising}
  act("do up " + nuts + " on " + hub)
  act("jack down " + hub)
  act("tighten " + nuts + " on " + hub)
}`,
    blunders: [
      ['  act("jack down " + hub)\n  act("tighten', '  act("tighten'],
      ['  act("do up " + nuts + " on " + hub)\n', ''],
    ],
  },
  {
    name: 'pumpUp',
    parameters: ['wheel'],
    code: `/**
 * Inflates a wheel, and fetches the pump before where the robot has none.
 * @param wheel - an intact wheel that is not inflated
 */
function pumpUp(wheel) {
${preparation}
  get("pump")
  act("inflate " + wheel)
}`,
    blunders: [['  get("pump")\n', '']],
  },
  {
    name: 'putInto',
    parameters: ['things', 'box'],
    code: `/**
 * Puts things that the robot has into a container, and opens that before where it is closed.
 * @param things - the things with commas between them, as in "flat1, wrench"
 * @param box - the container, such as "boot"
 */
function putInto(things, box) {
  const state = act("look around").split("State: ")[1].toLowerCase()
  if (state.includes(box + " is closed.")) act("open " + box)
  for (const thing of things.split(", ")) act("put " + thing + " away in " + box)
}`,
    blunders: [['things.split(", ")', 'things.split(" ")']],
  },
]

const preparing = /^(?:open|fetch|jack up|jack down|loosen|undo|remove|do up) /

export function foldTyreworld(plan: readonly string[]): FoldedCall | null {
  const last = plan.findIndex((step) => !preparing.test(step))
  const end = plan[last]
  if (end === undefined) return null
  const [, wheel, place] = /^put (\S+) (?:on|away in) (\S+)$/.exec(end) ?? []
  if (end.startsWith('inflate ')) return foldPump(plan, last)
  if (end.startsWith('tighten ')) return foldFinish(plan, last)
  if (wheel === undefined || place === undefined) return null
  if (end.includes(' away in ')) return foldStow(plan, place)
  const isOfHub = plan.slice(0, last).every((step) => !step.startsWith('do up '))
  return last > 0 && isOfHub ? { call: callText('mountWheel', wheel, place), steps: last + 1 } : null
}

function foldPump(plan: readonly string[], last: number): FoldedCall | null {
  const [, wheel = ''] = /^inflate (\S+)$/.exec(plan[last] ?? '') ?? []
  const isPrepared = plan.slice(0, last).every((step) => /^(?:open |fetch pump )/.test(step))
  return last > 0 && isPrepared ? { call: callText('pumpUp', wheel), steps: last + 1 } : null
}

function foldFinish(plan: readonly string[], last: number): FoldedCall | null {
  const [, nuts = '', hub = ''] = /^tighten (\S+) on (\S+)$/.exec(plan[last] ?? '') ?? []
  const isWhole = plan[last - 2] === `do up ${nuts} on ${hub}`
  return isWhole ? { call: callText('finishWheel', nuts, hub), steps: last + 1 } : null
}

function foldStow(plan: readonly string[], box: string): FoldedCall | null {
  const start = plan[0] === `open ${box}` ? 1 : 0
  const ending = ` away in ${box}`
  const after = plan.findIndex((step, at) => at >= start && !step.endsWith(ending))
  const steps = plan.slice(start, after < 0 ? plan.length : after)
  if (steps.length + start < 2) return null
  const things = steps.map((step) => step.slice('put '.length, -ending.length))
  return { call: callText('putInto', things.join(', '), box), steps: steps.length + start }
}
