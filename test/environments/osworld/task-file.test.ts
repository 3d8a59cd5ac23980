import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import leftOut from '../../../shared/environments/desktop/host/scoring/left-out.json' with { type: 'json' }
import {
  gettersOf,
  isInfeasible,
  osworldTaskSchema,
  setupsOf,
} from '../../../shared/environments/osworld/task-file.ts'
import { filesOfTask } from '../../../shared/environments/osworld/task-files.ts'
import {
  describeNeeds,
  lacksOf,
  leftOutMetrics,
  needsOfTask,
} from '../../../shared/environments/osworld/task-needs.ts'
import { download, writeTask } from './write-task.ts'

const parse = (parts: Record<string, unknown>) => osworldTaskSchema.parse(writeTask('t1', parts))
const lacks = (parts: Record<string, unknown>) => lacksOf(needsOfTask(parse(parts)), new Set())

describe('a task file', () => {
  test('keeps what is not known here', () => {
    const written = writeTask('t1', {
      config: [{ type: 'teleport', parameters: { where: 'home' }, note: 1 }],
      evaluator: {
        func: ['measure', 'other'],
        conj: 'or',
        result: [{ type: 'odd', depth: 3 }, null],
        new_field: true,
      },
      proxy: true,
    })
    expect(osworldTaskSchema.parse(written)).toMatchObject(written)
  })

  test('may leave out its set-up and what a metric is given', () => {
    const { config, ...others } = writeTask('t1', { evaluator: { func: 'infeasible' } })
    expect(config).toEqual([])
    const task = osworldTaskSchema.parse(others)
    expect(isInfeasible(task)).toBe(true)
    expect(setupsOf(task)).toEqual([])
    expect(gettersOf(task)).toEqual([])
  })

  test.each([
    ['no instruction', { instruction: '' }],
    ['an id that leaves its folder', { id: '../up' }],
    ['an evaluator without a metric', { evaluator: { func: [] } }],
    ['a conjunction that is none', { evaluator: { func: 'a', conj: 'xor' } }],
  ])('with %s is refused', (_what, parts) => {
    expect(osworldTaskSchema.safeParse(writeTask('t1', parts)).success).toBe(false)
  })
})

test('the files of a task are those of its set-up and those that it is compared with, each once', () => {
  const drive = 'https://drive.google.com/uc?id=AB12&export=download'
  const task = parse({
    config: [
      download(['https://h.org/a/in.xlsx', '/home/user/Desktop/in.xlsx'], [drive, '/home/user/b.zip']),
    ],
    evaluator: {
      func: ['one', 'two'],
      result: [{ type: 'vm_file', path: '/home/user/in.xlsx', dest: 'in.xlsx' }, null],
      expected: [
        { type: 'cloud_file', path: drive, dest: 'gold.zip' },
        { type: 'cloud_file', multi: true, path: ['https://h.org/x', 'https://h.org/y'], dest: ['x', 'y'] },
      ],
      postconfig: [download(['https://h.org/eval.sh', 'eval.sh'])],
    },
  })
  expect(filesOfTask(task)).toEqual([
    { url: 'https://h.org/a/in.xlsx', name: 'in.xlsx' },
    { url: drive, name: 'gold.zip' },
    { url: 'https://h.org/eval.sh', name: 'eval.sh' },
    { url: 'https://h.org/x', name: 'x' },
    { url: 'https://h.org/y', name: 'y' },
  ])
})

test('nothing is lacking for the tasks of OSWorld that are solved on our desktops', () => {
  const path = join(import.meta.dirname, '../../desktop/osworld/tasks.json')
  const solved = z
    .array(osworldTaskSchema)
    .min(20)
    .parse(JSON.parse(readFileSync(path, 'utf8')))
  const found = solved.map((task) => ({ id: task.id, lacks: lacksOf(needsOfTask(task), new Set()) }))
  expect(found.filter(({ lacks: missing }) => missing.length > 0)).toEqual([])
})

test('the metrics that a task lacks are those that the scoring leaves out', () => {
  expect([...leftOutMetrics].sort()).toEqual(Object.keys(leftOut.metrics).sort())
})

const launch = (...command: string[]) => ({ type: 'launch', parameters: { command } })
const shell = (command: string) => ({ type: 'execute', parameters: { command, shell: true } })
const command = (line: string) => ({ type: 'vm_command_line', command: line })
const rule = { type: 'rule', rules: {} }

describe('what a task lacks here', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['nothing for Calc alone', {}, []],
    ['an application that is not installed', { related_apps: ['Thunderbird', 'os'] }, ['Thunderbird']],
    ['one that only its set-up starts', { config: [launch('code', '/home/user/x')] }, ['Visual Studio Code']],
    [
      'a viewer for what is opened',
      { config: [{ type: 'open', parameters: { path: '/a/b.pdf' } }] },
      ['a viewer of PDF files'],
    ],
    [
      'a page that it opens',
      { config: [{ type: 'chrome_open_tabs', parameters: { urls_to_open: ['https://a.org'] } }] },
      ["Chrome's debug port", 'the web'],
    ],
    ['the web for a browser', { related_apps: ['chrome'] }, ['the web']],
    [
      'nothing for a browser that cannot do it',
      { related_apps: ['chrome'], evaluator: { func: 'infeasible' } },
      [],
    ],
    ['the web for an address', { instruction: 'Play https://a.org/x in VLC.' }, ['the web']],
    [
      'an account',
      { evaluator: { func: 'f', result: { type: 'googledrive_file' }, expected: rule } },
      ['a Google account'],
    ],
    ['nothing for sudo, which acts as the user', { config: [shell('echo password | sudo -S mkdir x')] }, []],
    [
      'the rights of root',
      { evaluator: { func: 'f', result: command('timedatectl status') } },
      ['the rights of root'],
    ],
    [
      'packages',
      { config: [{ type: 'command', parameters: { command: ['pip', 'install', 'pygame'] } }] },
      ['packages that its set-up installs'],
    ],
    [
      "nothing for GNOME's settings",
      { evaluator: { func: 'f', result: command('gsettings get org.gnome.desktop.session x') } },
      [],
    ],
    [
      "GNOME's shell",
      { evaluator: { func: 'f', result: command('gsettings get org.gnome.shell x') } },
      ["GNOME's shell"],
    ],
    ['a sound server', { evaluator: { func: 'f', result: command('pactl list') } }, ['a sound server']],
    [
      "VLC's pages",
      { evaluator: { func: 'f', result: { type: 'vlc_playing_info' } } },
      ["VLC's web interface"],
    ],
    ['a metric', { evaluator: { func: ['compare_table', 'compare_audios'] } }, ['a metric that is left out']],
    ['its file', { config: [download(['https://h.org/a', 'a'])] }, ['its file']],
    [
      'its files',
      { config: [download(['https://h.org/a', 'a'], ['https://h.org/b', 'b'])] },
      ['its 2 files'],
    ],
  ])('is %s', (_what, parts, expected) => expect(lacks(parts)).toEqual(expected))

  test('is fewer files where some came along', () => {
    const needs = needsOfTask(
      parse({ config: [download(['https://h.org/a', 'a'], ['https://h.org/b', 'b'])] }),
    )
    expect(lacksOf(needs, new Set(['https://h.org/a']))).toEqual(['1 of its 2 files'])
    expect(lacksOf(needs, new Set(needs.files))).toEqual([])
    expect(describeNeeds(needs)).toBe('LibreOffice Calc, 2 files')
  })
})
