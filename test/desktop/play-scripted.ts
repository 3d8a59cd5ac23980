import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { openDesktop } from '../../shared/environments/desktop/host/open-desktop.ts'
import type { TaskProgram } from '../../shared/environments/desktop/host/task-program.ts'
import { lentFolder } from '../support/temporary-folder.ts'
import { type DrivenDesktop, until, wordsFor } from './drive-desktop.ts'

export interface PlayedScript {
  /** The score of doing nothing and calling it done; null: not asked for. */
  idle: number | null
  /** The score after the actions. */
  solved: number
}

/** How long a picture may take to stay the same. Milliseconds. */
const settleWithin = 5000
/** Milliseconds after which the keys for a terminal are pressed again: those pressed while a program starts may be lost. */
const pressedAgainAfter = 15_000
/** Times as long as OSWorld's own: its steps wait half a second for a terminal, which a busy machine has not opened by then. */
const pace = 5
/** In the title of a terminal once there is a prompt. */
const prompt = 'user@desktop'
/** Milliseconds after which a window that is there, and gets no keys, is brought to the front. */
const leftBehindAfter = 5000

/**
 * Plays actions on a desktop of their own, one after the other as the picture comes to rest, and scores the task.
 *
 * @param actions code as agents write it, beside `WAIT` for two seconds, `WINDOW title` until the window that keys go to has this in
 * its title, `CLOSED title` until no window has it, `TERMINAL line` for a line in a terminal of its own, and `DONE` or `FAIL` at
 * the end
 * @param scoresIdle whether the task is scored before the first action too, which steps before its score may forbid
 */
export async function playScripted(
  program: TaskProgram,
  task: JsonObject,
  actions: readonly string[],
  scoresIdle: boolean,
): Promise<PlayedScript> {
  const cache = await lentFolder()
  const opened = await openDesktop({ log: () => undefined })
  const desktop = { ...opened, ...wordsFor(opened) }
  const request = { machine: desktop.address, task, files: {}, cache: cache.folder, pace }
  try {
    await program.setUp(request)
    const idle = scoresIdle ? (await program.score({ ...request, actions: ['DONE'] })).score : null
    for (const action of actions) await play(desktop, action)
    return { idle, solved: (await program.score({ ...request, actions })).score }
  } finally {
    await desktop.close()
    await cache.remove()
  }
}

async function play(desktop: DrivenDesktop, action: string): Promise<void> {
  const [, step, title = ''] = /^(WINDOW|CLOSED|TERMINAL) (.+)$/s.exec(action) ?? []
  if (action === 'DONE' || action === 'FAIL') return
  if (action === 'WAIT') await sleep(2000)
  else if (step === 'TERMINAL') await typeInTerminal(desktop, title)
  else if (step === 'WINDOW') {
    await untilInFront(desktop, title)
    await settle(desktop.address)
  } else if (step === 'CLOSED') {
    await until(async () => {
      const { output, returncode } = await desktop.run('wmctrl -l')
      return returncode === 0 && !output.includes(title)
    }, `an end of the window "${title}"`)
  } else {
    const { error, returncode } = await desktop.act(action)
    if (returncode !== 0) throw new Error(`${action} failed: ${error}`)
    await settle(desktop.address)
  }
}

/** Opens a terminal by its keys, types a line, and waits until it has ended: a second terminal may have come late. */
async function typeInTerminal(desktop: DrivenDesktop, line: string): Promise<void> {
  const terminals = async () => {
    const { output } = await desktop.run('wmctrl -l')
    return output
      .split('\n')
      .flatMap((window) => (window.includes(prompt) ? (window.split(' ')[0] ?? []) : []))
  }
  let pressed = Number.NEGATIVE_INFINITY
  await until(async () => {
    if ((await terminals()).length > 0) return true
    if (performance.now() - pressed > pressedAgainAfter) {
      pressed = performance.now()
      await desktop.act("pyautogui.hotkey('ctrl', 'alt', 't')")
    }
    return false
  }, 'a terminal')
  await untilInFront(desktop, prompt)
  await settle(desktop.address)
  const { output } = await desktop.run('xdotool getactivewindow')
  const own = Number(output)
  await desktop.act(`pyautogui.write(${JSON.stringify(`${line}; exit\n`)}, interval=0.02)`)
  await until(async () => !(await terminals()).some((id) => Number(id) === own), 'an end of the terminal')
  for (const id of await terminals()) await desktop.run(`wmctrl -i -c ${id}`)
}

/** Waits for the window that keys go to. One that opened while keys were pressed may be left behind the others, and is brought to the front. */
async function untilInFront(desktop: DrivenDesktop, title: string): Promise<void> {
  const begun = performance.now()
  const isInFront = async () => {
    const { output } = await desktop.run('xdotool getactivewindow getwindowname')
    if (output.includes(title)) return true
    if (performance.now() - begun > leftBehindAfter) await desktop.run(`wmctrl -a '${title}'`)
    return false
  }
  await until(isInFront, `a window "${title}" that keys go to`).catch(async (error: unknown) => {
    const { output } = await desktop.run('wmctrl -l')
    throw new Error(`${error instanceof Error ? error.message : error} There are:\n${output}`)
  })
}

/** Waits until the picture stays the same. */
async function settle(address: string): Promise<void> {
  await sleep(500)
  const end = Date.now() + settleWithin
  let last = await takePicture(address)
  while (Date.now() < end) {
    await sleep(300)
    const next = await takePicture(address)
    if (next.equals(last)) return
    last = next
  }
}

async function takePicture(address: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${address}/screenshot`)).arrayBuffer())
}
