import { onTestFinished } from 'vitest'
import {
  type Desktop,
  type DesktopSettings,
  openDesktop,
} from '../../shared/environments/desktop/host/open-desktop.ts'

/** What a command answered. */
export interface RanCommand {
  output: string
  error: string
  returncode: number
}

/** What an action answered. */
export interface ActedCode extends RanCommand {
  status: string
  message?: string
}

/** A desktop, and its API in the words of a test. */
export interface DrivenDesktop extends Desktop {
  get(path: string): Promise<Response>
  post(path: string, body: object): Promise<Response>
  /** A line for the shell, to its end. */
  run(line: string): Promise<RanCommand>
  act(code: string): Promise<ActedCode>
  launch(...command: string[]): Promise<void>
  /** The text of a file; null: there is none. */
  file(path: string): Promise<string | null>
  /** Waits until a window has this in its title, and has it come before the others. */
  window(title: string): Promise<void>
}

/** Opens a desktop that is closed with the test. */
export async function driveDesktop(settings: Partial<DesktopSettings> = {}): Promise<DrivenDesktop> {
  const desktop = await openDesktop({ log: () => undefined, ...settings })
  onTestFinished(() => desktop.close())
  return { ...desktop, ...wordsFor(desktop) }
}

export function wordsFor(desktop: Desktop): Omit<DrivenDesktop, keyof Desktop> {
  const get = (path: string) => fetch(`${desktop.address}${path}`)
  const post = (path: string, body: object) =>
    fetch(`${desktop.address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const run = async (line: string): Promise<RanCommand> =>
    (await (await post('/execute', { command: line, shell: true })).json()) as RanCommand
  return {
    get,
    post,
    run,
    act: async (code) => (await (await post('/espalier/act', { code })).json()) as ActedCode,
    async launch(...command) {
      const response = await post('/setup/launch', { command })
      if (!response.ok) throw new Error(await response.text())
    },
    async file(path) {
      const response = await fetch(`${desktop.address}/file`, {
        method: 'POST',
        body: new URLSearchParams({ file_path: path }),
      })
      return response.status === 404 ? null : response.text()
    },
    async window(title) {
      await until(async () => (await run('wmctrl -l')).output.includes(title), `a window ${title}`)
      await post('/setup/activate_window', { window_name: title })
    },
  }
}

/** Asks again until it is so. */
export async function until(isSo: () => Promise<boolean>, what: string, seconds = 300): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`There was not ${what} within ${seconds} seconds.`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
