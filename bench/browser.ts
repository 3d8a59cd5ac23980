import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { installPythonEnvironment } from '../shared/core/programs/python-environment.ts'
import { findChromium } from '../shared/environments/browser/find-chromium.ts'
import { browsergymPackages } from '../shared/environments/browsergym/list-tasks.ts'
import { folderSource } from '../shared/environments/folder-source.ts'
import { miniwobPackFormat } from '../shared/environments/miniwob/pack-format.ts'
import { miniwobWheel } from '../test/browser-runs/miniwob-pages.ts'
import { type Stepped, stepBrowsergym } from './browser/step-browsergym.ts'
import { stepHost } from './browser/step-host.ts'
import { report } from './figure.ts'

/**
 * Compares our browser host with Python's BrowserGym: the same page of MiniWoB++, the same Chromium, the same key at
 * each step, alternating on this machine. BrowserGym takes a screenshot at every step, ours only on request. Memory
 * is that of all processes.
 */
const sessions = Number(process.env.BENCH_SESSIONS ?? 4)
const seconds = Number(process.env.BENCH_SECONDS ?? 10)
const page = 'login-user'

const folder = await mkdtemp(join(tmpdir(), 'espalier-bench-'))
try {
  await promisify(execFile)('unzip', ['-q', await miniwobWheel(), '-d', folder])
  const files: Record<string, string> = {}
  const wanted = new Set(miniwobPackFormat.filesOf?.(`${page}/1`))
  for await (const { path, body } of miniwobPackFormat.collect(await folderSource(folder))) {
    if (wanted.has(path)) files[path] = new TextDecoder().decode(body)
  }
  const { python } = await installPythonEnvironment(browsergymPackages({}, '.', process.env), () => undefined)
  const pages = `${pathToFileURL(join(folder, 'miniwob/html/miniwob'))}/`
  const gym = { chromium: await findChromium(process.env), page, pages, seconds }
  const ours = (count: number, screenshots: boolean) =>
    stepHost(count, { environment: 'miniwob', task: `${page}/1`, files, seconds, options: { screenshots } })

  const one = await ours(1, true)
  const texts = await ours(sessions, false)
  const pictures = await ours(sessions, true)
  const eager = await stepBrowsergym(python, sessions, { ...gym, waits: false })
  const usual = await stepBrowsergym(python, sessions, { ...gym, waits: true })

  const each = (pictures.memory - one.memory) / (sessions - 1)
  const inOneGigabyte = 1 + (1e9 - one.memory) / each
  const theirs = 1e9 / (eager.memory / sessions)
  report(
    {
      what: `Steps of ${sessions} sessions on a page of MiniWoB++, ${seconds} s each, with an accessibility tree and a screenshot at each`,
      value: [
        row('our host', pictures),
        row('our host, no screenshots', texts),
        row('BrowserGym without its waits', eager),
        row('BrowserGym as it comes', usual),
      ].join('\n  '),
      ratio: `${times(pictures.rate / eager.rate)} BrowserGym without its waits, ${times(pictures.rate / usual.rate)} as it comes; without screenshots ${times(texts.rate / eager.rate)} and ${times(texts.rate / usual.rate)}`,
      aim: '≥ 2 ×',
    },
    {
      what: 'Sessions in 1 GB, with browsers and programs',
      value: `${inOneGigabyte.toFixed(0)} of our host (${megabytes(one.memory)} with one, ${megabytes(each)} for each other); ${theirs.toFixed(1)} of BrowserGym (${megabytes(eager.memory / sessions)} each)`,
      ratio: times(inOneGigabyte / theirs),
      aim: '≥ 2 ×',
    },
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}

function row(name: string, { rate, opened }: Stepped): string {
  return `${name.padEnd(30)}${rate.toFixed(1).padStart(7)} steps/s  page opened in ${opened.toFixed(2)} s`
}

function times(ratio: number): string {
  return `${ratio.toFixed(1)} ×`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
