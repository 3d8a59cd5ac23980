import { setTimeout as delay } from 'node:timers/promises'
import type { OsworldOptions } from '../../shared/environments/osworld/options.ts'
import type { Machine } from './machine-client.ts'

/** Milliseconds between two looks. */
const between = 150
/** Milliseconds before the first look at a machine that does not say how busy its programs are: they may not have begun yet. */
const unseenStart = 500
/** The part of one processor up to which programs count as idle: a blinking cursor takes some. */
const idle = 0.15

/**
 * Waits until the screen stands still: two pictures in a row are equal, and the programs on the desktop used hardly any processor
 * between them. A picture alone says little: a program that has not reacted yet leaves the screen as it was.
 *
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
  /** Seconds of processor used until then; null where it is not known. */
  activity: number | null
  /** Milliseconds. */
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
