import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { desktopPackages } from '../../../../shared/environments/desktop/debian-programs.ts'
import {
  sandboxCommand,
  sandboxPaths,
  sessionVariables,
} from '../../../../shared/environments/desktop/host/sandbox-command.ts'

const root = resolve(import.meta.dirname, '../../../..')
const desktop = join(root, 'shared/environments/desktop/host')

const folders = { home: '/x/home', temporary: '/x/tmp', api: '/x/api', accounts: '/x/etc' }
const sources = { program: '/y/session', python: '/y/python' }

/** What stands behind each word of the command line. */
const after = (words: string[], word: string, count: number) =>
  words.flatMap((each, index) => (each === word ? [words.slice(index + 1, index + 1 + count)] : []))

test('the image installs the packages that are looked for', () => {
  const text = readFileSync(join(desktop, 'Dockerfile'), 'utf8')
  const [, list = ''] = /--no-install-recommends \\\n([\s\S]*?)\n {2}&& /.exec(text) ?? []
  const installed = list.split(/[\s\\]+/).filter((word) => word !== '')
  expect(installed).toEqual([...desktopPackages].sort())
})

test('a session writes to its own folders alone, and sees no account of the machine', () => {
  const words = sandboxCommand(folders, sources)
  expect(after(words, '--bind', 2)).toEqual([
    ['/x/api', sandboxPaths.api],
    ['/x/tmp', '/tmp'],
    ['/x/home', '/home/user'],
  ])
  const read = [...after(words, '--ro-bind', 2), ...after(words, '--ro-bind-try', 2)]
  expect(read.map(([, inside]) => inside)).not.toContain('/etc')
  const accounts = read.filter(([, inside]) => /^\/etc\/(passwd|group|hosts)$/.test(inside ?? ''))
  expect(accounts.map(([outside]) => outside)).toEqual(['/x/etc/passwd', '/x/etc/group', '/x/etc/hosts'])
  expect(read.filter(([outside]) => /shadow|ssh|sudo|resolv/.test(outside ?? ''))).toEqual([])
})

test('a session has namespaces of its own of every kind that programs could meet in', () => {
  const words = sandboxCommand(folders, sources)
  for (const kind of ['net', 'user', 'pid', 'ipc', 'uts']) expect(words).toContain(`--unshare-${kind}`)
})

test('programs of a session get nothing of the environment of the host', () => {
  const variables = sessionVariables(sandboxPaths)
  expect(variables).toMatchObject({ HOME: '/home/user', USER: 'user', TZ: 'UTC', SAL_USE_VCLPLUGIN: 'gtk3' })
  expect(variables.PATH?.split(':').slice(0, 2)).toEqual([
    `${sandboxPaths.program}/commands`,
    `${sandboxPaths.python}/bin`,
  ])
  expect(Object.keys(variables).filter((name) => /KEY|TOKEN|AWS|NODE/.test(name))).toEqual([])
})

test('commands that tasks name can be run', () => {
  const folder = join(desktop, 'session/commands')
  for (const name of readdirSync(folder)) {
    expect(readFileSync(join(folder, name), 'utf8').startsWith('#!/bin/sh\n'), name).toBe(true)
  }
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['gnome-terminal', 'google-chrome', 'nautilus']))
})
