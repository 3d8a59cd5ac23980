import { setTimeout as delay } from 'node:timers/promises'
import { Machine } from '../shared/environments/desktop/host/machine-client.ts'
import { observeDesktop } from '../shared/environments/desktop/host/observe-desktop.ts'
import { type Desktop, openDesktop } from '../shared/environments/desktop/host/open-desktop.ts'
import { settleScreen } from '../shared/environments/desktop/host/settle-screen.ts'
import { osworldOptions } from '../shared/environments/osworld/options.ts'
import { memoryOfTree } from './browser/process-memory.ts'
import { report } from './figure.ts'

/**
 * Measures a desktop with LibreOffice Calc on this machine: opening, a step and its parts, and memory. Compares
 * OSWorld's own controller on the same desktop: a new interpreter for each action, and a fixed pause after it,
 * counted without sleeping.
 */
const steps = Number(process.env.BENCH_STEPS ?? 10)
const sessions = Number(process.env.BENCH_SESSIONS ?? 3)
const osworldPause = 2
const prefix = 'import pyautogui; import time; pyautogui.FAILSAFE = False\n'

const open: Desktop[] = []
try {
  // The first start of a program reads it from the disk.
  const cold = await openCalc()
  const warm = await openCalc()
  const machine = new Machine(warm.desktop.address, warm.desktop.lost)
  const options = osworldOptions.parse({ observation: 'screenshot_a11y_tree' })

  const parts = { act: 0, settle: 0, tree: 0 }
  const whole = await seconds(async () => {
    for (let step = 0; step < steps; step += 1) {
      parts.act += await seconds(() => machine.act(typing(step)))
      parts.settle += await seconds(() => settleScreen(machine, options))
      parts.tree += await seconds(() => machine.accessibility())
    }
  })
  const screenshot = await seconds(() => repeat(() => machine.screenshot()))
  const observed = await seconds(() => observeDesktop(machine, options))

  const executed = await seconds(() => repeat((step) => execute(machine, `${prefix}${typing(step)}`)))
  const fullTree = await seconds(() =>
    fetch(`${machine.address}/accessibility`).then((answer) => answer.text()),
  )
  const theirs = executed / steps + osworldPause + screenshot / steps + fullTree

  while (open.length < sessions) await openCalc()
  const own = (await memoryOfTree(process.pid)) - process.memoryUsage().rss
  const each = own / open.length
  report(
    {
      what: 'A desktop with Calc: its start',
      value: `${cold.opened.toFixed(1)} s the first time, ${warm.opened.toFixed(1)} s then; with Calc open ${cold.ready.toFixed(1)} s and ${warm.ready.toFixed(1)} s`,
      ratio: `${(warm.ready / cold.ready).toFixed(2)} × the first`,
      aim: 'none',
    },
    {
      what: `A step in Calc with screenshot and accessibility tree, mean of ${steps}`,
      value: `${(whole / steps).toFixed(2)} s: action ${(parts.act / steps).toFixed(3)}, until the screen stands still ${(parts.settle / steps).toFixed(2)}, tree ${(parts.tree / steps).toFixed(2)}; a screenshot ${(screenshot / steps).toFixed(3)}, a whole observation ${observed.toFixed(2)}`,
      ratio: `${(whole / steps / theirs).toFixed(2)} × the way of OSWorld's controller (${theirs.toFixed(2)} s: action ${(executed / steps).toFixed(2)}, pause ${osworldPause}, screenshot, whole tree ${fullTree.toFixed(2)})`,
      aim: '< 1 ×',
    },
    {
      what: `Memory of ${open.length} desktops with Calc`,
      value: `${(each / 1e6).toFixed(0)} MB each, pages that several share counted once`,
      ratio: `${(1e9 / each).toFixed(1)} in 1 GB; a virtual machine of OSWorld has 4 GB`,
      aim: 'none',
    },
  )
} finally {
  await Promise.all(open.map((desktop) => desktop.close()))
}

async function openCalc(): Promise<{ desktop: Desktop; opened: number; ready: number }> {
  const start = performance.now()
  const desktop = await openDesktop({ log: () => undefined })
  open.push(desktop)
  const opened = (performance.now() - start) / 1000
  await post(desktop.address, '/setup/launch', { command: ['libreoffice', '--calc'] })
  const machine = new Machine(desktop.address, desktop.lost)
  while (!(await machine.accessibility()).includes('LibreOffice Calc')) await delay(200)
  return { desktop, opened, ready: (performance.now() - start) / 1000 }
}

function typing(step: number): string {
  return `pyautogui.write("${100 + step}\\n")`
}

async function execute({ address }: Machine, code: string): Promise<void> {
  await post(address, '/execute', { command: ['python', '-c', code], shell: false })
}

async function post(address: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  await response.text()
}

async function repeat(work: (step: number) => Promise<unknown>): Promise<void> {
  for (let step = 0; step < steps; step += 1) await work(step)
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
