import { setTimeout as delay } from 'node:timers/promises'
import type { OsworldOptions } from '../../osworld/options.ts'
import type { Machine } from './machine-client.ts'

const between = 150
/**
 * Milliseconds before the first sample of a machine that does not report its programs' activity: they may not have
 * begun yet.
 */
const unseenStart = 500
/** The share of one processor below which programs count as idle: a blinking cursor uses some. */
const idle = 0.15

/**
 * Waits until the screen is stable: two successive pictures are equal, and the desktop's programs used hardly any
 * processor between them. A picture alone proves little: a program that has not reacted yet leaves the screen
 * unchanged.
 * @returns the last picture, as PNG; after the limit also one that may still change
 */
export async function settleScreen(
  machine: Machine,
  { pause, settle_limit: limit }: Pick<OsworldOptions, 'pause' | 'settle_limit'>,
): Promise<Buffer> {
  await delay(pause * 1000)
  let before = await look(machine)
  if (before.activity === null && limit > 0) {
    await delay(Math.min(unseenStart, limit * 1000))
    before = await look(machine)
  }
  const end = performance.now() + limit * 1000
  while (performance.now() < end) {
    await delay(between)
    const now = await look(machine)
    if (now.picture.equals(before.picture) && isIdle(before, now)) return now.picture
    before = now
  }
  return before.picture
}

interface Look {
  picture: Buffer
  activity: number | null
  at: number
}

async function look(machine: Machine): Promise<Look> {
  const activity = await machine.activity()
  const at = performance.now()
  return { picture: await machine.screenshot(), activity, at }
}

function isIdle(before: Look, now: Look): boolean {
  if (before.activity === null || now.activity === null) return true
  return now.activity - before.activity <= idle * ((now.at - before.at) / 1000)
}
